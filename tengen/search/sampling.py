"""Random games from one position, without a tree: flat Monte-Carlo, and all moves as first."""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tengen.games.game import Game, Position
from tengen.interrupts import deferred_interrupts
from tengen.jit import new, record_of
from tengen.policies.expectation import PriorScratch
from tengen.policies.playout import named_in_errors
from tengen.registry import Part
from tengen.rng import seeded
from tengen.search import flat
from tengen.search.flat import SCORE, WINS, Samples
from tengen.search.flat_config import AmafConfig, FlatConfig
from tengen.search.move_statistics import MoveStatistics
from tengen.search.preselection import list_candidates, preselect
from tengen.search.time_management import Deliberation
from tengen.search.tree import node_record

MOST_GAMES = 10**9
"""Maximum number of random games from one position."""


def scratch_without_tree(part: Part, game: Game, state_record: np.dtype) -> PriorScratch:
    """Return the buffers of a prior for states of a record, with an empty tree."""
    slots = game.move_slots
    return PriorScratch(
        marks=np.zeros(slots, np.uint8),
        values=np.zeros(slots, np.float32),
        states=np.zeros(part.needs.scratch_states, state_record),
        tree=np.zeros(0, node_record(slots, rave=False)),
        path=np.zeros(0, np.int32),
        depth=0,
    )


