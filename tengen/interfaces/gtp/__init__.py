"""The engine for other programs, over the Go Text Protocol.

protocol       lines, numbers, answers, streams; independent of the game
session        a game as a controller sees it: moves, undo, setup, rules, clocks; independent of the search
engine         the player of the session, its analysis and pondering
engine_loader  creates session and engine in the background
compiling      compiles the player's kernels in the background
play · go · analysis · kgs · kata · gogui · gomill · cgos     the commands
serve          the engine on standard input and output
"""
