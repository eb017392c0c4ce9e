"""Positions from games, and their values by deep searches, in a file that an interrupted run continues."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tengen.composed_config import settings_of
from tengen.errors import TengenError, shortened
from tengen.files import Unreadable
from tengen.games.go.game import Go
from tengen.learning.balance_settings import LabelSettings
from tengen.learning.game_moves import GameMoves
from tengen.learning.valued_positions import (
    ValuedPosition,
    moves_in_words,
    position_after,
    valued_position,
)
from tengen.parallel import Backend
from tengen.rng import mix_integer
from tengen.search.config import SearchConfig
from tengen.search.search import Search
from tengen.signed_lines import SignedLines

START = b'{"made_by":'
ROUNDS = 100
"""How often each game is visited for another position of it, at most."""


# --- Positions -------------------------------------------------------------------------------------------------------


def sampled_positions(games: GameMoves, size: int, settings: LabelSettings) -> list[tuple[str, ...]]:
    """Return the moves before different positions of games, at random moves of games in random order.

    Raises TengenError if the games have too few. Games are cut at their first pass.
    """
    game, found = Go(size, ko="simple"), dict[tuple[str, ...], None]()
    base = mix_integer(settings.label_seed)
    order = sorted(range(len(games)), key=lambda number: mix_integer(base + 2 * number + 1))
    for draw in range(ROUNDS * len(games)):
        number = order[draw % len(games)]
        moves = games.moves[games.starts[number] : games.starts[number + 1]].tolist()
        end = min(settings.last_move, (moves.index(0) if 0 in moves else len(moves)) - 1)
        if end >= settings.first_move:
            length = settings.first_move + mix_integer(base + 2 * draw) % (end - settings.first_move + 1)
            found[tuple(game.format_move(move) for move in moves[:length])] = None
        if len(found) == settings.label_positions:
            return list(found)
    raise TengenError(
        f"{len(games):,} games have only {len(found):,} positions after {settings.first_move} to "
        f"{settings.last_move} moves, not {settings.label_positions:,}"
    )


# --- Values ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LabelTask:
    """Some positions to be searched, in order."""

    number: int
    size: int
    komi: float
    positions: tuple[tuple[str, ...], ...]
    player: SearchConfig
    simulations: int
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class LabelResult:
    """Black's expected results in the positions of a task."""

    number: int
    values: tuple[float, ...]


class LabelWorker:
    """Searches positions in its own process."""

    def __call__(self, task: LabelTask) -> LabelResult:
        return LabelResult(
            task.number,
            tuple(
                searched_value(moves, task.size, task.komi, task.player.replaced(seed=seed), task.simulations)
                for moves, seed in zip(task.positions, task.seeds, strict=True)
            ),
        )


def searched_value(moves: tuple[str, ...], size: int, komi: float, player: SearchConfig, simulations: int) -> float:
    """Return Black's expected result in a position: the value of the best move of a search."""
    position = position_after(moves, size, komi)
    search = Search(player, position.game)
    search.set_position(position)
    search.run(simulations)
    value = search.moves(untried=False)[0].value
    assert value is not None
    return float(value if len(moves) % 2 == 0 else 1.0 - value)


class LabelFile:
    """A file of positions with values: a line that says how they were made, then the positions in order."""

    def __init__(
        self, path: Path, games: GameMoves, settings: LabelSettings, player: SearchConfig, board: tuple[int, float]
    ):
        """Read the file, if it exists; raise TengenError if it is of other settings. `board`: the size and the komi."""
        self.path, self.settings, self.player = path, settings, player
        self.size, self.komi = board
        self.lines = SignedLines(path, START, "a file of positions with values")
        searcher = {key: value if value != float("inf") else "inf" for key, value in settings_of(player).items()}
        made_by = {**asdict(settings), "size": self.size, "komi": self.komi, "games": games.digest, "player": searcher}
        if not self.lines.objects:
            self.lines.append([{"made_by": made_by}])
        theirs = self.lines.objects[0].get("made_by")
        if not isinstance(theirs, dict):
            raise Unreadable(f"{shortened(path, 160)} does not say how its positions were made")
        for key, value in (made_by | theirs).items():
            if theirs.get(key) != made_by.get(key, value) or key not in theirs:
                raise TengenError(
                    f"{shortened(path, 160)} was made with another {shortened(key)}: choose another file, or use its "
                    "settings"
                )
        self._sampled = sampled_positions(games, self.size, settings)
        if len(self.lines.objects) - 1 > len(self._sampled):
            raise Unreadable(f"{shortened(path, 160)} has more positions than its settings say")
        self.positions = [valued_position(one, self.size, self.komi) for one in self.lines.objects[1:]]
        if [one.moves for one in self.positions] != self._sampled[: len(self.positions)]:
            raise Unreadable(f"{shortened(path, 160)} has other positions than the games")

    @property
    def is_complete(self) -> bool:
        return len(self.positions) == len(self._sampled)

    def __len__(self) -> int:
        """The number of positions when the file is complete."""
        return len(self._sampled)

    def _tasks(self, together: int) -> Iterator[LabelTask]:
        base = mix_integer(self.settings.label_seed)
        for first in range(len(self.positions), len(self._sampled), together):
            numbers = range(first, min(first + together, len(self._sampled)))
            yield LabelTask(
                number=first,
                size=self.size,
                komi=self.komi,
                positions=tuple(self._sampled[number] for number in numbers),
                player=self.player,
                simulations=self.settings.label_simulations,
                seeds=tuple(mix_integer(base + number) >> 32 for number in numbers),
            )

    def run(self, backend: Backend, watch: Callable[["LabelFile"], None], together: int = 8) -> None:
        """Search the positions that have no value; each task of `together` positions is stored when those before are.

        The values do not depend on the number of workers, or on interrupts.
        """
        waiting: dict[int, LabelResult] = {}
        for done in backend.run(LabelWorker, self._tasks(together)):
            if done.error:
                raise TengenError(f"a worker failed: {shortened(done.error.strip().splitlines()[-1], 200)}")
            waiting[done.result.number] = done.result
            while len(self.positions) in waiting:
                self._store(waiting.pop(len(self.positions)))
                watch(self)

    def _store(self, result: LabelResult) -> None:
        first = result.number
        found = [
            ValuedPosition(self._sampled[number], round(value, 6)) for number, value in enumerate(result.values, first)
        ]
        self.lines.append([{"moves": moves_in_words(one.moves), "value": one.value} for one in found])
        self.positions += found
