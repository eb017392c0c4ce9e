"""The named players, and the grammar of player descriptions.

    NAME   or   NAME:key=value,key=value

as in `uct:simulations=5000` or `mc-rave:bias=0.05,prior=even`. Values with commas or spaces are quoted as in a shell.
A name stands for a set of values; keys change single ones. The name of a registered tree policy, backup or playout
policy is also a player: a search with that part, or the policy without search.
"""

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tengen.composed_config import ComposedConfig, choices_of, entries_of, settings_of
from tengen.earlier_presets import TENGEN_1, TENGEN_1_13, TENGEN_1_19
from tengen.engines.gnugo import GnuGoConfig, gnugo_command
from tengen.engines.gtp_player import GtpConfig, GtpPlayer
from tengen.errors import TengenError, shortened
from tengen.games.game import Game
from tengen.games.player import Player as Player
from tengen.levels import LEVELS_PER_GAME, level_player
from tengen.options import checked_setting, guess, option, read_setting
from tengen.registry import BACKUP, PLAYOUT_POLICY, TREE_POLICY, parts
from tengen.search.config import SearchConfig
from tengen.search.flat_config import AmafConfig, FlatConfig

if TYPE_CHECKING:
    from tengen.search.search_player import SearchingPlayer


class BadPlayer(TengenError):
    """An invalid description of a player."""


@dataclass(frozen=True)
class PolicyOptions:
    """Options of a player without search, except those of its policy."""

    policy: str = option("uniform", "the playout policy that chooses the moves", part=PLAYOUT_POLICY)
    seed: int = option(1, "seed of the random numbers", low=0)


class PolicyConfig(ComposedConfig):
    """A player without search: its own options, and those of its playout policy."""

    own = PolicyOptions


@dataclass(frozen=True)
class LevelConfig:
    """One of the ten strengths of a game; the player of a level depends on the game and its board."""

    number: int = option(LEVELS_PER_GAME, "from 1 (weakest) to 10 (strongest)", low=1, high=LEVELS_PER_GAME)
    resign: float = option(0.0, "resign when the best move wins less often than this; 0: never", low=0, high=1)
    seed: int = option(1, "seed of the random numbers", low=0)


Config = SearchConfig | FlatConfig | AmafConfig | PolicyConfig | LevelConfig | GtpConfig | GnuGoConfig


@dataclass(frozen=True)
class Preset:
    """A named configuration of a player."""

    name: str
    meaning: str
    config: Config
    larger_boards: tuple[tuple[int, str], ...] = ()
    """Pairs (least board size, name of the preset used from that size on), the largest first."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of options of parts that `config` does not use, for descriptions that select such a part."""


TENGEN = SearchConfig(
    tree_policy="mc-rave",
    exploration=0.0,
    rave_first="either",
    policy="mogo",
    nakade=True,
    two_liberties=True,
    self_atari_refusal=0.8,
    random_self_atari_refusal=0.4,
    prior="knowledge",
    prior_on="visits",
    prior_weight=5.0,
    capture_wins=3.0,
    large_capture_wins=4.5,
    self_atari_losses=2.5,
    low_line_losses=2.5,
    third_line_wins=2.0,
    ladder_wins=3.0,
    ladder_losses=3.0,
)
"""Settings found by games against GNU Go on 9x9: see docs/tuning.md."""
TENGEN_13 = TENGEN.replaced(expand="threshold", expand_visits=2)
TENGEN_19 = TENGEN.replaced(expand="threshold", expand_visits=3)
"""On larger boards a node costs more time and memory, so it is created only at a later visit."""

PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "tengen",
            "the strongest at Go: MC-RAVE with priors and MoGo's policy; tengen-13 or tengen-19 on larger boards",
            TENGEN,
            ((16, "tengen-19"), (11, "tengen-13")),
        ),
        Preset("tengen-13", "tengen for boards from 11x11 to 15x15", TENGEN_13),
        Preset("tengen-19", "tengen for boards from 16x16", TENGEN_19),
        Preset(
            "tengen-1",
            "the preset of version 0.1, for comparison; tengen-1-13 or tengen-1-19 on larger boards",
            TENGEN_1,
            ((16, "tengen-1-19"), (11, "tengen-1-13")),
        ),
        Preset("tengen-1-13", "tengen-1 for boards from 11x11 to 15x15", TENGEN_1_13),
        Preset("tengen-1-19", "tengen-1 for boards from 16x16", TENGEN_1_19),
        Preset("random", "all candidate moves equally likely", PolicyConfig()),
        Preset("mogo", "MoGo's default policy of Go, without search [GellySilver2011]", PolicyConfig(policy="mogo")),
        Preset(
            "rlgo",
            "greedy play by weights of local shapes, learnt by self-play [GellySilver2007, section 4]",
            PolicyConfig(policy="rlgo"),
        ),
        Preset(
            "urgency",
            "Indigo's pseudo-random player: moves by urgencies, without search [BouzyChaslot2006, section III.C]",
            PolicyConfig(policy="urgency"),
        ),
        Preset(
            "flat-mc",
            "flat Monte-Carlo: playouts from each move, no tree [BouzyChaslot2006, section III]",
            FlatConfig(),
        ),
        Preset(
            "indigo",
            "MC(p): the best moves by knowledge are compared by pseudo-random games [BouzyChaslot2006, section III.C]",
            FlatConfig(policy="urgency", preselect=10, selection="pruning", most_games=500),
        ),
        Preset("amaf", "all moves as first: each playout counts for all its moves [Bruegmann1993]", AmafConfig()),
        Preset("uct", "UCT: UCB1 in the tree [GellySilver2007, section 3]", SearchConfig()),
        Preset(
            "uct-tuned",
            "UCT with UCB1-TUNED: less exploration of moves with low variance [Auer2002]",
            SearchConfig(tree_policy="ucb1-tuned", exploration=1.0),
        ),
        Preset(
            "uct-rave",
            "UCT with RAVE values, weighted by the hand-selected schedule [GellySilver2007, section 6]",
            SearchConfig(tree_policy="uct-rave", exploration=0.0, rave_first="either"),
            defaults={"prior_on": "rave"},
        ),
        Preset(
            "mc-rave",
            "MC-RAVE: RAVE values weighted by the minimum MSE schedule, no exploration [GellySilver2011]",
            SearchConfig(tree_policy="mc-rave", exploration=0.0),
            defaults={"prior_on": "rave"},
        ),
        Preset(
            "fuego-rave",
            "RAVE values weighted as in Fuego [Hashimoto2011, eq. 8]",
            SearchConfig(tree_policy="fuego-rave", exploration=0.0, first_play=1.0),
            defaults={"prior_on": "both"},
        ),
        Preset(
            "accelerated-uct",
            "Accelerated UCT: recently visited moves weigh more [Hashimoto2011, section 4]",
            SearchConfig(backup="accelerated", exploration=1.0),
        ),
        Preset(
            "discounted-uct",
            "Discounted UCT: older results weigh less [Hashimoto2011, section 3]",
            SearchConfig(backup="discounted", exploration=1.0),
        ),
        Preset("level", "one of the ten levels of the game, as in level:number=3", LevelConfig()),
        Preset("gnugo", "GNU Go with area scoring; it must be installed", GnuGoConfig()),
        Preset("gtp", "any GTP engine, as in gtp:command='engine --its flags'", GtpConfig()),
    )
}


def find_preset(name: str) -> Preset:
    """Return the preset of a name, or one for a registered part of this name. Raises BadPlayer for unknown names."""
    if name in PRESETS:
        return PRESETS[name]
    if part := parts(TREE_POLICY).get(name):
        return Preset(name, part.meaning, SearchConfig(tree_policy=name))
    if part := parts(BACKUP).get(name):
        return Preset(name, part.meaning, SearchConfig(backup=name))
    if part := parts(PLAYOUT_POLICY).get(name):
        return Preset(name, part.meaning, PolicyConfig(policy=name))
    raise BadPlayer(f"unknown player {shortened(name)}{guess(name, PRESETS)}; choose from: {', '.join(PRESETS)}")


