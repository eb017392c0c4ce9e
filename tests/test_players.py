"""The grammar of player descriptions: parsing, formatting and errors."""

import json
import math

import pytest
from tic_tac_toe import TicTacToe

from tengen import Go
from tengen.engines.gnugo import GnuGoConfig
from tengen.engines.gtp_player import GtpConfig
from tengen.errors import TengenError
from tengen.players import PRESETS, BadPlayer, LevelConfig, parse_player, parse_search, schema
from tengen.search.config import SearchConfig
from tengen.search.search_player import SearchPlayer


def test_a_name_alone_stands_for_its_preset():
    assert parse_player("mc-rave").config == PRESETS["mc-rave"].config
    assert str(parse_player("mc-rave")) == "mc-rave"


def test_keys_change_single_values():
    config = parse_player("uct:simulations=5000,exploration=0.25,solver=true,backup=accelerated,first_play=1.1").config
    assert isinstance(config, SearchConfig)
    assert (config.simulations, config.exploration, config.solver) == (5000, 0.25, True)
    assert (config.backup, config.first_play) == ("accelerated", 1.1)
    assert config.decay == SearchConfig(backup="accelerated").decay


@pytest.mark.parametrize(
    "text",
    [
        "uct",
        "uct:simulations=10",
        "mc-rave:bias=0.05,seed=3",
        "uct-rave:first_play=1.5",
        "uct:backup=accelerated,decay=0.9999999",
        "random:seed=4",
        "gnugo:level=8",
        "gtp:command='engine --flags, and more',timeout=5",
        "gtp:command='C:\\go\\engine.exe',passes=false",
    ],
)
def test_a_formatted_player_is_parsed_as_the_same(text):
    spec = parse_player(text)
    assert str(spec) == text
    assert parse_player(str(spec)) == spec


def test_values_may_be_quoted_as_in_a_shell():
    assert parse_player("uct:backup='mean',\"simulations=7\"").config == parse_player("uct:simulations=7").config


def test_a_preset_is_replaced_on_larger_boards_and_keeps_explicit_settings():
    plain, expand = parse_player("tengen"), parse_search("tengen").expand
    assert plain.on(Go(9)) == plain
    assert [str(plain.on(Go(size))) for size in (10, 11, 15, 16, 19)] == [
        "tengen", "tengen-13", "tengen-13", "tengen-19", "tengen-19",
    ]  # fmt: skip
    spec = parse_player(f"tengen:simulations=50,expand={expand}")
    assert spec.on(Go(19)) == parse_player(f"tengen-19:simulations=50,expand={expand}")
    assert parse_player(str(spec)) == spec != parse_player("tengen:simulations=50")
    assert plain.with_settings(expand=expand).on(Go(19)) == parse_player(f"tengen-19:expand={expand}")
    assert parse_search("tengen", Go(19)) == parse_search("tengen-19")
    assert parse_player("uct").on(Go(19)) == parse_player("uct")
    assert len({spec, parse_player(str(spec))}) == 1, "specs are keys"
    player = parse_player("tengen:memory=10").make(Go(13))
    assert isinstance(player, SearchPlayer)
    assert player.config == parse_player("tengen-13:memory=10").config


