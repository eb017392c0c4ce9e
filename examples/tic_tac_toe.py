"""A game of your own: noughts and crosses, in about a page.

    python examples/tic_tac_toe.py

The state is a record, its rules are verbs on that record, and a class says how people write moves and boards. Every
search, analysis and player then knows the game, at native speed.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tengen.errors import shortened
from tengen.games import interface
from tengen.games.diagrams import check_shape, draw_row, rows_of
from tengen.games.game import BadNotation, Cell, Game
from tengen.jit import kernel, record

STATE = record("tic_tac_toe", [("to_play", np.uint32), ("discs", np.uint16, (2,))])
FULL = 0b111_111_111


@kernel
def has_line(discs):
    """Whether one side's squares, as bits, hold three in a row."""
    found = False
    for line in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):
        found |= discs & line == line
    return found


@interface.play.implement(STATE)
@kernel
def play(state, move):
    state.discs[state.to_play] |= np.uint16(1 << np.int64(move))
    state.to_play = 1 - state.to_play


@interface.is_legal.implement(STATE)
@kernel
def is_legal(state, move):
    return move < 9 and not is_over(state) and ((state.discs[0] | state.discs[1]) >> np.int64(move)) & 1 == 0


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
    return has_line(state.discs[0]) or has_line(state.discs[1]) or state.discs[0] | state.discs[1] == FULL


@interface.score.implement(STATE)
@kernel
def score(state):
    return float(int(has_line(state.discs[0])) - int(has_line(state.discs[1])))


@interface.outcome.implement(STATE)
@kernel
def outcome(state):
    return (score(state) + 1.0) / 2.0


@dataclass(frozen=True)
class TicTacToe(Game):
    """Noughts and crosses: three in a row win."""

    name: ClassVar[str] = "tic-tac-toe"

    @property
    def state_record(self) -> np.dtype:
        return STATE

    @property
    def move_slots(self) -> int:
        return 9

    @property
    def longest_playout(self) -> int:
        return 9

    @property
    def has_margin(self) -> bool:
        return False

    def reset(self, state: Any) -> None:
        state.to_play, state.discs[:] = 0, 0

    def parse_move(self, text: str) -> int:
        if len(text) != 2 or text[0] not in "abc" or text[1] not in "123":
            raise BadNotation(f"{shortened(text)} is no square: they go from a1 to c3")
        return "abc".index(text[0]) + 3 * "123".index(text[1])

    def format_move(self, move: int) -> str:
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def rows(self, state: Any) -> list[list[Cell | None]]:
        def cell(square: int) -> Cell:
            black, white = (int(discs) >> square & 1 for discs in state.discs)
            return Cell(self.format_move(square), 0 if black else 1 if white else 2)

        return [[cell(3 * row + column) for column in range(3)] for row in range(3)]

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        lines = [f"{number} {draw_row(row, marks)}" for number, row in enumerate(self.rows(state), 1)]
        return "\n".join(["  a b c", *lines])

    def set_up(self, state: Any, text: str) -> None:
        rows = rows_of(text, "the board")
        check_shape(rows, [3, 3, 3], "the board")
        self.reset(state)
        for square, colour in enumerate(rows[0] + rows[1] + rows[2]):
            if colour < 2:
                state.discs[colour] |= 1 << square

    def key(self, state: Any) -> bytes:
        return bytes(state.discs) + bytes((int(state.to_play),))


if __name__ == "__main__":
    from tengen.players import parse_player

    position = TicTacToe().start()
    player = parse_player("uct:simulations=2000,solver=true").make(position.game)
    while not position.is_over:
        position.play(player.choose(position))
        print(position, "\n")
    print("A draw, as it must be." if position.winner == "draw" else f"{position.winner} wins")