@dataclass(frozen=True)
class PlayerSpec:
    """A description of a player: the name of a preset and the complete config."""

    name: str
    config: Config
    meaning: str = field(default="", compare=False)
    given: frozenset[str] = frozenset()
    """Keys that were set explicitly, for presets with `larger_boards`: they hold on every board."""

    def __str__(self) -> str:
        """Return the shortest equivalent description."""
        changed = [f"{key}={_written(value)}" for key, value in self._changes().items()]
        return f"{self.name}:{','.join(changed)}" if changed else self.name

    def _changes(self) -> dict[str, Any]:
        """Return the settings in `given` and those that differ from the preset's with the same parts."""
        preset, values, chosen = find_preset(self.name), settings_of(self.config), {}
        usual = {key: entry.default for key, entry in entries_of(self.config).items()} | dict(preset.defaults)
        if isinstance(self.config, ComposedConfig):
            before = usual | settings_of(preset.config)
            chosen = {key: value for key, value in self.config.chosen().items() if value != before[key]}
        usual |= settings_of(_changed(preset.config, chosen, preset.defaults))
        listed = {*chosen, *self.given}
        return {key: value for key, value in values.items() if key in listed or value != usual[key]}

    def with_settings(self, **settings: Any) -> "PlayerSpec":
        """Return the player with other settings. Raises TengenError if one is unknown or has no effect."""
        preset = find_preset(self.name)
        config = _changed(self.config, settings, preset.defaults)
        kept = frozenset(key for key in self.given if key in settings_of(config))
        given = kept | frozenset(settings) if preset.larger_boards else self.given
        return replace(self, config=config, given=given)

    def with_setting(self, key: str, text: str) -> "PlayerSpec":
        """Return the player with one setting, in the notation of descriptions. Raises TengenError if it is invalid."""
        return self.with_settings(**_read_settings(self, {key: text}))

    def on(self, game: Game) -> "PlayerSpec":
        """Resolve levels and board sizes: return the player for this game's board, keeping explicit settings."""
        if isinstance(self.config, LevelConfig):
            return self._of_level(self.config, game).on(game)
        for least, name in find_preset(self.name).larger_boards:
            if game.size_value >= least:
                preset = PRESETS[name]
                return PlayerSpec(name, _changed(preset.config, self._changes(), preset.defaults), preset.meaning)
        return self

    def _of_level(self, config: LevelConfig, game: Game) -> "PlayerSpec":
        """Return the player of a level, with the level's settings that this player has."""
        spec = parse_player(level_player(game, config.number))
        known = settings_of(spec.config)
        changed = {key: value for key, value in self._changes().items() if key in known}
        return spec.with_settings(**changed)

    def make(self, game: Game) -> Player:
        """Create the player for a game."""
        return self.on(game)._made_for(game)

    def make_searcher(self, game: Game) -> "SearchingPlayer":
        """Create the player for a game; raise BadPlayer unless it searches, so that it has `analyse`."""
        from tengen.search.search_player import SearchingPlayer

        if not isinstance(self.on(game).config, SearchConfig | FlatConfig | AmafConfig):
            raise BadPlayer(f"player {self} does not support analysis; use one that searches, such as mc-rave")
        player = self.make(game)
        assert isinstance(player, SearchingPlayer)
        return player

    def _made_for(self, game: Game) -> Player:
        if isinstance(self.config, PolicyConfig):
            from tengen.policies.policy_player import PolicyPlayer

            return PolicyPlayer(self.config, game)
        if isinstance(self.config, GnuGoConfig):
            return GtpPlayer(gnugo_command(self.config, game), game, self.config.timeout)
        if isinstance(self.config, GtpConfig):
            return GtpPlayer(self.config.command, game, self.config.timeout, passes=self.config.passes)
        if isinstance(self.config, FlatConfig | AmafConfig):
            from tengen.search.flat_player import FlatPlayer

            return FlatPlayer(self.config, game)
        if isinstance(self.config, SearchConfig):
            from tengen.search.search_player import SearchPlayer

            return SearchPlayer(self.config, game)
        return self.on(game)._made_for(game)


