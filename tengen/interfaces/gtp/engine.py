"""The player of a session: its moves, its analysis, and pondering."""

import time
from collections.abc import Callable, Iterable

from tengen.games.clock import Clock, TimeControl
from tengen.games.game import Game, Position
from tengen.games.player import Player
from tengen.interfaces.gtp.protocol import CommandError
from tengen.players import PlayerSpec
from tengen.search.analysis import Analysis
from tengen.search.config import SearchConfig
from tengen.search.estimate import Estimate, estimate
from tengen.search.search_player import SearchingPlayer, SearchPlayer
from tengen.search.time_management import SLICE, never

OWNERSHIP_PLAYOUTS = 500
"""Playouts for ownership: exact to 1/20 per point, in a few milliseconds on 9x9."""

MOGO, UNIFORM = SearchConfig(policy="mogo"), SearchConfig(policy="uniform")
"""Configs of the playouts that determine which stones are alive, for every player."""


def _final_ownership(config: SearchConfig, position: Position) -> dict[str, float]:
    """Return the mean ownership of each point at the end, over playouts in which either side begins."""
    starts = [position.copy().give_turn(colour) for colour in ("black", "white")]
    first, second = (estimate(config, start, OWNERSHIP_PLAYOUTS).ownership for start in starts)
    return {name: (first[name] + second[name]) / 2 for name in first}


