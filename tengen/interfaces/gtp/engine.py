"""The player that thinks for a session, and what it can tell of its thoughts."""

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
"""For who owns what at the end: a point's share is then known to 1/20, in a few milliseconds on 9x9."""

SENSIBLE, UNIFORM = SearchConfig(policy="mogo"), SearchConfig(policy="uniform")
"""The playouts that tell which stones are alive, whoever plays."""


def _settled(config: SearchConfig, position: Position) -> dict[str, float]:
    """Who owns each point at the end, whoever begins."""
    starts = [position.copy().give_turn(colour) for colour in ("black", "white")]
    first, second = (estimate(config, start, OWNERSHIP_PLAYOUTS).ownership for start in starts)
    return {name: (first[name] + second[name]) / 2 for name in first}


class Engine:
    """One player at a time: another one is made when the rules change."""

    def __init__(
        self,
        spec: PlayerSpec,
        *,
        seconds: float = 2.0,
        ponders: bool = False,
        now: Callable[[], float] = time.perf_counter,
    ):
        """`seconds` is what a move may take if nothing else, neither a clock nor the player's own settings, says so.

        `now` tells the time in seconds.
        """
        self.spec, self.seconds, self.ponders, self.now = spec, seconds, ponders, now
        self.seed: int | None = None
        self._player: Player | None = None
        self._game: Game | None = None
        self._side: str | None = None  # the one that we have last moved for
        self._pondered: Position | None = None
        self._has_chosen = False  # and the search is still that of the choice
        self._explained: Analysis | None = None
        self.await_kernels: Callable[[PlayerSpec, Game], None] = lambda spec, game: None
        """Called before a player is made, to wait until its kernels are compiled."""

    # The player

    def player(self, game: Game) -> Player:
        """The player for a game's rules."""
        if self._player is None or self._game != game:
            self.dismiss()
            self.await_kernels(self.spec, game)
            self._player, self._game = self.spec.make(game), game
            self._player.new_game(self.seed)
        return self._player

    def searcher(self, game: Game) -> SearchingPlayer:
        """The same, if it can be looked into."""
        player = self.player(game)
        if not isinstance(player, SearchingPlayer):
            raise CommandError(f"the player {self.spec} has no thoughts to look into")
        return player

    def dismiss(self) -> None:
        """Let the player go."""
        if self._player is not None and hasattr(self._player, "close"):
            self._player.close()
        self._player = self._game = None
        self._forget_thoughts()

    def abandon(self) -> None:
        """End an engine that the player waits for, from another thread: nobody wants its answer any more."""
        kill = getattr(self._player, "kill", None)
        if kill is not None:
            kill()

    def _forget_thoughts(self) -> None:
        self._side = self._pondered = self._explained = None
        self._has_chosen = False

    def rest(self) -> None:
        """Think no more, as the game is over."""
        self._side = None

    def change(self, spec: PlayerSpec) -> None:
        """Let another player go on."""
        self.dismiss()
        self.spec = spec

    def new_game(self) -> None:
        """Forget the last game."""
        self._forget_thoughts()
        if self._player is not None:
            self._player.new_game(self.seed)

    def reseed(self, seed: int) -> None:
        """Begin the random numbers anew, here and at every new game."""
        self.seed = seed
        self.new_game()

    # Moves

    def choose_number(self, position: Position, clock: Clock | None, stopped: Callable[[], bool] = never) -> int:
        """The number of the move to play, or RESIGN; with a clock, in time; at once when stopped."""
        self._forget_thoughts()
        player = self.player(position.game)
        if not isinstance(player, SearchingPlayer):
            return player.choose_number(position, clock)
        move = player.choose_number(position, clock or self._usual_clock(position.game), stopped)
        self._side, self._has_chosen = position.to_play, True
        return move

    def _usual_clock(self, game: Game) -> Clock | None:
        """Return the clock that limits a move where neither a client nor the player's own settings do."""
        config = self.spec.on(game).config
        limited = getattr(config, "simulations", 0) or getattr(config, "seconds", 0)
        return None if limited else Clock(TimeControl(0.0, period=self.seconds))

    def clean_up(self, position: Position, clock: Clock | None, stopped: Callable[[], bool] = never) -> int:
        """Return a move as `choose_number` does, but no pass while dead stones of the other side are on the board."""
        move, passing = self.choose_number(position, clock, stopped), position.game.untracked_move
        if move != passing or not self.dead_stones(position, position.to_play):
            return move
        player = self.player(position.game)
        if not isinstance(player, SearchingPlayer):
            return move
        return next((found.number for found in player.search.moves() if found.number != passing), move)

    def explanation(self) -> Analysis | None:
        """What was found when the last move was chosen; None if there is nothing to tell."""
        return self.glimpse() if self._has_chosen else self._explained

    def glimpse(self) -> Analysis | None:
        """What the search under way, or the last one, has found so far."""
        player = self._player
        if not isinstance(player, SearchPlayer) or not player.search.simulations:
            return None
        return player.analysis(player.search.position)

    # Looking into positions

    def set_root(self, position: Position, banned: Iterable[int] = ()) -> SearchingPlayer:
        """Make a position the one to be searched; without some of its moves, if any are banned."""
        self._pondered, self._explained, self._has_chosen = None, self.explanation(), False
        player, closed = self.searcher(position.game), list(banned)
        if position.is_over:
            raise CommandError("the game is over, so there is nothing to search")
        if closed and not isinstance(player, SearchPlayer):
            raise CommandError(f"the player {self.spec} cannot leave moves out")
        player.search.set_position(position)
        if isinstance(player, SearchPlayer) and closed:
            player.search.ban(closed)
        return player

    def forget_root(self) -> None:
        """Let no later search trust a tree from which moves were banned."""
        if isinstance(self._player, SearchPlayer):
            self._player.search.forget()

    def run_for(self, seconds: float, stopped: Callable[[], bool] = never) -> bool:
        """Search the root for a time, or until stopped; False if there is nothing more to find out."""
        assert isinstance(self._player, SearchingPlayer)
        return self._player.search.run_for(seconds, stopped, self.now)

    def estimate(self, position: Position, playouts: int = OWNERSHIP_PLAYOUTS) -> Estimate:
        """What playouts by this player's policy say of a position."""
        config = self.spec.on(position.game).config
        return estimate(config if hasattr(config, "policy") else UNIFORM, position, playouts)

    def statuses(self, position: Position) -> dict[str, str]:
        """For each stone 'alive', 'dead' or 'seki', by playouts in which either side begins."""
        return position.statuses(_settled(SENSIBLE, position), _settled(UNIFORM, position))

    def dead_stones(self, position: Position, enemy_of: str) -> list[str]:
        """The dead stones of the other side."""
        dead = [stone for stone, status in self.statuses(position).items() if status == "dead"]
        return [stone for stone in dead if position.colour_at(stone) != enemy_of]

    # Thinking in the other side's time

    def ponder(self, position: Position, stopped: Callable[[], bool]) -> bool:
        """Think for a moment about a position in which the other side is to move; False if that is of no use."""
        if not self.ponders or position.is_over or self._side in (None, position.to_play):
            return False
        if not isinstance(self._player, SearchPlayer) or self._game != position.game:
            return False
        if self._pondered != position:
            self.set_root(position)
            self._pondered = position.copy()
        return self.run_for(SLICE, stopped)

    def set(self, key: str, text: str) -> None:
        """Change one setting of the player, written as in the grammar of players; 0 and 1 also say false and true."""
        if isinstance(getattr(self.spec.config, key, None), bool):
            text = {"0": "false", "1": "true"}.get(text, text)
        self.change(self.spec.with_setting(key, text))
