"""The functions of `import tengen`: a player for every game, an analysis in one call, and a match.

>>> import tengen
>>> position = tengen.Go(size=3).start()
>>> player = tengen.player("uct", simulations=50)
>>> player.choose(position) in position.legal_moves()
True
>>> player.analyse(position, simulations=20).simulations >= 20
True
>>> tengen.match("uct:simulations=5", "random", tengen.Othello(4), games=2).tally.games
2
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tengen.arena.limits import checked_games
from tengen.arena.match_result import MatchResult
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.runner import start_and_run
from tengen.arena.store import Store
from tengen.composed_config import ComposedConfig
from tengen.errors import TengenError, shortened
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import Game, Position
from tengen.parallel import Backend, WorkerError, cores
from tengen.parallel.in_process import InProcess
from tengen.parallel.processes import Processes
from tengen.players import BadPlayer, PlayerSpec, parse_player
from tengen.plugins import loaded_plugins
from tengen.search.analysis import Analysis
from tengen.search.search_player import Limits, SearchingPlayer

PACKAGE = str(Path(__file__).parent) + os.sep
GUARD = "if __name__ == '__main__':"


class MultiGamePlayer:
    """A player of every game: made for the game of the first position, and made anew when the game changes."""

    def __init__(self, spec: PlayerSpec, game: Game | None = None):
        self.spec = spec
        self._player: Any = None
        self._game: Game | None = None
        self._seed: int | None = None
        self._usual = Limits()
        if game is not None:
            self._made_for(game)

    def __repr__(self) -> str:
        return f"tengen.player({str(self.spec)!r})"

    def choose(
        self,
        position: Position,
        clock: Clock | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> str:
        """Return the move to play in the game's notation, or 'resign'.

        `simulations` and `seconds` limit this search in place of the player's own limits; `clock`, that of the side to
        move, limits it besides. The first limit that is reached ends the search. Raises TengenError if the game is
        over, or if a player that does not search is given simulations or seconds.
        """
        move: str = self._limited(position.game, simulations, seconds).choose(position, clock)
        return move

    def analyse(
        self,
        position: Position,
        playouts: int = 0,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> Analysis:
        """Search a position and return what was found; with playouts, also who owns what at the end.

        The limits are those of `choose`. Raises BadPlayer if the player does not search.
        """
        player = self._made_for(position.game)
        if not isinstance(player, SearchingPlayer):
            raise BadPlayer(f"player {self.spec} does not support analysis; use one that searches, such as mc-rave")
        self._limited(position.game, simulations, seconds)
        return player.analyse(position, playouts)

    def new_game(self, seed: int | None = None) -> None:
        """Forget the last game; with a seed, begin the random numbers anew."""
        self._seed = seed
        if self._player is not None:
            self._player.new_game(seed)

    def close(self) -> None:
        """End the program behind the player, if it is a GTP engine. The next call starts it again."""
        if hasattr(self._player, "close"):
            self._player.close()
        self._player = self._game = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _made_for(self, game: Game) -> Any:
        """Return the player for a game."""
        if self._player is None or self._game != game:
            self.close()
            self._player, self._game = self.spec.make(game), game
            if self._seed is not None:
                self._player.new_game(self._seed)
            if isinstance(self._player, SearchingPlayer):
                self._usual = self._player.limits
        return self._player

    def _limited(self, game: Game, simulations: int | None, seconds: float | None) -> Any:
        """Return the player for a game with these limits, or with its own where none are given."""
        player = self._made_for(game)
        given = _limits(simulations, seconds)
        if isinstance(player, SearchingPlayer):
            player.limits = given or self._usual
        elif given is not None:
            raise TengenError(f"simulations and seconds have no effect on player {self.spec}, which does not search")
        return player


def _limits(simulations: int | None, seconds: float | None) -> Limits | None:
    """Return the limits of one search; None if none are given. Raises TengenError if one is not positive."""
    if simulations is None and seconds is None:
        return None
    if simulations is not None and (type(simulations) is not int or simulations < 1):
        raise TengenError(f"simulations must be an integer >= 1, not {shortened(simulations)}")
    if seconds is not None and not (type(seconds) in (int, float) and 0.0 < seconds < float("inf")):
        raise TengenError(f"seconds must be a number > 0, not {shortened(seconds)}")
    return Limits(simulations or 0, float(seconds or 0.0))


def _spec(description: str | PlayerSpec, settings: dict[str, Any]) -> PlayerSpec:
    spec = parse_player(description) if isinstance(description, str) else description
    return spec.with_settings(**settings)


def player(description: str | PlayerSpec, *, game: Game | None = None, **settings: Any) -> MultiGamePlayer:
    """Return a player by its description, such as "mc-rave" or "uct:exploration=0.7", for every game that it knows.

    Settings may be keyword arguments, as in `player("mc-rave", seconds=1)`; `tengen players NAME` lists those of a
    player. With `game`, the player is made at once and not at its first move. Raises BadPlayer or TengenError, with the
    accepted values, if the description or a setting is wrong.
    """
    return MultiGamePlayer(_spec(description, settings), game)


def analyse(
    position: Position, player: str | PlayerSpec | None = None, *, playouts: int = 0, **settings: Any
) -> Analysis:
    """Search a position by a new player and return what was found; with playouts, also who owns what at the end.

    The default is the default player of the position's game. Settings are those of `player`, as in
    `analyse(position, "tengen", simulations=5000)`.
    """
    spec = _spec(position.game.default_player if player is None else player, settings)
    return MultiGamePlayer(spec).analyse(position, playouts)


def match(
    first: str | PlayerSpec,
    second: str | PlayerSpec,
    game: Game,
    games: int = 100,
    *,
    workers: int = 1,
    seed: int = 1,
    store: str | Path | None = None,
    clock: TimeControl | str | None = None,
    random_moves: int = 0,
    openings: Iterable[str] = (),
    progress: bool = False,
) -> MatchResult:
    """Play a match of two players, colours alternating, and return its games and what they say.

    workers       1: play in this process; more: play as many games at a time in worker processes; 0: one for each core.
                  The same seed gives the same games with any number of them, if no time limits the searches
    store         a file of games, which is created if it does not exist; games that are in it are not played again
    clock         the time of each side, such as "1m+2s"
    random_moves  random moves before each pair of games
    openings      or moves separated by spaces, as in "E5 C3", for each pair of games
    progress      show progress on standard error

    Raises TengenError if a player cannot be made for the game, or if a game could not be played.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):  # as multiprocessing itself finds it
        raise TengenError(f"match is called while a worker process imports the script: call it under {GUARD}")
    if not isinstance(game, Game):
        raise TengenError(f"the game of a match is an object such as Go(9), not {shortened(game)}")
    conditions = Conditions(
        game=game,
        clock=TimeControl.parse(clock) if isinstance(clock, str) else clock,
        openings=tuple(openings),
        random_moves=random_moves,
        seed=seed,
    )
    pairing = Pairing(*Entrant.pair(_spec(first, {}), _spec(second, {})), conditions, checked_games(games))
    start = _backend(pairing, workers)
    with Store(":memory:" if store is None else store) as kept:
        _play(pairing, kept, start, progress)
        played = [one for one in kept.games(pairing.name) if one.number < games]
    return MatchResult.of(pairing.first.name, pairing.second.name, played, game)


