"""A game reviewed move by move: the win rate before and after each move, better lines, and the blunders.

A search of few simulations overestimates the side to move, so a curve of such values alternates with the turn. Here the
value of a position combines its own search with those of the positions before and after it, in which the other side
is to move, as far as they agree; the tree is reused from move to move; and positions where the curve still jumps are
searched again for longer.
"""

import math
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError
from tengen.games.game import Game, Position
from tengen.search.search_player import SearchingPlayer, SearchPlayer

LONGEST_LINE = 8
"""Moves of a better variation that are shown."""
FEWEST_VISITS = 100
"""Visits that a better move needs to be shown."""
FIRST_SHARE = 0.6
"""Share of the effort that is spread evenly; the rest goes where the win rate jumps."""
JUMP = 0.08
"""Change of the win rate by one move from which both positions are searched again."""
REPEAT = 3.0
"""Effort of such a search, in units of the average effort of a position."""
SLICE = 128
"""Simulations between two looks at the clock."""


@dataclass(frozen=True)
class Effort:
    """Mean effort per position: simulations, seconds, or both; 0 for no limit."""

    simulations: int = 0
    seconds: float = 0.0

    def times(self, factor: float) -> "Effort":
        """Multiply the effort by `factor`, to at least one simulation where simulations are counted."""
        simulations = max(1, round(self.simulations * factor)) if self.simulations else 0
        return Effort(simulations, self.seconds * factor)

    def spend(self, run: Callable[[int], int], now: Callable[[], float] = time.perf_counter) -> None:
        """Call `run`, which runs up to a number of simulations, until the effort is spent; `now` returns the time.

        The search does not stop early for a move that cannot be overtaken, because its value is needed.
        """
        for _ in self.slices(run, now):
            pass

    def slices(self, run: Callable[[int], int], now: Callable[[], float] = time.perf_counter) -> Iterator[None]:
        """Spend the effort as `spend`, and yield before each slice of simulations."""
        began, left = now(), self.simulations or math.inf
        while left > 0 and (not self.seconds or now() - began < self.seconds):
            yield
            ran = run(int(min(SLICE, left)))
            left -= ran
            if ran == 0:  # solved, or the tree can count no more
                return


@dataclass(frozen=True)
class Judgement:
    """The result of the search of one position."""

    black: float
    """Black's win rate if the best move is played."""
    simulations: float
    """Number of simulations; infinite if the game is over."""
    best: str = ""
    visits: float = 0.0
    """Visits of the best move."""
    variation: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewedMove:
    """One move and its evaluation by the searches before and after it."""

    number: int
    colour: str
    move: str
    black_before: float
    """Black's win rate before the move, if the best move is played there."""
    black_after: float
    best: str
    variation: list[str]
    """The best move and the moves expected after it."""
    visits: float = math.inf
    """Visits of the best move."""

    @property
    def loss(self) -> float:
        """Loss of the mover's win rate by the move; negative for a gain."""
        gained = self.black_after - self.black_before
        return -gained if self.colour == "black" else gained

    @property
    def has_better(self) -> bool:
        """Whether the search prefers another move, with at least FEWEST_VISITS visits."""
        return bool(self.variation) and self.best != self.move and self.visits >= FEWEST_VISITS

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "loss": self.loss}


def review(
    position: Position,
    player: SearchingPlayer,
    watch: Callable[[float], None],
    effort: Effort | None = None,
    *,
    moves: range | None = None,
) -> list[ReviewedMove]:
    """Search the positions of a game; `watch` is called with the share of the work that is done.

    `effort` is the average for a position. Without one, or for a player without a tree, each position is searched once,
    within the player's own settings. `moves`, by default all, are the moves to review, counted from 0. The
    positions before and after them are searched as well, one at each end, as `two_sided` needs them.
    """
    slices = review_slices(position, player, effort, moves=moves)
    while True:
        try:
            watch(next(slices))
        except StopIteration as end:
            reviewed: list[ReviewedMove] = end.value
            return reviewed


def review_slices(
    position: Position, player: SearchingPlayer, effort: Effort | None = None, *, moves: range | None = None
) -> Generator[float, None, list[ReviewedMove]]:
    """Review as `review`, and yield the share of the work that is done, after at most a few milliseconds of search."""
    moves = range(len(position.history)) if moves is None else moves
    first = max(0, moves.start - 1)
    positions = _positions(position)[first : moves.stop + 2]
    if isinstance(player, SearchPlayer) and effort is not None:
        found = yield from _searched(positions, player, effort)
    else:
        found = []
        for number, one in enumerate(positions):
            for _ in [] if one.is_over else player.search_slices(one):
                yield number / len(positions)
            found.append(_result(one) if one.is_over else _judgement(one, player))
        yield 1.0
    rates = _rates(found)
    history = position.history
    return [
        ReviewedMove(
            number=move + 1,
            colour=history[move].colour,
            move=history[move].notation,
            black_before=rates[move - first],
            black_after=rates[move - first + 1],
            best=found[move - first].best,
            variation=list(found[move - first].variation),
            visits=found[move - first].visits,
        )
        for move in moves
    ]


