"""Every game as an environment of PettingZoo (AEC: the agents act in turn).

from tengen.adapters import pettingzoo_env
env = pettingzoo_env.env("go", size=9)
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.adapters import require
from tengen.adapters.board_view import BoardView
from tengen.adapters.rendering import RENDER_MODES, checked_render_mode, rendered, result_for_black
from tengen.games.catalogue import DEFAULT_GAME, make_game
from tengen.games.game import Game

if TYPE_CHECKING:
    import gymnasium
    import pettingzoo
    from pettingzoo.utils import wrappers
else:
    pettingzoo = require("pettingzoo", "environments")
    gymnasium, wrappers = require("gymnasium", "environments"), require("pettingzoo.utils.wrappers", "environments")

AGENTS = ("black_0", "white_0")
"""Black moves first in every game. The names are those of PettingZoo's own board games."""
ILLEGAL_REWARD = -1.0


def env(game: str | Game = DEFAULT_GAME, size: int | None = None, **options: Any) -> Any:
    """Return the environment of a game, with PettingZoo's wrappers.

    An illegal action ends the game: the agent gets -1 and its opponent 0 (TerminateIllegalWrapper).
    """
    made: Any = wrappers.TerminateIllegalWrapper(raw_env(game, size, **options), illegal_reward=ILLEGAL_REWARD)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(pettingzoo.AECEnv):  # type: ignore[misc]
    """The environment of a game, without wrappers. An illegal action raises IllegalMove."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in the class above
        "render_modes": list(RENDER_MODES),
        "name": "tengen_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, game: str | Game = DEFAULT_GAME, size: int | None = None, render_mode: str | None = None, **options: Any
    ):
        """`game` is a game, or the name of one, with `size` and the game's other options."""
        super().__init__()
        self.game = make_game(game, size, **options) if isinstance(game, str) else game
        self.render_mode = checked_render_mode(render_mode)
        self.metadata = {**self.metadata, "name": f"tengen_{self.game.name}_v0"}
        self.view = BoardView(self.game)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        spaces = [self.view.spaces(gymnasium.spaces) for _ in AGENTS]
        self.observation_spaces = {agent: both[0] for agent, both in zip(AGENTS, spaces, strict=True)}
        self.action_spaces = {agent: both[1] for agent, both in zip(AGENTS, spaces, strict=True)}
        self.position = self.game.start()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Games have no chance, so the seed has no effect."""
        self.position = self.game.start()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self._agent_to_move

    @property
    def _agent_to_move(self) -> str:
        return AGENTS[self.position.state.to_play]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return self.view.observation(self.position, AGENTS.index(agent))

    def step(self, action: Any) -> None:
        """Play an action; `None` for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.position.play(self.view.move_of(action))
        self._clear_rewards()
        if self.position.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
            result = result_for_black(self.position.winner)
            self.rewards = dict(zip(AGENTS, (result, -result), strict=True))
        elif self.position.moves_played >= self.game.longest_playout:
            self.truncations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)] if self.position.is_over else self._agent_to_move
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the board as text (ansi) or pixels (rgb_array), or print it (human)."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        pass
