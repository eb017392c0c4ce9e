"""Connect Four, the example of a game of squares: its rules, its board in text, and searches on it."""

import numpy as np
import pytest
from connect_four import ConnectFour

from tengen import IllegalMove
from tengen.games import interface
from tengen.players import parse_player

GAME = ConnectFour()


def line_count(states: np.ndarray, depth: int) -> int:
    """Return the number of sequences of `depth` moves from the first state; the other states are scratch."""
    moves = np.zeros(GAME.move_slots, np.uint16)
    count = interface.legal_moves(states[0], moves)
    if depth == 1:
        return int(count)
    total = 0
    for move in moves[:count]:
        states[1] = states[0]
        interface.play(states[1], move)
        total += line_count(states[1:], depth - 1)
    return total


@pytest.mark.parametrize(
    ("depth", "lines"), [(1, 7), (2, 49), (3, 343), (4, 2401), (5, 16807), (6, 117649), (7, 823536)]
)
def test_the_number_of_move_sequences_agrees_with_the_literature(depth, lines):
    states = np.zeros(depth, GAME.state_record)
    assert line_count(states, depth) == lines


def four_in_a_row(rows: list[list[str]]) -> set[str]:
    """Return the symbols with four in a row, column or diagonal, found square by square."""
    found = set()
    for row in range(6):
        for column in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * down, column + k * right) for k in range(4)]
                if all(r < 6 and 0 <= c < 7 for r, c in line):
                    symbols = {rows[r][c] for r, c in line}
                    found |= symbols if len(symbols) == 1 else set()
    return found - {"."}


@pytest.mark.parametrize("seed", range(40))
def test_a_game_ends_with_the_first_four_in_a_row_or_a_full_board(seed):
    random, position = np.random.default_rng(seed), GAME.start()
    while not position.is_over:
        rows = [line.split()[1:] for line in position.diagram().splitlines()[:6]]
        assert four_in_a_row(rows) == set()
        heights = {column: sum(row[column] != "." for row in rows) for column in range(7)}
        assert position.legal_moves() == [f"{'abcdefg'[c]}{h + 1}" for c, h in heights.items() if h < 6]
        position.play(str(random.choice(position.legal_moves())))
    rows = [line.split()[1:] for line in position.diagram().splitlines()[:6]]
    assert {"black": {"X"}, "white": {"O"}, "draw": set()}[str(position.winner)] == four_in_a_row(rows)
    assert position.legal_moves() == []


@pytest.mark.parametrize(
    "line",
    [
        "d1 d2 e1 e2 f1 f2 g1",
        "a1 b1 a2 b2 a3 b3 a4",
        "a1 b1 b2 c1 d1 c2 c3 d2 e1 d3 d4",
        "d1 c1 c2 b1 a1 b2 b3 a2 f1 a3 a4",
    ],
)
def test_four_in_a_row_win_in_every_direction(line):
    position = GAME.start()
    for move in line.split():
        assert not position.is_over
        position.play(move)
    assert position.winner == "black"


def test_a_full_board_without_four_in_a_row_is_a_draw():
    position = GAME.from_diagram(
        "O X O X O X O\nO X O X O X O\nX O X O X O X\nX O X O X O X\nO X O X O X O\nO X O X O X O"
    )
    assert position.is_over
    assert position.winner == "draw"


def test_squares_above_an_empty_one_and_off_the_board_are_not_legal():
    position = GAME.start()
    assert not position.is_legal("a2")
    with pytest.raises(IllegalMove):
        position.play("a2")
    assert position.play("a1").is_legal("a2")
    assert not position.is_legal(6)  # the bit above the first column


def test_the_diagram_has_row_1_at_the_bottom_and_is_read_again():
    position = GAME.start().play("a1").play("a2").play("g1")
    assert position.diagram().splitlines()[-3:] == ["2 O . . . . . .", "1 X . . . . . X", "  a b c d e f g"]
    assert GAME.from_diagram(position.diagram(), position.to_play) == position
    assert [GAME.format_vertex(played.move) for played in position.history] == ["A1", "A2", "G1"]


@pytest.mark.parametrize("player", ["uct", pytest.param("mc-rave", marks=pytest.mark.long)])
def test_a_search_finds_a_win_and_prevents_a_loss(player):
    searcher = parse_player(f"{player}:simulations=2000,memory=20").make(GAME)
    position = GAME.start()
    for move in ["d1", "a1", "d2", "a2", "d3"]:
        position.play(move)
    assert searcher.choose(position) == "d4"
    assert searcher.choose(position.play("a3")) == "d4"
