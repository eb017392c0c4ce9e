"""Configurations: options whose effect depends on others, and parts that are used only with certain options."""

import pickle
from dataclasses import dataclass
from typing import ClassVar

import pytest

from tengen.composed_config import ComposedConfig
from tengen.errors import TengenError
from tengen.options import option
from tengen.registry import BACKUP, PRIOR


@dataclass(frozen=True)
class OwnOptions:
    """Options of a player that uses its prior only for some numbers of moves."""

    moves: int = option(0, "moves", low=0, high=9)
    prior: str = option("knowledge", "the prior", part=PRIOR, needs={"moves": range(1, 10)})
    backup: str = option("mean", "the backup", part=BACKUP)


class OwnConfig(ComposedConfig):
    """A configuration in which the weight of the prior has no effect."""

    own = OwnOptions
    unused: ClassVar = {"prior_weight": "the prior only ranks moves"}


def test_a_part_chosen_by_an_option_without_effect_is_not_used():
    config = OwnConfig()
    assert config.settings() == {"moves": 0, "backup": "mean"}
    assert [part.name for part in config.parts()] == ["mean"]
    assert repr(config) == "OwnConfig()"


def test_a_part_is_used_as_soon_as_its_option_has_an_effect():
    config = OwnConfig(moves=3)
    assert [part.name for part in config.parts()] == ["knowledge", "mean"]
    assert (config.prior, config.rule_wins) == ("knowledge", 1.0)
    assert repr(config) == "OwnConfig(moves=3)"
    assert repr(config.replaced(prior="even")) == "OwnConfig(moves=3, prior='even')"
    assert config.replaced(rule_wins=2.0).replaced(moves=0) == OwnConfig()
    assert pickle.loads(pickle.dumps(config)) == config


def test_an_option_that_a_kind_of_player_does_not_use_is_not_in_its_configuration():
    config = OwnConfig(moves=3, prior="rlgo")
    assert "prior_on" in config.settings()
    assert not {"prior_weight", "prior_scale"} & config.settings().keys()
    assert config.part_options("prior").prior_weight == 10.0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prior": "even"}, "prior has no effect unless moves is at least 1"),
        ({"rule_wins": 2.0}, "rule_wins has no effect with moves=0: it is an option of the prior knowledge"),
        (
            {"moves": 1, "prior": "even", "rule_wins": 2.0},
            "rule_wins has no effect with prior=even: it is an option of the prior knowledge",
        ),
        ({"moves": 1, "prior_weight": 2.0}, "prior_weight has no effect: the prior only ranks moves"),
        ({"prior_weight": 2.0}, "prior_weight has no effect: the prior only ranks moves"),
        ({"moves": 1, "prior": "rlgo", "prior_scale": 2.0}, "prior_scale has no effect: the prior only ranks moves"),
        ({"moves": 10}, "moves is from 0 to 9, not '10'"),
        ({"rule_win": 2.0}, "unknown setting 'rule_win' (did you mean rule_wins?)"),
    ],
)
def test_the_reason_is_given_for_an_option_without_effect(settings, message):
    with pytest.raises(TengenError) as raised:
        OwnConfig(**settings)
    assert str(raised.value) == message


def test_stored_settings_without_effect_are_left_out():
    assert OwnConfig.from_stored({"moves": 0, "prior": "even", "prior_weight": 3.0, "rule_wins": 2.0}) == OwnConfig()
