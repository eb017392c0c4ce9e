"""What the lanes of a warp compute together is what a single thread computes: playouts, moves and flips."""

import numpy as np
import pytest

from tengen import Go, Othello
from tengen.games import interface
from tengen.games.go.bitboard import BITBOARD
from tengen.games.go.bitboard_playout import playout_by_lanes, playout_by_moves
from tengen.games.othello.othello_board import flips_by_lanes, flips_of, moves_by_lanes, moves_of, sides
from tengen.jit import let_numbers_wrap
from tengen.rng import seeded
from tests.lanes import Warp, needs_lanes

pytestmark = needs_lanes


def after_moves(game, record, moves, seed):
    """Return the state after the first moves of a uniform playout, in an array of one."""
    let_numbers_wrap()
    states, trace = np.zeros(2, record), np.zeros(game.longest_playout + 2, np.uint16)
    states[:] = game.start().state_as(record)
    length = interface.uniform_playout(states[0], seeded(seed), trace, 0)
    for move in trace[: min(moves, length - 2)].tolist():
        interface.play(states[1], move)
    return states[1:]


@pytest.mark.parametrize("moves", [0, 60, 100])
def test_a_playout_by_lanes_draws_the_moves_of_one_thread(moves):
    """From the empty board, and from positions where many points are eyes or suicide."""
    game, traces = Go(9), set()
    for seed in range(1, 4):
        ours, theirs = (after_moves(game, BITBOARD, moves, 100 + seed) for _ in range(2))
        rngs, lines = np.array([seeded(seed)] * 2), np.zeros((2, game.longest_playout + 2), np.uint16)
        length = playout_by_moves(theirs[0], rngs[1], lines[1], 3)
        assert Warp().run(playout_by_lanes, ours[0], rngs[0], lines[0], 3) == [length] * 32
        assert ours.tobytes() == theirs.tobytes()
        assert rngs[0].tolist() == rngs[1].tolist()
        assert lines[0].tolist() == lines[1].tolist()
        traces.add(lines[0].tobytes())
    assert len(traces) == 3


@pytest.mark.parametrize("size", [4, 8])
def test_moves_and_flips_by_lanes_are_those_of_one_thread(size):
    game = Othello(size)
    for moves in range(0, size * size - 6, 3):
        state = after_moves(game, game.start().state.dtype, moves, seed=moves)[0]
        own, enemy = sides(state)
        legal = moves_of(own, enemy, state.board)
        assert Warp().run(moves_by_lanes, own, enemy, state.board) == [legal] * 32
        for square in range(64):
            disc = np.uint64(1 << square)
            if legal & disc:
                flips = flips_of(disc, own, enemy)
                assert flips
                assert Warp().run(flips_by_lanes, disc, own, enemy) == [flips] * 32
