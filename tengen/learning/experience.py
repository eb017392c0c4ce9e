"""Equivalent experience of a learnt value, from its differences to deep searches, by the phase of the game.

A prior is evaluated for all moves of a position. So the sampled positions follow any candidate move in games of
self-play; the reference value is that of the best move of a search. The mean result of M games of value Q has the
variance Q (1 - Q) / M; the equivalent experience is the M for which this equals the prior's mean squared error.
[GellySilver2007, section 7, leaves this open]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.games.go.game import Go, GoPosition
from tengen.games.interface import is_candidate
from tengen.jit import new
from tengen.learning.selfplay import play_games
from tengen.policies.go.shape_prior import PHASES, phase_of
from tengen.policies.go.shape_weights import evaluation_of, shape_policy
from tengen.policies.go.shapes import evaluate, probability
from tengen.policies.go.weights import ShapeWeights
from tengen.rng import seeded
from tengen.search.config import SearchConfig
from tengen.search.search import Search

FEW_SAMPLES = 30
"""A phase with fewer samples takes the variance of the phase before it, or of the first phase that has enough."""
JUDGE = SearchConfig(tree_policy="mc-rave", policy="mogo", exploration=0.0, memory=200)


@dataclass(frozen=True)
class Sample:
    """One position: the phase before the last move, the learnt value and the search's, both from Black's side."""

    phase: int
    learnt: float
    searched: float


def draw_position(policy: Any, game: Go, generator: np.random.Generator, rng: np.ndarray) -> tuple[int, GoPosition]:
    """Return the phase before a random candidate move at a random point of a self-play game, and the position after."""
    states, trace = np.zeros(2, game.tactical_record), np.zeros(game.longest_playout + 2, np.uint16)
    game.reset(states[0])
    while True:
        _, length = play_games(policy, states, rng, trace, 1)
        position = Go(game.size, game.komi, ko="simple").start()
        for move in trace[: int(generator.integers(length))]:
            position.play(game.format_move(int(move)))
        moves = [move for move in position.legal_move_numbers() if move and is_candidate(position.state, int(move))]
        if moves and not position.is_over:
            phase = int(phase_of(position.state))
            position.play(game.format_move(int(generator.choice(moves))))
            return phase, position


def draw_samples(
    weights: ShapeWeights,
    count: int,
    simulations: int,
    seed: int,
    komi: float = 7.5,
    watch: Callable[[], None] = lambda: None,
) -> list[Sample]:
    """Evaluate `count` positions with the learnt value and with searches of `simulations` simulations.

    `watch` is called after each position.
    """
    game = Go(weights.shapes.size, komi, ko="simple")
    policy, evaluation = shape_policy(weights, epsilon=0.1), new(evaluation_of(weights, fused=True))
    generator, rng = np.random.default_rng(seed), seeded(seed)
    search, found = Search(JUDGE, game), []
    for _ in range(count):
        phase, position = draw_position(policy, game, generator, rng)
        evaluate(policy.shapes, evaluation, position.tactical_state())
        search.forget()
        search.set_position(position)
        search.run(simulations)
        best = max(search.moves(untried=False), key=lambda move: (move.visits, -move.number))
        assert best.value is not None
        value = best.value
        searched = value if position.to_play == "black" else 1.0 - value
        found.append(Sample(phase, float(probability(float(evaluation.total))), searched))
        watch()
    return found


def variances(samples: list[Sample]) -> list[dict[str, float]]:
    """Return for each phase: number of samples, mean squared difference, and equivalent experience M."""
    found = []
    for phase in range(PHASES):
        own = [sample for sample in samples if sample.phase == phase]
        learnt = np.array([sample.learnt for sample in own])
        squares = (learnt - [sample.searched for sample in own]) ** 2
        variance = float(squares.mean()) if own else 0.0
        spread = float((learnt * (1 - learnt)).mean()) if own else 0.0
        experience = spread / variance if variance else 0.0
        found.append({"samples": len(own), "variance": variance, "experience": experience})
    return found


def usable(phases: list[dict[str, float]]) -> list[float]:
    """Return the variance of each phase; one with few samples takes that of the phase before it (see FEW_SAMPLES).

    If no phase has enough samples, every phase gets the mean of all samples.
    """
    known = [phase["variance"] for phase in phases if phase["samples"] >= FEW_SAMPLES]
    squares, samples = sum(phase["samples"] * phase["variance"] for phase in phases), sum(p["samples"] for p in phases)
    last = known[0] if known else squares / max(1, samples)
    found: list[float] = []
    for phase in phases:
        last = phase["variance"] if phase["samples"] >= FEW_SAMPLES else last
        found.append(last)
    return found
