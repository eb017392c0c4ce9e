"""The default policies and priors by the names that players give them."""

from typing import Any

import numpy as np

from tengen.games.game import Game
from tengen.jit import record_of
from tengen.options import BY_VARIANCE
from tengen.policies.go.knowledge import KNOWLEDGE, MOGO_PRIOR
from tengen.policies.go.mogo import MOGO
from tengen.policies.go.shape_weights import shape_policy, shape_prior, weights_for
from tengen.policies.uniform import UNIFORM

POLICIES = ("uniform", "mogo", "rlgo")
TACTICAL_POLICIES = ("mogo", "rlgo")
"""Those that need states which know what is in atari."""
TACTICAL_PRIORS = ("mogo", "knowledge", "rlgo")
"""Those made for one game, which need such states too."""


def policy_record(config: Any, game: Game) -> Any:
    """The record that chooses the playouts of a config's policy, with the settings that the config has for it."""
    if config.policy == "rlgo":
        return shape_policy(weights_for(config.weights, game), config.epsilon, config.sigma, config.tau)
    return _record_with_settings({"uniform": UNIFORM, "mogo": MOGO}[config.policy], config)


def prior_record(config: Any, game: Game) -> Any:
    """The record of a config's prior, one made for a game, with the settings that the config has for it."""
    if config.prior == "rlgo":
        return shape_prior(weights_for(config.weights, game), config.prior_weight == BY_VARIANCE)
    return _record_with_settings({"mogo": MOGO_PRIOR, "knowledge": KNOWLEDGE}[config.prior], config)


def _record_with_settings(dtype: np.dtype, config: Any) -> Any:
    return record_of(dtype, **{name: getattr(config, name) for name in dtype.names or () if hasattr(config, name)})


def state_record(config: Any, game: Game) -> np.dtype:
    """The record for the states of a player's simulations; TengenError if the game has none that its policy needs."""
    tactical = config.policy in TACTICAL_POLICIES or getattr(config, "prior", "none") in TACTICAL_PRIORS
    return game.tactical_record if tactical else game.state_record
