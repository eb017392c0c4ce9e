"""Players that search."""

import math
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.clock import Clock
from tengen.games.game import Game, Position
from tengen.games.player import RESIGN, Player
from tengen.rng import seeded, uniform
from tengen.search.analysis import Analysis, analyse
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig
from tengen.search.move_statistics import MoveStatistics
from tengen.search.search import MOST_SIMULATIONS, Search
from tengen.search.time_management import Allowance, Deliberation, allot, never, search_slices

DRAW_STREAM = 1_000_000
"""The stream of random numbers for sampling moves; lower streams belong to the search's threads."""


@dataclass(frozen=True)
class Limits:
    """Limits of a search; 0 for none. The first limit reached ends it."""

    simulations: int = 0
    seconds: float = 0.0


class SearchingPlayer(Player):
    """A player that searches, and keeps its last search for analysis."""

    search: Deliberation
    config: Any
    limits: Limits
    """The limits of every search."""

    def __init__(
        self,
        game: Game,
        *,
        simulations: int,
        seconds: float,
        usual: int,
        most: int,
        now: Callable[[], float] = time.perf_counter,
    ):
        """Limits per move are simulations and seconds, 0 for no limit: without them `usual`, or `most` with a clock.

        `now` returns the time in seconds.
        """
        self.game, self.now = game, now
        self.limits = Limits(simulations, seconds)
        self._usual, self._most = usual, most
        self._stopped = False
        self._seconds_before = self._overhead = 0.0

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.game}, {self.config}>"

    def run_search(self, position: Position, clock: Clock | None = None, stopped: Callable[[], bool] = never) -> None:
        """Search a position within the limits and the clock; without a limit, a default number of simulations applies.

        `stopped` is called every few milliseconds; the search ends if it returns True. It may read the search.
        """
        for _ in self.search_slices(position, clock):
            if stopped() or self._stopped:
                return

    def search_slices(self, position: Position, clock: Clock | None = None) -> Iterator[None]:
        """Search as `run_search`, and yield before each slice of a few milliseconds, when the search may be read.

        The search ends if the caller stops iterating.
        """
        if position.game != self.game:
            raise TengenError(f"this player was created for {self.game}, not for {position.game}")
        if position.is_over:
            raise TengenError("the game is over: there is no move to choose")
        seconds = self.limits.seconds or math.inf
        allowance = Allowance(seconds, seconds)
        if clock is not None:
            timed = allot(clock, self.game.moves_to_go(position), self._overhead)
            allowance = Allowance(min(timed.planned, allowance.planned), min(timed.limit, allowance.limit))
        simulations = self.limits.simulations or (self._most if allowance.is_limited else self._usual)
        self._stopped = False
        self._begin(position, simulations, allowance)
        self._seconds_before = self.search.seconds
        yield from search_slices(self.search, simulations, allowance, now=self.now)

    def _begin(self, position: Position, simulations: int, allowance: Allowance) -> None:
        """Prepare the search of a position for `simulations` and `allowance`."""
        self.search.set_position(position)

    def stop(self) -> None:
        """Make a search in another thread end soon, with the best move so far."""
        self._stopped = True

    def choose_number(self, position: Position, clock: Clock | None = None, stopped: Callable[[], bool] = never) -> int:
        """Return the number of the move to play, or RESIGN, within the clock's time; at once when stopped."""
        began = self.now()
        self.run_search(position, clock, stopped)
        move = self.best_number(position)
        self._note_overhead(self.now() - began - (self.search.seconds - self._seconds_before))
        return move

    @abstractmethod
    def best_number(self, position: Position) -> int:
        """Return the number of the move to play, or RESIGN, from the present state of the search."""

    def _note_overhead(self, seconds: float) -> None:
        """Update the estimate, slightly pessimistic, of a move's time outside the simulations."""
        self._overhead = max(min(seconds, 0.1), 0.9 * self._overhead)

    def analyse(self, position: Position, playouts: int = 0) -> Analysis:
        """Search a position and return the analysis; with `playouts`, also score and ownership."""
        self.run_search(position)
        return self.analysis(position, playouts)

    @abstractmethod
    def analysis(self, position: Position, playouts: int = 0) -> Analysis:
        """Return the analysis of the last search, whose position is `position`."""


class TreePlayer(SearchingPlayer):
    """Chooses moves by the root of a tree."""

    search: Search
    config: SearchConfig

    def __init__(self, config: SearchConfig, game: Game, now: Callable[[], float] = time.perf_counter):
        super().__init__(
            game,
            simulations=config.simulations,
            seconds=config.seconds,
            usual=DEFAULT_SIMULATIONS,
            most=MOST_SIMULATIONS,
            now=now,
        )
        self.config = config
        self._draws = seeded(config.seed, DRAW_STREAM)

    def best_number(self, position: Position) -> int:
        values, ranking = self.search.values(), self.search.moves(untried=False)
        win_rate = values.get(ranking[0].number, ranking[0].greedy_value)
        if win_rate is not None and win_rate < self.config.resign and self.config.resign > 0.0:
            return RESIGN
        if self.config.temperature > 0.0:
            ranking = self._with_drawn_first(ranking)
        return self.game.reviewed(position, [move.number for move in ranking], values)

    def _with_drawn_first(self, ranking: list[MoveStatistics]) -> list[MoveStatistics]:
        """Move a sampled move to the front: p(a) is proportional to n(a)^(1 / temperature), n the visits.

        A proved win stays in front.
        """
        visits = np.maximum([move.visits for move in ranking], 0.0)
        if visits.max() <= 0.0 or ranking[0].proof == "win":
            return ranking
        weights = np.cumsum((visits / visits.max()) ** (1.0 / self.config.temperature))
        drawn = int(np.searchsorted(weights, uniform(self._draws) * weights[-1], side="right"))
        return [ranking[drawn], *ranking[:drawn], *ranking[drawn + 1 :]]

    def analysis(self, position: Position, playouts: int = 0) -> Analysis:
        return analyse(self.search, position, playouts)

    def new_game(self, seed: int | None = None) -> None:
        if seed is not None:
            self._draws = seeded(seed, DRAW_STREAM)


class SearchPlayer(TreePlayer):
    """Plays by tree search, with subtree reuse during a game."""

    def __init__(self, config: SearchConfig, game: Game, now: Callable[[], float] = time.perf_counter):
        super().__init__(config, game, now)
        self.search = Search(config, game, now)

    def new_game(self, seed: int | None = None) -> None:
        super().new_game(seed)
        self.search.release()
        if seed is not None:
            self.search.reseed(seed)
