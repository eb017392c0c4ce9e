"""Hex, the example of a game of hexagonal cells: its rules against a slow reference, its diagrams, searches on it."""

import numpy as np
import pytest
from hex import Hex

from tengen import BadNotation, GameError
from tengen.players import parse_player


def is_connected(stones: set[tuple[int, int]], size: int, axis: int) -> bool:
    """Whether stones link the first row (axis 0) or column (axis 1) with the last: a flood fill, cell by cell."""
    reached = {cell for cell in stones if cell[axis] == 0}
    border = set(reached)
    while border:
        around = {
            (row + down, column + right)
            for row, column in border
            for down, right in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
        }
        border = (around & stones) - reached
        reached |= border
    return any(cell[axis] == size - 1 for cell in reached)


def stones_of(position) -> list[set[tuple[int, int]]]:
    """Return Black's and White's stones as (row, column), from the array of the board."""
    return [{(int(row), int(column)) for row, column in np.argwhere(position.board == value)} for value in (1, 2)]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_won_as_soon_as_two_edges_are_connected_and_not_before(size, seed):
    random, position = np.random.default_rng(seed), Hex(size).start()
    while not position.is_over:
        for axis, stones in enumerate(stones_of(position)):
            assert not is_connected(stones, size, axis)
        assert len(position.legal_moves()) == size * size - len(position.history)
        position.play(str(random.choice(position.legal_moves())))
    black, white = stones_of(position)
    assert position.winner == ("black" if is_connected(black, size, 0) else "white")
    assert is_connected(black, size, 0) != is_connected(white, size, 1)
    assert position.legal_moves() == []


@pytest.mark.parametrize("seed", range(20))
def test_a_full_board_has_exactly_one_winner_however_it_is_set_up(seed):
    random, size = np.random.default_rng(seed), 6
    rows = [" ".join("XO"[colour] for colour in random.integers(0, 2, size)) for _ in range(size)]
    position = Hex(size).from_diagram("\n".join(rows))
    black, white = stones_of(position)
    assert (position.winner == "black") == is_connected(black, size, 0) != is_connected(white, size, 1)


def test_neighbours_agree_with_the_diagram():
    game = Hex(3)
    assert sorted(game.neighbours(1, 1)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert sorted(game.neighbours(0, 0)) == [(0, 1), (1, 0)]
    assert game.start().play("b2").play("a3").diagram() == "  a b c\n 1 . . .\n 2  . X .\n 3   O . ."


def test_a_board_is_read_as_it_is_drawn():
    position = Hex(11).start().play("k11").play("a1").play("f6")
    assert Hex(11).from_diagram(position.diagram(), position.to_play) == position
    with pytest.raises(BadNotation, match="l1 is off the board of 11x11"):
        position.play("l1")
    with pytest.raises(GameError, match="size of a Hex board must be from 1 to 13, not '14'"):
        Hex(14)


def test_vertices_are_those_of_gogui_s_hexagonal_board():
    """GoGui draws (column, row) at column + (height - 1 - row) / 2 to the right, in rows going up."""
    game = Hex(11)

    def place(row: int, column: int) -> tuple[float, float]:
        vertex = game.format_vertex(game.point(row, column))
        assert game.parse_vertex(vertex.lower()) == game.point(row, column)
        x, y = "ABCDEFGHJKL".index(vertex[0]), int(vertex[1:]) - 1
        return x + (10 - y) / 2, y * 3**0.5 / 2

    for cell in ((5, 5), (0, 0), (10, 3)):
        for other in game.neighbours(*cell):
            (x, y), (here_x, here_y) = place(*other), place(*cell)
            assert (x - here_x) ** 2 + (y - here_y) ** 2 == pytest.approx(1)


@pytest.mark.parametrize("player", [pytest.param("uct", marks=pytest.mark.long), "mc-rave"])
def test_a_search_finds_a_win_and_prevents_a_loss(player):
    game = Hex(3)
    searcher = parse_player(f"{player}:simulations=2000,memory=20").make(game)
    position = game.start()
    for move in ["b1", "b3", "b2"]:
        position.play(move)
    assert searcher.choose(position) == "a3"
    assert searcher.choose(position.play("c1")) == "a3"
