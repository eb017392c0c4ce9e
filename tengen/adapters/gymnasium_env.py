"""Every game as an environment of Gymnasium, in which the opponent of the agent is any player of this package.

import gymnasium
from tengen.adapters import gymnasium_env     # registers tengen/Go-9-v0 and so on
env = gymnasium.make("tengen/Go-9-v0", opponent="mc-rave:simulations=100", colour="random")
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.adapters import require
from tengen.adapters.board_view import BoardView
from tengen.adapters.rendering import RENDER_MODES, checked_render_mode, rendered, result_for_black
from tengen.errors import TengenError, shortened
from tengen.games.catalogue import DEFAULT_GAME, game_class, game_names, make_game
from tengen.games.errors import IllegalMove
from tengen.games.game import COLOURS, Game
from tengen.games.player import RESIGN
from tengen.players import PlayerSpec, parse_player

if TYPE_CHECKING:
    import gymnasium
else:
    gymnasium = require("gymnasium", "environments")

ANY_COLOUR = "random"
ILLEGAL = ("loss", "error")
"""What an illegal action does."""
MOST_SEED = 2**31
VERSION = "v0"


class GameEnv(gymnasium.Env[dict[str, np.ndarray], Any]):
    """A game of the agent against a player. A step plays the agent's move and the opponent's answer.

    The reward is 1 for a win, -1 for a loss and 0 otherwise, also for a draw.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as in the base

    def __init__(
        self,
        game: str | Game = DEFAULT_GAME,
        size: int | None = None,
        *,
        opponent: str | PlayerSpec = "random",
        colour: str = "black",
        illegal: str = "loss",
        render_mode: str | None = None,
        **options: Any,
    ):
        """Raises TengenError if a value is not accepted.

        game      a game, or the name of one, with `size` and the game's other options
        opponent  description of a player
        colour    the agent's: black (it moves first), white, or random in each game
        illegal   what an illegal action does: 'loss' ends the game with the reward -1, 'error' raises IllegalMove
        """
        if colour not in (*COLOURS, ANY_COLOUR):
            raise TengenError(f"unknown colour {shortened(colour)}; choose from: {', '.join((*COLOURS, ANY_COLOUR))}")
        if illegal not in ILLEGAL:
            raise TengenError(f"illegal cannot be {shortened(illegal)}; choose from: {', '.join(ILLEGAL)}")
        self.game = make_game(game, size, **options) if isinstance(game, str) else game
        self.render_mode, self.colour, self.illegal = checked_render_mode(render_mode), colour, illegal
        self.opponent = (parse_player(opponent) if isinstance(opponent, str) else opponent).make(self.game)
        self.view = BoardView(self.game)
        self.observation_space, self.action_space = self.view.spaces(gymnasium.spaces)
        self.position = self.game.start()
        self.own_colour = 0
        """The agent's colour in this game: 0 Black, 1 White."""
        self._has_ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin a game; the opponent moves first if the agent is White. A seed determines colours and opponent."""
        super().reset(seed=seed)
        self.position, self._has_ended = self.game.start(), False
        drawn = int(self.np_random.integers(2))
        self.own_colour = drawn if self.colour == ANY_COLOUR else COLOURS.index(self.colour)
        self.opponent.new_game(int(self.np_random.integers(MOST_SEED)))
        self._let_opponent_move()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Play the agent's move and the opponent's answer.

        Raises TengenError after the end of the game, and IllegalMove with `illegal="error"`.
        """
        if self._has_ended:
            raise TengenError("the game is over: call reset")
        try:
            self.position.play(self.view.move_of(action))
        except IllegalMove:
            if self.illegal == "error":
                raise
            return self._ended(-1.0, illegal_move=True)
        if self._let_opponent_move() == RESIGN:
            return self._ended(1.0, resigned=True)
        if self.position.is_over:
            result = result_for_black(self.position.winner)
            return self._ended(-result if self.own_colour else result)
        if self.position.moves_played >= self.game.longest_playout:
            self._has_ended = True
            return self._observation(), 0.0, False, True, self._info()
        if self.render_mode == "human":
            self.render()
        return self._observation(), 0.0, False, False, self._info()

    def _ended(self, reward: float, **about: bool) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        self._has_ended = True
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, True, False, {**self._info(), **about}

    def _let_opponent_move(self) -> int | None:
        """Play the opponent's moves, if it is to move; return the last one, or RESIGN."""
        move = None
        while not self.position.is_over and self.position.state.to_play != self.own_colour:
            move = self.opponent.choose_number(self.position)
            if move == RESIGN:
                return move
            self.position.play(move)
        return move

    def _observation(self) -> dict[str, np.ndarray]:
        return self.view.observation(self.position, self.own_colour)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "colour": COLOURS[self.own_colour]}

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal, as True and False; MaskablePPO of sb3-contrib calls this method."""
        is_to_move = self.position.state.to_play == self.own_colour and not self._has_ended
        return (self.view.mask(self.position) * is_to_move).astype(bool)

    def render(self) -> Any:
        """Return the board as text (ansi) or pixels (rgb_array), or print it (human)."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """End the program behind the opponent, if it is a GTP engine."""
        if hasattr(self.opponent, "close"):
            self.opponent.close()


def register_games() -> list[str]:
    """Register the environments of all games known so far with Gymnasium; return the new ids.

    `tengen/Go-9-v0` is Go on 9x9; `tengen/Go-v0` takes `size`. Called by the import of this module, and again by users
    who load a game from a plugin.
    """
    made = []
    for name in game_names():
        kind = game_class(name)
        title = kind.__name__
        sizes: list[int | None] = [None, *(kind.board_size.values if kind.board_size else ())]
        for size in sizes:
            identity = f"tengen/{title}-{VERSION}" if size is None else f"tengen/{title}-{size}-{VERSION}"
            if identity not in gymnasium.registry:
                gymnasium.register(identity, f"{__name__}:GameEnv", kwargs={"game": name, "size": size})
                made.append(identity)
    return made


register_games()
