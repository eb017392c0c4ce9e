"""A game of your own: noughts and crosses, in about a page.

    python examples/tic_tac_toe.py

The state is a record, its rules are verbs on that record, and a class names its facts; GridGame reads and writes moves
and boards. Every search, analysis and player then knows the game, at native speed.
"""

from dataclasses import dataclass

import numpy as np

from tengen.games import interface
from tengen.games.grid import GridGame
from tengen.jit import kernel, record

STATE = record("tic_tac_toe", [("to_play", np.uint32), ("stones", np.uint16, (2,))])
FULL = 0b111_111_111


@kernel
def has_line(stones):
    """Whether one side's squares, as bits, hold three in a row."""
    found = False
    for line in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):
        found |= stones & line == line
    return found


@interface.play.implement(STATE)
@kernel
def play(state, move):
    state.stones[state.to_play] |= np.uint16(1 << np.int64(move))
    state.to_play = 1 - state.to_play


@interface.is_legal.implement(STATE)
@kernel
def is_legal(state, move):
    return move < 9 and not is_over(state) and ((state.stones[0] | state.stones[1]) >> np.int64(move)) & 1 == 0


@interface.legal_moves.implement(STATE)
@kernel
def legal_moves(state, moves):
    count = 0
    for move in range(9):
        if is_legal(state, move):
            moves[count] = move
            count += 1
    return count


@interface.is_over.implement(STATE)
@kernel
def is_over(state):
    return has_line(state.stones[0]) or has_line(state.stones[1]) or state.stones[0] | state.stones[1] == FULL


@interface.score.implement(STATE)
@kernel
def score(state):
    return float(int(has_line(state.stones[0])) - int(has_line(state.stones[1])))


@dataclass(frozen=True)
class TicTacToe(GridGame):
    """Noughts and crosses: three in a row win."""

    name = "tic-tac-toe"
    meaning = "three in a row win"
    shape = 3, 3
    state_record = STATE
    has_margin = False


if __name__ == "__main__":
    from tengen.players import parse_player

    position = TicTacToe().start()
    player = parse_player("uct:simulations=2000,solver=true").make(position.game)
    while not position.is_over:
        position.play(player.choose(position))
        print(position, "\n")
    print("A draw, as it must be." if position.winner == "draw" else f"{position.winner} wins")