class Engine:
    """Holds one player; a new one is created when the rules change."""

    def __init__(
        self,
        spec: PlayerSpec,
        *,
        seconds: float = 2.0,
        ponders: bool = False,
        now: Callable[[], float] = time.perf_counter,
    ):
        """Create an engine that searches `seconds` per move unless a clock or the player's settings limit it.

        `now` returns the time in seconds.
        """
        self.spec, self.seconds, self.ponders, self.now = spec, seconds, ponders, now
        self.seed: int | None = None
        self._player: Player | None = None
        self._game: Game | None = None
        self._side: str | None = None  # the side of the last chosen move
        self._pondered: Position | None = None
        self._has_chosen = False  # and the search has not been changed since
        self._explained: Analysis | None = None
        self.await_kernels: Callable[[PlayerSpec, Game], None] = lambda spec, game: None
        """Called before a player is created, to wait until its kernels are compiled."""

    # The player

    def player(self, game: Game) -> Player:
        """Return the player for a game's rules."""
        if self._player is None or self._game != game:
            self.dismiss()
            self.await_kernels(self.spec, game)
            self._player, self._game = self.spec.make(game), game
            self._player.new_game(self.seed)
        return self._player

    def searcher(self, game: Game) -> SearchingPlayer:
        """Return the player for a game's rules. Raises CommandError if it does not support analysis."""
        player = self.player(game)
        if not isinstance(player, SearchingPlayer):
            raise CommandError(f"player {self.spec} does not support analysis")
        return player

    def dismiss(self) -> None:
        """Close the player."""
        if self._player is not None and hasattr(self._player, "close"):
            self._player.close()
        self._player = self._game = None
        self._forget_analysis()

    def abandon(self) -> None:
        """Kill an external engine that the player waits for, from another thread, since the client has gone."""
        kill = getattr(self._player, "kill", None)
        if kill is not None:
            kill()

    def _forget_analysis(self) -> None:
        self._side = self._pondered = self._explained = None
        self._has_chosen = False

    def rest(self) -> None:
        """Stop pondering, as the game is over."""
        self._side = None

    def change(self, spec: PlayerSpec) -> None:
        """Replace the player."""
        self.dismiss()
        self.spec = spec

    def new_game(self) -> None:
        """Discard the state of the last game."""
        self._forget_analysis()
        if self._player is not None:
            self._player.new_game(self.seed)

    def reseed(self, seed: int) -> None:
        """Set the seed of the random numbers, for now and for every new game."""
        self.seed = seed
        self.new_game()

    # Moves

    def choose_number(self, position: Position, clock: Clock | None, stopped: Callable[[], bool] = never) -> int:
        """Return the number of the move to play, or RESIGN, within the clock's time; at once when stopped."""
        self._forget_analysis()
        player = self.player(position.game)
        if not isinstance(player, SearchingPlayer):
            return player.choose_number(position, clock)
        move = player.choose_number(position, clock or self._usual_clock(position.game), stopped)
        self._side, self._has_chosen = position.to_play, True
        return move

    def _usual_clock(self, game: Game) -> Clock | None:
        """Return the clock that limits a move if neither the client nor the player's settings do."""
        config = self.spec.on(game).config
        limited = getattr(config, "simulations", 0) or getattr(config, "seconds", 0)
        return None if limited else Clock(TimeControl(0.0, period=self.seconds))

    def clean_up(self, position: Position, clock: Clock | None, stopped: Callable[[], bool] = never) -> int:
        """Return a move like `choose_number`, but no pass while dead stones of the opponent are on the board."""
        move, passing = self.choose_number(position, clock, stopped), position.game.untracked_move
        if move != passing or not self.dead_stones(position, position.to_play):
            return move
        player = self.player(position.game)
        if not isinstance(player, SearchingPlayer):
            return move
        return next((found.number for found in player.search.moves() if found.number != passing), move)

    def explanation(self) -> Analysis | None:
        """Return the analysis of the last chosen move; None if there is none."""
        return self.glimpse() if self._has_chosen else self._explained

    def glimpse(self) -> Analysis | None:
        """Return the analysis of the running or last search; None if there is none."""
        player = self._player
        if not isinstance(player, SearchPlayer) or not player.search.simulations:
            return None
        return player.analysis(player.search.position)

    # Analysis of positions

    def set_root(self, position: Position, banned: Iterable[int] = ()) -> SearchingPlayer:
        """Make a position the root of the search, without the banned moves."""
        self._pondered, self._explained, self._has_chosen = None, self.explanation(), False
        player, closed = self.searcher(position.game), list(banned)
        if position.is_over:
            raise CommandError("the game is over: there is no position to search")
        if closed and not isinstance(player, SearchPlayer):
            raise CommandError(f"player {self.spec} cannot exclude moves from its search")
        player.search.set_position(position)
        if isinstance(player, SearchPlayer) and closed:
            player.search.ban(closed)
        return player

    def forget_root(self) -> None:
        """Discard the tree after moves were banned from it."""
        if isinstance(self._player, SearchPlayer):
            self._player.search.forget()

    def run_for(self, seconds: float, stopped: Callable[[], bool] = never) -> bool:
        """Search the root for `seconds` or until stopped; return False if the search is complete."""
        assert isinstance(self._player, SearchingPlayer)
        return self._player.search.run_for(seconds, stopped, self.now)

    def estimate(self, position: Position, playouts: int = OWNERSHIP_PLAYOUTS) -> Estimate:
        """Return score and ownership of a position, estimated by playouts of this player's policy."""
        config = self.spec.on(position.game).config
        return estimate(config if hasattr(config, "policy") else UNIFORM, position, playouts)

    def statuses(self, position: Position) -> dict[str, str]:
        """Return 'alive', 'dead' or 'seki' for each stone, by playouts in which either side begins."""
        return position.statuses(_final_ownership(MOGO, position), _final_ownership(UNIFORM, position))

    def dead_stones(self, position: Position, enemy_of: str) -> list[str]:
        """Return the dead stones of the opponent of `enemy_of`."""
        dead = [stone for stone, status in self.statuses(position).items() if status == "dead"]
        return [stone for stone in dead if position.colour_at(stone) != enemy_of]

    # Pondering

    def ponder(self, position: Position, stopped: Callable[[], bool]) -> bool:
        """Search a position with the opponent to move for SLICE seconds; return False if there is nothing to ponder."""
        if not self.ponders or position.is_over or self._side in (None, position.to_play):
            return False
        if not isinstance(self._player, SearchPlayer) or self._game != position.game:
            return False
        if self._pondered != position:
            self.set_root(position)
            self._pondered = position.copy()
        return self.run_for(SLICE, stopped)

    def set(self, key: str, text: str) -> None:
        """Change one setting of the player, in the notation of player descriptions; booleans may also be 0 or 1."""
        if isinstance(getattr(self.spec.config, key, None), bool):
            text = {"0": "false", "1": "true"}.get(text, text)
        self.change(self.spec.with_setting(key, text))
