"""The engine that other programs talk to, by the Go Text Protocol.

protocol    lines, numbers, answers, streams; knows no game
session     a game as a controller sees it: moves, undo, setup, rules, clocks; knows no search
engine      the player that thinks for the session, and what it can tell of its thoughts
desk        both of them, made in the background while the protocol already answers
compiling   the player's kernels, compiled in the background
play · go · analysis · kgs · kata · gogui · gomill · cgos     the commands
serve       all of it, on standard input and output
"""
