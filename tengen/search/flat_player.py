"""Players that evaluate moves by random games, without a tree: flat Monte-Carlo, and all moves as first."""

import math
import time
from typing import Any

import numpy as np

from tengen.games.game import Game, Position
from tengen.jit import new, record_of
from tengen.policies.named import policy_record
from tengen.rng import seeded
from tengen.search import flat
from tengen.search.analysis import Analysis, MoveAnalysis, playout_estimate
from tengen.search.clock import Allowance
from tengen.search.flat import SCORE, WINS, Samples
from tengen.search.flat_config import AMAF_SIMULATIONS, FLAT_SIMULATIONS, AmafConfig, FlatConfig
from tengen.search.player import RESIGN, ThinkingPlayer

MOST_GAMES = 10**9
"""Of one position."""


class Sampling:
    """The random games of one position. `set_position`, `run`, then look at the samples."""

    def __init__(self, config: FlatConfig | AmafConfig, game: Game):
        self.config, self.game = config, game
        self.policy = policy_record(config.policy)
        self.objective = SCORE if config.objective == "score" and game.has_margin else WINS
        self.rules = self._rules()
        self.samples = self._allocate()
        self.seconds = 0.0
        self.plan(MOST_GAMES)
        self.position = game.start()

    def _rules(self) -> Any:
        rules = record_of(
            flat.RULES,
            objective=self.objective,
            untracked_slot=self.game.untracked_move,
            longest=self.game.longest_playout,
        )
        if isinstance(self.config, FlatConfig):
            rules.by_bound, rules.prunes = self.config.selection == "ucb", self.config.selection == "pruning"
            rules.exploration, rules.difference = self.config.exploration, self.config.difference
            rules.equality = self.config.equality / (100.0 if self.objective == WINS else 1.0)
            rules.first_games, rules.most_games = self.config.first_games, self.config.most_games
        return rules

    def _allocate(self) -> Samples:
        slots = self.game.move_slots
        return Samples(
            states=np.zeros(2, self.game.state_record),
            moves=np.zeros(0, np.uint16),
            visits=np.zeros(slots, np.int64),
            sums=np.zeros((2, slots)),
            squares=np.zeros((2, slots)),
            credits=np.zeros((2, slots), np.int64),
            credit_sums=np.zeros((2, 2, slots)),
            seen=np.zeros(slots, np.int64),
            means=np.zeros(slots),
            keys=np.zeros((2, slots)),
            buffer=np.zeros(slots, np.uint16),
            line=np.zeros(2 * self.game.longest_playout + 2, np.uint16),
            counts=new(flat.COUNTS),
            rng=seeded(self.config.seed),
        )

    def reseed(self, seed: int) -> None:
        """Begin the random numbers anew."""
        self.samples.rng[:] = seeded(seed)

    def set_position(self, position: Position) -> None:
        """Forget all samples, and make a position the one whose moves are compared."""
        samples = self.samples
        for array in (samples.visits, samples.sums, samples.squares, samples.seen):
            array.fill(0)
        samples.credits.fill(0)
        samples.credit_sums.fill(0)
        samples.states[0] = position.state
        listed = samples.buffer[: flat.list_candidates(samples.states[0], samples.buffer, samples.rng)]
        legal = position.legal_move_numbers()
        moves = listed[np.isin(listed, legal)]
        self.samples = samples._replace(moves=moves if len(moves) else legal, counts=new(flat.COUNTS))
        self.samples.counts.open = len(self.samples.moves)
        self.position, self.seconds = position.copy(), 0.0

    def plan(self, games: int, seconds: float = math.inf) -> None:
        """Say how long the sampling will take: annealing has cooled down by then."""
        self._planned = games, seconds

    def run(self, simulations: int) -> int:
        """Play so many random games, fewer if the decision has fallen; return how many."""
        before, began = self.games, time.perf_counter()
        config = self.config
        if isinstance(config, FlatConfig):
            flat.sample_moves(self.policy, self.rules, self.samples, simulations)
        elif self.is_annealed:
            hot, cold = (config.temperature * self._heat(games) for games in (before, before + simulations))
            flat.sample_ordered_games(self.rules, self.samples, hot, cold, simulations)
        else:
            flat.sample_games(self.policy, self.rules, self.samples, simulations)
        self.seconds += time.perf_counter() - began
        return self.games - before

    def _heat(self, games: int) -> float:
        """How much of the plan is left after so many games, from 1 to 0: of the games or the time, what is less."""
        planned_games, planned_seconds = self._planned
        seconds = self.seconds * games / self.games if self.games else 0.0
        return max(0.0, 1.0 - max(games / planned_games, seconds / planned_seconds if planned_seconds else 1.0))

    def is_open(self) -> bool:
        """Never: there are always moves about as good as the best, and a little more time does not tell them apart."""
        return False

    def is_settled(self, simulations_left: float) -> bool:
        """Whether there is only one move that can be played."""
        return len(self.samples.moves) == 1

    @property
    def is_annealed(self) -> bool:
        return isinstance(self.config, AmafConfig) and self.config.annealing

    @property
    def games(self) -> int:
        """Random games played from this position."""
        return int(self.samples.counts.games)

    def ranked(self) -> list[int]:
        """The moves, the one to play first: by their means, or, if the best were sampled most, by their games.

        Moves that were pruned come after all others.
        """
        moves = [int(move) for move in self.samples.moves]
        still_open = set(moves[: int(self.samples.counts.open)])
        means = {move: self._mean(move) for move in moves}
        by_games = isinstance(self.config, FlatConfig) and self.config.selection == "ucb"

        def merit(move: int) -> tuple[bool, float, float]:
            return move in still_open, float(self.samples.visits[move]) if by_games else means[move], means[move]

        return sorted(moves, key=merit, reverse=True)

    def _mean(self, move: int) -> float:
        """What a move is worth by the objective; one about which nothing is known is worth nothing."""
        games, totals = self._credited(move) if isinstance(self.config, AmafConfig) else self._sampled(move)
        return float(totals[self.objective]) / games if games else -np.inf

    def _sampled(self, move: int) -> tuple[int, np.ndarray]:
        """The games that began with a move, and the sums of their results by objective."""
        return int(self.samples.visits[move]), self.samples.sums[:, move]

    def _credited(self, move: int) -> tuple[int, np.ndarray]:
        """The games that count for a move, and the sums of their results by objective.

        Whichever side was the first to play there; but with annealing each side has an order of its own, and the move
        to play is the first in it: the opponent's games do not count. (If they did, it would win no game of 60.)
        """
        samples, counted = self.samples, slice(1 if self.is_annealed else 2)
        return int(samples.credits[counted, move].sum()), samples.credit_sums[:, counted, move].sum(axis=1)

    def values(self) -> dict[int, float]:
        """The share of games won of those that began with a move, for moves with any."""
        moves, visits, wins = self.samples.moves, self.samples.visits, self.samples.sums[WINS]
        return {int(move): float(wins[move] / visits[move]) for move in moves if visits[move]}

    def value(self) -> float | None:
        """The share of all games that was won."""
        return float(self.samples.sums[WINS].sum()) / self.games if self.games else None

    def hope(self) -> float:
        """What may still be won: by the best move, or, where games are not sampled by moves, at all."""
        if isinstance(self.config, FlatConfig):
            return self.values().get(self.ranked()[0], 1.0)
        value = self.value()
        return 1.0 if value is None else value

    def analysis(self, playouts: int = 0) -> Analysis:
        """What the samples say; with playouts, who owns what in the end."""
        return Analysis(
            position=self.position.copy(),
            moves=[self._move(move) for move in self.ranked()],
            value=self.value(),
            simulations=self.games,
            simulations_per_second=self.games / self.seconds if self.seconds else 0.0,
            **playout_estimate(self.policy, self.position, self.config.seed, playouts),
        )

    def _move(self, move: int) -> MoveAnalysis:
        name, visits = self.game.format_move(move), int(self.samples.visits[move])
        is_amaf = isinstance(self.config, AmafConfig)
        games, totals = self._credited(move) if is_amaf else self._sampled(move)
        rave: dict[str, Any] = {"rave_visits": games} if is_amaf else {}
        if is_amaf and games:
            rave["rave_value"] = float(totals[WINS]) / games
        margin = float(totals[SCORE]) / games if games and self.game.has_margin else None
        if margin is not None and self.position.to_play == "white":
            margin = -margin
        is_open = move in self.samples.moves[: int(self.samples.counts.open)]
        return MoveAnalysis(
            move=name,
            number=move,
            visits=visits,
            value=self.values().get(move),
            score=margin,
            pruned=None if is_open else True,
            variation=[name],
            **rave,
        )


class FlatPlayer(ThinkingPlayer):
    """Plays the move that does best in random games."""

    search: Sampling

    def __init__(self, config: FlatConfig | AmafConfig, game: Game):
        usual = FLAT_SIMULATIONS if isinstance(config, FlatConfig) else AMAF_SIMULATIONS
        super().__init__(game, config.simulations, config.seconds, usual, MOST_GAMES)
        self.config = config
        self.search = Sampling(config, game)

    def _begin(self, position: Position, simulations: int, allowance: Allowance) -> None:
        super()._begin(position, simulations, allowance)
        self.search.plan(simulations, allowance.planned)

    def best(self, position: Position) -> str:
        if self.search.hope() < self.config.resign:
            return RESIGN
        return self.game.format_move(self.game.reviewed(position, self.search.ranked(), self.search.values()))

    def analysis(self, position: Position, playouts: int = 0) -> Analysis:
        return self.search.analysis(playouts)

    def new_game(self, seed: int | None = None) -> None:
        if seed is not None:
            self.search.reseed(seed)