def _positions(position: Position) -> list[Position]:
    """Return all positions of a game, the first one first."""
    going = position.copy()
    positions = [going.copy()]
    while going.history:
        going.undo()
        positions.append(going.copy())
    return positions[::-1]


def _searched(
    positions: list[Position], player: SearchPlayer, effort: Effort
) -> Generator[float, None, list[Judgement]]:
    """Search all positions evenly, then those around the largest jumps of the curve again; yield the share done."""
    first, again = effort.times(FIRST_SHARE), effort.times(REPEAT)
    found = []
    for done, position in enumerate(positions):
        found.append((yield from _judged(position, player, first, FIRST_SHARE * done / len(positions))))
    left = budget = (1 - FIRST_SHARE) * len(positions) / REPEAT
    repeated: set[int] = set()
    while left >= 1:
        number = _largest_jump(found, repeated)
        if number is None:
            break
        for one in (number, number + 1):
            share = 1 - (1 - FIRST_SHARE) * max(0.0, left) / budget
            judged = yield from _judged(positions[one], player, again, share)
            found[one] = max(judged, found[one], key=lambda judgement: judgement.simulations)
            left -= not positions[one].is_over
            repeated.add(one)
    yield 1.0
    return found


def _largest_jump(found: list[Judgement], repeated: set[int]) -> int | None:
    """Return the first of the two positions with the largest jump between them, unless both were repeated."""
    rates = _rates(found)
    jumps = {
        number: abs(rates[number + 1] - rates[number])
        for number in range(len(found) - 1)
        if not {number, number + 1} <= repeated
    }
    largest = max(jumps, key=lambda number: jumps[number], default=None)
    return largest if largest is not None and jumps[largest] >= JUMP else None


def _judged(position: Position, player: SearchPlayer, effort: Effort, done: float) -> Generator[float, None, Judgement]:
    """Search a position, with reuse of the subtree; yield the share `done` between slices."""
    if position.is_over:
        return _result(position)
    player.search.set_position(position)
    for _ in effort.slices(player.search.run):
        yield done
    return _judgement(position, player)


def _result(position: Position) -> Judgement:
    return Judgement({"black": 1.0, "white": 0.0}.get(position.winner or "", 0.5), math.inf)


def _judgement(position: Position, player: SearchingPlayer) -> Judgement:
    """Read the last search. The best move's value is more accurate than the mean of all moves."""
    analysis = player.analysis(position)
    best = analysis.best
    value = best.value if best.value is not None else analysis.value if analysis.value is not None else 0.5
    black = value if position.to_play == "black" else 1 - value
    return Judgement(black, analysis.simulations, best.move, best.visits, tuple(best.variation[:LONGEST_LINE]))


def _rates(found: list[Judgement]) -> list[float]:
    return two_sided([one.black for one in found], [one.simulations for one in found])


def two_sided(values: list[float], simulations: list[float]) -> list[float]:
    """Combine the value of each position with those of its neighbours, in which the other side is to move.

        v_i = (2 x_i + w_h x_h + w_j x_j) / (2 + w_h + w_j),  w_k = exp(-((x_i - x_k) / s)^2),  s = 0.03 + 6 / sqrt(n)

    for the values x of the neighbours h and j. n is the smaller number of simulations of the two: the bias for the side
    to move falls with its square root, so that values of many simulations stay as they are where they differ. The
    constants have the least squared error to searches of 20,000 simulations in five games on 9x9. The value of a
    finished game, with infinitely many simulations, does not change.
    """

    def combined(number: int) -> float:
        own = values[number]
        if math.isinf(simulations[number]):
            return own
        total, weights = 2.0 * own, 2.0
        for other in (number - 1, number + 1):
            if 0 <= other < len(values):
                scale = 0.03 + 6.0 / math.sqrt(max(1.0, min(simulations[number], simulations[other])))
                weight = math.exp(-(((own - values[other]) / scale) ** 2))
                total, weights = total + weight * values[other], weights + weight
        return total / weights

    return [combined(number) for number in range(len(values))]


def is_blunder(move: ReviewedMove, threshold: float) -> bool:
    """Whether a move loses at least `threshold` of win rate and the search prefers another move."""
    return move.loss >= threshold and move.move != move.best


def analysing(player: object, game: Game) -> SearchingPlayer:
    """Return the player; raise TengenError unless it supports analysis."""
    if not isinstance(player, SearchingPlayer):
        raise TengenError(f"a game of {game.name} is reviewed by a player that searches, such as mc-rave")
    return player