def test_the_weight_of_a_prior_may_be_its_variance():
    spec = parse_player("mc-rave:prior=rlgo,prior_weight=variance")
    assert isinstance(spec.config, SearchConfig)
    assert spec.config.prior_weight == "variance"
    assert str(spec) == "mc-rave:prior=rlgo,prior_weight=variance"
    assert spec.with_setting("prior_weight", "7") == parse_player("mc-rave:prior=rlgo,prior_weight=7")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("uct:prior_weight=variance,prior_weight=3", "prior_weight is set twice"),
        ("mc-rave:prior=even,prior_weight=variance", "prior_weight is a number, not 'variance'"),
        ("tengen:prior_weight=variance", "prior_weight is a number, not 'variance'"),
        ("mc-rave:prior=rlgo,prior_experience=variance", "no setting 'prior_experience'"),
        ("random:prior_weight=variance", "no setting 'prior_weight'"),
        ("", "unknown player ''"),
        ("mc_rave", "did you mean mc-rave?"),
        ("uct:sims=3", "no setting 'sims'"),
        ("uct:exploratoin=1", "did you mean exploration?"),
        ("uct:simulations", "write key=value"),
        ("uct:simulations=", "a whole number"),
        ("uct:simulations=1.5", "a whole number"),
        ("uct:simulations=-1", "from 0 to"),
        (f"uct:simulations={'9' * 400}", "from 0 to"),
        ("uct:exploration=-1", "from 0 to 1e+06"),
        ("uct:exploration=nan", "from 0 to 1e+06"),
        ("uct:first_play=-inf", "-1e+06 or more"),
        ("mc-rave:bias=1e25", "from 0 to 1000"),
        ("uct:prior=even,prior_on=rave", "RAVE values"),
        ("uct:backup=discounted,decay=2", "from 0.001 to 1"),
        ("uct:solver=yes", "true or false"),
        ("uct:backup=max", "choose from: accelerated, discounted, mean"),
        ("uct:seed=1,seed=2", "set twice"),
        ("uct:policy='uniform", "cannot be read"),
        ("random:simulations=5", "no setting 'simulations'"),
        ("uct:nakade=true", "it is an option of the playout policy mogo and of the priors knowledge, mogo"),
        ("tengen:tree_policy=ucb1,bias=0.1", "bias has no effect with tree_policy=ucb1"),
        ("uct:expand_visits=3", "expand_visits has no effect unless expand=threshold"),
        ("flat-mc:difference=1", "it is an option of the selection pruning"),
        ("amaf:temperature=1", "temperature has no effect unless annealing=True"),
        ("random:epsilon=0.1", "it is an option of the playout policy rlgo"),
        ("uct:" + "x" * 5000 + "=1", "no setting"),
    ],
)
def test_an_invalid_description_is_refused_in_one_line(text, words):
    with pytest.raises(BadPlayer) as raised:
        parse_player(text)
    message = str(raised.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 800


def test_every_preset_creates_a_player_that_moves():
    for name, preset in PRESETS.items():
        if isinstance(preset.config, GtpConfig | GnuGoConfig):
            continue
        policy = "mogo" if isinstance(preset.config, LevelConfig) else preset.config.policy
        game = {"mogo": Go(5), "urgency": Go(5), "rlgo": Go(9)}.get(policy, TicTacToe())
        settings = ":simulations=20,memory=2" if isinstance(preset.config, SearchConfig) else ""
        player = parse_player(name + settings).make(game)
        player.new_game(seed=1)
        assert game.start().is_legal(player.choose(game.start()))


@pytest.mark.parametrize("text", ["mogo", "uct:policy=mogo,memory=2"])
def test_a_policy_of_go_is_refused_for_another_game(text):
    with pytest.raises(TengenError, match="the playout policy mogo is for go, not for tic-tac-toe"):
        parse_player(text).make(TicTacToe())


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("memory", 10**7, "memory is from 1 to 1e+06, not '10000000'"),
        ("threads", True, "threads is a whole number, not 'True'"),
        ("threads", 1.0, "threads is a whole number"),
        ("exploration", math.nan, "exploration is from 0 to 1e+06, not 'nan'"),
        ("exploration", "1", "exploration is a number, not '1'"),
        ("first_play", 10**400, "first_play is too large"),
        ("solver", 1, "solver is true or false"),
        ("backup", "max", "unknown backup 'max'"),
        ("backup", ["mean"], "backup is a text"),
    ],
)
def test_values_set_in_python_are_checked_as_well(key, value, words):
    with pytest.raises(TengenError) as raised:
        SearchConfig(**{key: value})
    assert words in str(raised.value)


def test_the_schema_is_json_and_names_every_key():
    described = json.loads(json.dumps(schema(), allow_nan=False))
    assert set(described) == set(PRESETS)
    keys = described["mc-rave"]["keys"]
    assert keys["bias"] == {
        "type": "number",
        "default": 0.02,
        "meaning": keys["bias"]["meaning"],
        "low": 0,
        "high": 1000,
    }
    assert keys["backup"]["choices"] == ["accelerated", "discounted", "mean"]
    assert keys["first_play"]["default"] == "inf"
    assert all(about["meaning"] for preset in described.values() for about in preset["keys"].values())
    assert math.isinf(parse_search("uct").first_play)


@pytest.mark.parametrize("text", ["uct:simulations=20,memory=1", "flat-mc:simulations=20"])
def test_a_player_that_searches_can_be_created_for_analysis(text):
    position = Go(3).start()
    analysis = parse_player(text).make_searcher(position.game).analyse(position)
    assert {move.move for move in analysis.moves} <= set(position.legal_moves())
    assert analysis.moves


@pytest.mark.parametrize("text", ["random", "gnugo", "gtp:command=cat"])
def test_a_player_without_search_is_refused_for_analysis(text):
    with pytest.raises(BadPlayer, match=f"player {text} does not support analysis; use one that searches"):
        parse_player(text).make_searcher(Go(5))
