"""`ManyGames`: games between tree searches, thousands at once, on a GPU.

A game has one tree for each side. The games of each pairing are divided into groups: while the GPU searches the
positions of some, Python plays the moves of another. A finished game is replaced by the next one at once. If there is
memory for it, all games of a group have the same entrant to move, so that none waits for the other's searches.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from tengen.arena.match import GameInProgress
from tengen.arena.plans import RULES, Conditions, Entrant, Plan
from tengen.errors import TengenError
from tengen.games.game import COLOURS, Game, Position
from tengen.games.player import Player
from tengen.jit.devices import open_device
from tengen.parallel import Done
from tengen.progress import say
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig
from tengen.search.many import ManySearch, bytes_per_tree, local_bytes, usable_memory
from tengen.search.search import MOST_SIMULATIONS, compose
from tengen.search.search_player import TreePlayer

GROUPS = 8
"""Groups into which the games of a single pairing are divided; those of several have fewer each, but two."""
POLLING_SECONDS = 0.0002
"""Seconds between two looks at the device while all groups are being searched."""
MESSAGE_SECONDS = 10.0
"""Seconds between two messages about the games in progress."""


class ManyGames:
    """The backend `gpu` of matches and tournaments. Games have the same numbers, seeds and records as elsewhere."""

    def __init__(self, at_once: int = 0, device: str = "gpu", now: Callable[[], float] = time.perf_counter):
        """Play `at_once` games at the same time, 0 for as many as the device has memory for.

        Raises TengenError if there is no such device.
        """
        self.at_once, self._device, self._now = at_once, device, now
        open_device(device)

    def play(self, plans: Iterable[Plan]) -> Iterator[Done]:
        """Play games and yield them as they end. Raises TengenError for players that a GPU cannot run."""
        waiting: dict[str, deque[Plan]] = {}
        for plan in plans:
            waiting.setdefault(plan.pairing, deque()).append(plan)
        groups = self._arrange(list(waiting.values()))
        progress = _Progress(self._now)
        for tables in groups:
            tables.start()
        while any(tables.is_busy for tables in groups):
            ready = [tables for tables in groups if tables.is_ready]
            for tables in ready:
                for game in tables.finish():
                    yield Done(game.plan, game.result())
                tables.start()
            if not ready:
                time.sleep(POLLING_SECONDS)
            progress.show(groups)

    def _arrange(self, waiting: "list[deque[Plan]]") -> "list[_Tables]":
        """Return the tables of all groups, as far as there are games and memory."""
        memory = [_bytes_per_game(games[0]) for games in waiting]
        budget = usable_memory(open_device(self._device), max((_local_bytes(games[0]) for games in waiting), default=0))
        wanted = sum(map(len, waiting))
        needed = sum(len(games) * size for games, size in zip(waiting, memory, strict=True))
        share = min(1.0, budget / max(1, needed), (self.at_once or wanted) / max(1, wanted))
        counts = [max(1, int(share * len(games))) for games in waiting]
        if sum(count * size for count, size in zip(counts, memory, strict=True)) > budget:
            raise TengenError(
                f"one game of each pairing needs {sum(memory) / 1e9:.1f} GB, more than the device has: "
                "use fewer simulations, fewer pairings or reuse=false"
            )
        groups = max(2, GROUPS // max(1, len(waiting)))
        return [
            _Tables(games, (count + group) // groups, group, self._device, self._now, crowd=sum(counts))
            for group in range(groups)
            for games, count in zip(waiting, counts, strict=True)
            if (count + group) // groups
        ]


def search_config(entrant: Entrant, game: Game) -> SearchConfig:
    """Return the config of an entrant on a GPU. Raises TengenError if it is not a search limited by simulations."""
    config = entrant.spec.on(game).config
    if not isinstance(config, SearchConfig):
        raise TengenError(f"the backend gpu plays tree searches only, and {entrant.name} is none")
    if config.seconds:
        raise TengenError(
            f"the backend gpu limits searches by simulations: {entrant.name} has seconds={config.seconds:g}"
        )
    return config


def _check(conditions: Conditions) -> None:
    """Raise TengenError for conditions that the backend cannot meet."""
    if conditions.clock is not None:
        raise TengenError("the backend gpu plays without clocks: limit the players by simulations")
    if conditions.referee != RULES:
        raise TengenError("the backend gpu counts games by the rules: it has no other referee")


def _bytes_per_game(plan: Plan) -> float:
    """Return the memory of a game: a tree for each side, or, without subtree reuse, for the side to move."""
    _check(plan.conditions)
    game, total = plan.conditions.game, 0.0
    for entrant in (plan.black, plan.white):
        config = search_config(entrant, game)
        total += bytes_per_tree(config, game) * (1.0 if config.reuse else 0.5)
    return total


def _local_bytes(plan: Plan) -> int:
    """Return the temporary memory of a thread that searches a tree of the side that needs more."""
    game = plan.conditions.game
    return max(local_bytes(compose(search_config(one, game), game)) for one in (plan.black, plan.white))


class _DevicePlayer(TreePlayer):
    """A side of one table: the player that reads one tree of a ManySearch."""

    def __init__(self, many: ManySearch, tree: int):
        super().__init__(many.config, many.game)
        self._many, self._tree = many, tree

    def new_game(self, seed: int | None = None) -> None:
        super().new_game(seed)
        self._many.forget(self._tree)
        if seed is not None:
            self._many.reseed(self._tree, seed)

    def best_after_search(self, position: Position) -> int:
        """Return the number of the move to play, or RESIGN, by the search that has finished."""
        self.search = self._many.search(self._tree)
        return self.best_number(position)


class _Tables:
    """Tables at which a group of the games of one pairing are played, and the searches of both entrants for them.

    `crowd` is the number of games at the tables of all groups.
    """

    def __init__(self, waiting: deque[Plan], count: int, group: int, device: str, now: Callable[[], float], crowd: int):
        self._waiting, self._now, plan = waiting, now, waiting[0]
        self._first = (plan.black, plan.white)[group % 2].name
        self._games: list[GameInProgress | None] = [None] * count
        self._sides = {
            entrant.name: _side(entrant, plan.conditions.game, count, device, crowd)
            for entrant in (plan.black, plan.white)
        }
        self._players = {
            name: [_DevicePlayer(many, table) for table in range(count)] for name, many in self._sides.items()
        }
        self._searched: list[tuple[ManySearch, list[int]]] = []
        self._began = 0.0
        self.moves = 0
        """Number of moves played so far."""

    @property
    def is_busy(self) -> bool:
        """Whether a search is under way."""
        return bool(self._searched)

    @property
    def is_ready(self) -> bool:
        """Whether `finish` would not have to wait for the device."""
        return self.is_busy and all(many.is_done for many, _ in self._searched)

    @property
    def games(self) -> int:
        """Number of games in progress."""
        return sum(game is not None for game in self._games)

    def start(self) -> None:
        """Begin the next games at free tables, and the searches of the positions of all games.

        Of more positions than a side has memory for, some are searched the next time.
        """
        to_move = self._tables_by_side()
        if self._waiting and None in self._games:
            first = max(to_move, key=lambda name: len(to_move[name])) if any(to_move.values()) else self._first
            for table, game in enumerate(self._games):
                if game is None and self._waiting:
                    self._games[table] = self._begin(table, self._next_plan(first))
            to_move = self._tables_by_side()
        self._began = self._now()
        self._searched = []
        for name, tables in to_move.items():
            many = self._sides[name]
            chosen = sorted(tables, key=self._moves_played)[: many.at_once]
            for table in chosen:
                many.set_position(table, self._game(table).position)
            if chosen:
                many.start(chosen, min(MOST_SIMULATIONS, many.config.simulations or DEFAULT_SIMULATIONS))
                self._searched.append((many, chosen))

    def _tables_by_side(self) -> dict[str, list[int]]:
        """Return the tables of the games in progress, by the entrant to move."""
        found: dict[str, list[int]] = {name: [] for name in self._sides}
        for table, game in enumerate(self._games):
            if game is not None and not game.is_over():
                found[_side_name(game)].append(table)
        return found

    def _next_plan(self, first: str) -> Plan:
        """Return the next game that an entrant begins, if there is one and both sides can search all tables."""
        if all(many.at_once == many.trees for many in self._sides.values()):
            for place, plan in enumerate(self._waiting):
                if _first_to_move(plan) == first:
                    del self._waiting[place]
                    return plan
        return self._waiting.popleft()

    def _begin(self, table: int, plan: Plan) -> GameInProgress:
        entrants = {"black": plan.black.name, "white": plan.white.name}
        players: dict[str, Player] = {colour: self._players[entrants[colour]][table] for colour in COLOURS}
        return GameInProgress(plan, players, self._now)

    def _game(self, table: int) -> GameInProgress:
        game = self._games[table]
        assert game is not None
        return game

    def _moves_played(self, table: int) -> int:
        return self._game(table).position.moves_played

    def finish(self) -> Iterator[GameInProgress]:
        """Wait for the searches, play their moves, and yield the games that have ended."""
        for many, tables in self._searched:
            many.finish()
            seconds = self._now() - self._began
            for table in tables:
                game = self._game(table)
                player = game.player
                assert isinstance(player, _DevicePlayer)
                game.play(player.best_after_search(game.position), seconds)
                self.moves += 1
        self._searched = []
        for table, over in enumerate(self._games):
            if over is not None and over.is_over():
                self._games[table] = None
                yield over


def _side(entrant: Entrant, game: Game, tables: int, device: str, crowd: int) -> ManySearch:
    """Return the searches of one entrant at all tables; without subtree reuse, with memory for half of them."""
    return ManySearch(search_config(entrant, game), game, tables, device, at_once=(tables + 1) // 2, crowd=crowd)


def _first_to_move(plan: Plan) -> str:
    """Return the name of the entrant to move after the opening."""
    return (plan.black, plan.white)[len(plan.opening) % 2].name


def _side_name(game: GameInProgress) -> str:
    """Return the name of the entrant to move."""
    entrant: Entrant = getattr(game.plan, game.position.to_play)
    return entrant.name


class _Progress:
    """Messages about the games in progress, since the first ones may take minutes."""

    def __init__(self, now: Callable[[], float]):
        self._now, self._began, self._said = now, now(), now()

    def show(self, groups: list[_Tables]) -> None:
        """Print a line on standard error, at most every MESSAGE_SECONDS."""
        now = self._now()
        if now - self._said < MESSAGE_SECONDS:
            return
        self._said = now
        games, moves = sum(one.games for one in groups), sum(one.moves for one in groups)
        say(f"{games:,} games in progress, {moves:,} moves played, {moves / (now - self._began):,.0f} per second")