def _play(pairing: Pairing, store: Store, start: Callable[[], AbstractContextManager[Backend]], progress: bool) -> None:
    """Play the games of a pairing that a store does not have. Raises TengenError if one could not be played."""
    view = None
    if progress:
        from tengen.arena.live import LiveView

        view = LiveView([pairing], store.tallies())
    try:
        run = start_and_run([pairing], store, start, view=view)
    except WorkerError as error:
        if not _needs_main(pairing):
            raise
        raise TengenError(
            f"{error}; workers import the script that defines the game or a part of a player, so it must call match "
            f"under {GUARD}"
        ) from None
    if run.failures:
        _, reason = run.failures[0]
        raise TengenError(f"{len(run.failures)} of {run.total} games could not be played: {reason.strip()}")


def _backend(pairing: Pairing, workers: int) -> Callable[[], AbstractContextManager[Backend]]:
    """Return what starts the backend of a match."""
    if type(workers) is not int or workers < 0:
        raise TengenError(f"workers must be an integer >= 0, not {shortened(workers)}")
    count = workers or cores()
    if count == 1:
        return InProcess
    imports_main = _needs_main(pairing)
    if imports_main and not hasattr(sys.modules["__main__"], "__file__"):
        raise TengenError(
            "worker processes cannot import a game or a part of a player that is defined in an interactive session: "
            "load it from a file with tengen.load_plugin, or use workers=1"
        )
    return lambda: Processes(count, imports_main=imports_main)


def _needs_main(pairing: Pairing) -> bool:
    """Return whether workers must import the running script, as it defines the game or parts of the players.

    They find by themselves what belongs to the package, to plugins, or, for a game, to a module.
    """
    game = pairing.conditions.game
    configs = [entrant.spec.on(game).config for entrant in (pairing.first, pairing.second)]
    sources = {part.source for config in configs if isinstance(config, ComposedConfig) for part in config.parts()}
    known = loaded_plugins()
    return type(game).__module__ == "__main__" or any(
        not source.startswith(PACKAGE) and source not in known for source in sources
    )