class Sampling(Deliberation):
    """Random games from one position. `set_position`, `run` or `run_for`, then `best_move` or `moves`."""

    def __init__(self, config: FlatConfig | AmafConfig, game: Game, now: Callable[[], float] = time.perf_counter):
        self.config, self.game, self.now = config, game, now
        self.policy = config.make_part("policy", game)
        self.selection = config.make_part("selection", game) if isinstance(config, FlatConfig) else None
        self.prior = config.make_part("prior", game) if config.preselect else None
        self.objective = SCORE if config.objective == "score" and game.has_margin else WINS
        self.rules = self._rules()
        self.samples = self._allocate()
        self.seconds = 0.0
        self.plan(MOST_GAMES)
        self.position = game.start()

    def _rules(self) -> Any:
        return record_of(
            flat.RULES,
            objective=self.objective,
            amaf=self.is_amaf,
            untracked_slot=self.game.untracked_move,
            longest=self.game.longest_playout,
        )

    def _allocate(self) -> Samples:
        slots = self.game.move_slots
        return Samples(
            states=np.zeros(2, self.config.state_record(self.game)),
            moves=np.zeros(0, np.uint16),
            visits=np.zeros(slots, np.int64),
            sums=np.zeros((2, slots)),
            squares=np.zeros((2, slots)),
            credits=np.zeros((2, slots), np.int64),
            credit_sums=np.zeros((2, 2, slots)),
            credit_squares=np.zeros((2, 2, slots)),
            seen=np.zeros(slots, np.int64),
            means=np.zeros(slots),
            keys=np.zeros((2, slots)),
            buffer=np.zeros(slots, np.uint16),
            line=np.zeros(2 * self.game.longest_playout + 2, np.uint16),
            counts=new(flat.COUNTS),
            rng=seeded(self.config.seed),
        )

    def reseed(self, seed: int) -> None:
        """Restart the random numbers from a seed."""
        self.samples.rng[:] = seeded(seed)

    def set_position(self, position: Position) -> None:
        """Discard all samples, and set the position whose moves are compared."""
        samples = self.samples
        for array in (samples.visits, samples.sums, samples.squares, samples.seen):
            array.fill(0)
        for array in (samples.credits, samples.credit_sums, samples.credit_squares):
            array.fill(0)
        samples.states[0] = position.state_as(samples.states.dtype)
        listed = samples.buffer[: list_candidates(samples.states[0], samples.buffer, samples.rng)]
        legal = position.legal_move_numbers()
        moves = listed[np.isin(listed, legal)]
        moves = self._preselected(moves if len(moves) else legal)
        self.samples = samples._replace(moves=moves, counts=new(flat.COUNTS))
        self.samples.counts.open = len(self.samples.moves)
        self.position, self.seconds = position.copy(), 0.0

    def _preselected(self, moves: np.ndarray) -> np.ndarray:
        """Return the moves to compare: those that the prior prefers, or all moves."""
        if self.prior is None:
            return moves
        count = preselect(
            self.prior,
            scratch_without_tree(self.config.part("prior"), self.game, self.samples.states.dtype),
            self.samples.states[0],
            moves,
            np.zeros(len(moves)),
            self.config.preselect,
            self.game.untracked_move,
        )
        return moves[:count]

    def plan(self, games: int, seconds: float = math.inf) -> None:
        """Set the length of the sampling, at whose end annealing reaches temperature 0."""
        self._planned = games, seconds

    def run(self, simulations: int) -> int:
        """Play up to `simulations` random games, fewer if the decision is made; return their number."""
        before, began = self.simulations, self.now()
        with named_in_errors(self.config.policy), deferred_interrupts():
            self._sample(simulations)
        self.seconds += self.now() - began
        return self.simulations - before

    def _sample(self, games: int) -> None:
        config, before = self.config, self.simulations
        if isinstance(config, FlatConfig):
            flat.sample_moves(self.policy, self.selection, self.rules, self.samples, games)
        elif self.is_annealed:
            hot, cold = (config.temperature * self._heat(count) for count in (before, before + games))
            flat.sample_ordered_games(self.rules, self.samples, hot, cold, games)
        else:
            flat.sample_games(self.policy, self.rules, self.samples, games)

    def _heat(self, games: int) -> float:
        """Return the share of the plan left after `games` games, from 1 to 0: the smaller of games and time."""
        planned_games, planned_seconds = self._planned
        seconds = self.seconds * games / self.simulations if self.simulations else 0.0
        return max(0.0, 1.0 - max(games / planned_games, seconds / planned_seconds if planned_seconds else 1.0))

    def is_open(self) -> bool:
        """Always False: some moves are always about as good as the best, and a little more time does not help."""
        return False

    def is_settled(self, simulations_left: float) -> bool:
        """Whether there is only one move to compare."""
        return len(self.samples.moves) == 1

    @property
    def is_amaf(self) -> bool:
        """Whether a game counts for all moves that were the first on their points."""
        return isinstance(self.config, AmafConfig) or self.config.amaf

    @property
    def is_annealed(self) -> bool:
        return isinstance(self.config, AmafConfig) and self.config.annealing

    @property
    def simulations(self) -> int:
        """Random games played from this position."""
        return int(self.samples.counts.games)

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds else 0.0

    def moves(self, untried: bool = True) -> list[MoveStatistics]:
        """Return the moves, the one to play first: by mean, or, if the selection samples the best most, by games.

        Pruned moves come last. Moves without games of their own are always listed.
        """
        games, totals = self._counted()
        values, pruned = self.values(), self.samples.moves[int(self.samples.counts.open) :].tolist()
        sign = 1 if self.position.to_play == "black" else -1

        def statistics(move: int) -> MoveStatistics:
            count = int(games[move])
            won, margin = (float(total) / count if count else None for total in totals[:, move])
            return MoveStatistics(
                number=move,
                visits=int(self.samples.visits[move]),
                value=values.get(move),
                rave_visits=count if self.is_amaf else None,
                rave_value=won if self.is_amaf else None,
                score=sign * margin if self.game.has_margin and margin is not None else None,
                pruned=move in pruned or None,
            )

        return [statistics(move) for move in self._ranked()]

    def _ranked(self) -> list[int]:
        moves = self.samples.moves
        is_open = np.arange(len(moves)) < self.samples.counts.open
        means = self._means()[moves]
        by_games = isinstance(self.config, FlatConfig) and self.config.selection == "ucb"
        order = np.lexsort((means, self.samples.visits[moves] if by_games else means, is_open))
        return [int(move) for move in moves[order[::-1]]]

    def _means(self) -> np.ndarray:
        """Return the mean of each move by the objective; -inf for moves without games."""
        games, totals = self._counted()
        means: np.ndarray = np.where(games > 0, totals[self.objective] / np.maximum(games, 1), -np.inf)
        return means

    def _counted(self) -> tuple[np.ndarray, np.ndarray]:
        """Return by move the number of games that count for it, and the sums of their results by objective.

        These are the games that began with it; with all moves as first, those in which it was the first on its point,
        by either side. With annealing each side has its own order, whose first move is played, so the opponent's games
        do not count. (When they did, annealing won no game of 60 against no annealing; the games were not kept.)
        """
        samples = self.samples
        if not self.is_amaf:
            return samples.visits, samples.sums
        sides = slice(1 if self.is_annealed else 2)
        return samples.credits[sides].sum(axis=0), samples.credit_sums[:, sides].sum(axis=1)

    def values(self) -> dict[int, float]:
        """Return the win rates of moves, over the games that began with them."""
        moves, visits, wins = self.samples.moves, self.samples.visits, self.samples.sums[WINS]
        return {int(move): float(wins[move] / visits[move]) for move in moves if visits[move]}

    def value(self) -> float | None:
        """The win rate over all games."""
        return float(self.samples.sums[WINS].sum()) / self.simulations if self.simulations else None

    def hope(self, best: int) -> float:
        """Return the win rate that decides about resigning: the best move's, or that of all games for AmafConfig."""
        value = self.values().get(best) if isinstance(self.config, FlatConfig) else self.value()
        return 1.0 if value is None else value