def parse_player(text: str) -> PlayerSpec:
    """Parse a description of a player. Raises BadPlayer if it is invalid."""
    name, _, settings = text.strip().partition(":")
    preset = find_preset(name)
    changes: dict[str, str] = {}
    for setting in _settings(settings):
        key, equals, value = setting.partition("=")
        if not equals:
            raise BadPlayer(f"{shortened(setting)} is not a setting of {name}: write key=value")
        if key in changes:
            raise BadPlayer(f"{key} is set twice")
        changes[key] = value
    spec = PlayerSpec(name, preset.config, preset.meaning)
    try:
        return spec.with_settings(**_read_settings(spec, changes))
    except BadPlayer:
        raise
    except TengenError as error:
        raise BadPlayer(str(error)) from None


def parse_search(text: str, game: Game | None = None) -> SearchConfig:
    """Return the config of a tree search player, resolved for `game` if given. Raises BadPlayer for other players."""
    spec = parse_player(text)
    config = (spec.on(game) if game is not None else spec).config
    if not isinstance(config, SearchConfig):
        raise BadPlayer(f"{shortened(text)} does not search a tree")
    return config


def _settings(text: str) -> list[str]:
    """Split at commas outside quotes, and remove the quotes."""
    splitter = shlex.shlex(text, posix=True)
    splitter.whitespace, splitter.whitespace_split, splitter.commenters = ",", True, ""
    try:
        return list(splitter)
    except ValueError as error:
        raise BadPlayer(f"{shortened(text)} cannot be read: {str(error).lower()}") from None


def _read_settings(spec: PlayerSpec, texts: Mapping[str, str]) -> dict[str, Any]:
    """Parse the texts of settings. Raises BadPlayer if one is unknown or invalid."""
    config, known = spec.config, entries_of(spec.config)
    try:
        if isinstance(config, ComposedConfig):
            chosen = {key: read_setting(known[key], texts[key]) for key in config.choosing_keys() if key in texts}
            config = config.replaced(find_preset(spec.name).defaults, **chosen)
            known = config.entries()
        values = {}
        for key, text in texts.items():
            if key not in known:
                raise BadPlayer(_why_no_setting(spec.name, config, key))
            values[key] = read_setting(known[key], text)
        return values
    except TengenError as error:
        raise BadPlayer(str(error)) from None


def _why_no_setting(name: str, config: Config, key: str) -> str:
    """Return the error message for a setting that a player does not have."""
    listed = f"; 'tengen players {name}' lists its settings"
    if isinstance(config, ComposedConfig) and key in config.known_keys():
        return config.why_without_effect(key)
    known = config.known_keys() if isinstance(config, ComposedConfig) else list(entries_of(config))
    return f"{name} has no setting {shortened(key)}{guess(key, known)}{listed}"


def _changed(config: Config, settings: Mapping[str, Any], defaults: Mapping[str, Any]) -> Any:
    """Return a config with other settings. Raises TengenError if one is unknown or has no effect."""
    if isinstance(config, ComposedConfig):
        return config.replaced(defaults, **settings)
    known = entries_of(config)
    for key in settings:
        if key not in known:
            raise TengenError(f"unknown setting {shortened(key)}{guess(key, known)}")
    return replace(config, **{key: checked_setting(known[key], value, value) for key, value in settings.items()})


def _written(value: Any) -> str:
    """Return a value in the notation of descriptions, quoted if necessary."""
    if isinstance(value, bool):
        return str(value).lower()
    text = f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
    return shlex.quote(text) if any(letter in text for letter in ", '\"\\") else text


def schema() -> dict[str, Any]:
    """Return all players with their keys, types, defaults, limits and meanings, for JSON."""

    def key_schema(entry: Any, default: Any) -> dict[str, Any]:
        described: dict[str, Any] = {
            "type": {bool: "boolean", int: "integer", float: "number", str: "string"}[type(entry.default)],
            "default": str(default) if isinstance(default, float) and math.isinf(default) else default,
            "meaning": entry.metadata["meaning"],
        }
        if choices := choices_of(entry):
            described["choices"] = choices
        if entry.metadata["words"]:
            described["words"] = list(entry.metadata["words"])
        for limit in ("low", "high"):
            if math.isfinite(entry.metadata[limit]):
                described[limit] = entry.metadata[limit]
        return described

    return {
        preset.name: {
            "meaning": preset.meaning,
            "keys": {
                key: key_schema(entries_of(preset.config)[key], value)
                for key, value in settings_of(preset.config).items()
            },
        }
        for preset in PRESETS.values()
    }
