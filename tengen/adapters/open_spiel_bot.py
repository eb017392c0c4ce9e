"""The players of this package as bots of OpenSpiel.

game = pyspiel.load_game("go(board_size=9)")
bots = [TengenBot(game, "mc-rave:simulations=1000"), pyspiel.MCTSBot(...)]
evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random)
"""

from typing import TYPE_CHECKING, Any

from tengen.adapters import require
from tengen.adapters.open_spiel_names import action_of, game_for, move_of
from tengen.composed_config import settings_of
from tengen.errors import TengenError
from tengen.games.player import RESIGN
from tengen.players import PlayerSpec, parse_player

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = require("pyspiel", "open-spiel")


class TengenBot(pyspiel.Bot):  # type: ignore[misc]
    """A player as a bot: for Go, Othello and Havannah by this package's own rules, else by OpenSpiel's, which is slow.

    The bot plays either side. The moves so far are read from the state that it is asked about, so that it may be asked
    about any state of its game; from one move to the next it keeps the tree of its search.
    """

    def __init__(self, game: Any, player: str | PlayerSpec = "", *, seed: int | None = None):
        """`game` is OpenSpiel's; the default player is that of the game here, and it never resigns.

        `seed` begins the random numbers of the player. Raises TengenError if the game or the player does not fit.
        """
        super().__init__()
        self.game = game_for(game)
        spec = parse_player(player or self.game.default_player) if isinstance(player, str) else player
        spec = spec.on(self.game)
        if "resign" in settings_of(spec.config):
            spec = spec.with_settings(resign=0.0)
        self.player = spec.make(self.game)
        if seed is not None:
            self.player.new_game(seed)
        self.position, self._actions = self.game.start(), list[int]()

    def restart(self) -> None:
        """Forget the last game."""
        self.player.new_game()
        self._begin()

    def restart_at(self, state: Any) -> None:
        """Forget the last game, and continue from a state."""
        self.restart()
        self._follow(state.history())

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Take note of another player's action in a state."""
        self._follow([*state.history(), action])

    def provides_force_action(self) -> bool:
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Take note of an action that is played instead of the bot's."""
        self._follow([*state.history(), action])

    def step(self, state: Any) -> int:
        """Return the action to play in a state."""
        self._follow(state.history())
        move = self.player.choose_number(self.position)
        if move == RESIGN:
            raise TengenError(f"the player of {self.game.name} resigned, which bots of OpenSpiel cannot")
        return action_of(self.position, move)

    def _begin(self) -> None:
        self.position, self._actions = self.game.start(), []

    def _follow(self, actions: list[int]) -> None:
        """Set the position after these actions of OpenSpiel."""
        if actions[: len(self._actions)] != self._actions:
            self._begin()
        for action in actions[len(self._actions) :]:
            for move in self._forced_passes():
                self.position.play(move)
            self.position.play(move_of(self.position, action))
        self._actions = list(actions)
        for move in self._forced_passes():
            self.position.play(move)

    def _forced_passes(self) -> list[int]:
        """Return the pass of a side that must wait, which OpenSpiel does not play, since the other one moves again."""
        forced = getattr(self.game, "forced_pass", None)
        return [] if forced is None or self.position.is_over or not self.position.is_legal(forced) else [forced]
