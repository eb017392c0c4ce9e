"""The named players, and the one grammar that describes a player everywhere.

    NAME   or   NAME:key=value,key=value

as in `uct:simulations=5000` or `mc-rave:bias=0.05,prior=even`. Values with commas or spaces are quoted as in a shell.
A name stands for a set of values; keys change single ones.
"""

import math
import shlex
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Protocol

from tengen.engines.player import GnuGoConfig, GtpConfig, GtpPlayer, gnugo_command
from tengen.errors import TengenError, shortened
from tengen.games.clock import Clock
from tengen.games.game import Game, Position
from tengen.levels import LEVELS_PER_GAME, level_player
from tengen.policies.named import POLICIES
from tengen.policies.options import MogoOptions, ShapeOptions, guess, hint, option, read_setting
from tengen.search.config import SearchConfig
from tengen.search.flat_config import AmafConfig, FlatConfig

if TYPE_CHECKING:
    from tengen.search.player import ThinkingPlayer


class BadPlayer(TengenError):
    """A description of a player that cannot be understood."""


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, position: Position, clock: Clock | None = None) -> str:
        """The move to play, or 'resign'; with a clock, the one of the side to move, in time."""

    def new_game(self, seed: int | None = None) -> None:
        """Get ready for a new game."""


@dataclass(frozen=True)
class PlainOptions:
    """What every player without search has."""

    policy: str = option("uniform", "who chooses the moves", tuple(POLICIES))
    seed: int = option(1, "of the random numbers", low=0)


@dataclass(frozen=True)
class PolicyConfig(ShapeOptions, MogoOptions, PlainOptions):
    """A player without search."""


@dataclass(frozen=True)
class LevelConfig:
    """One of the ten strengths of a game; the player behind it depends on the game and its board."""

    number: int = option(LEVELS_PER_GAME, "from 1 (weakest) to 10 (strongest)", low=1, high=LEVELS_PER_GAME)
    resign: float = option(0.0, "resign when the best move wins less often than this; 0: never", low=0, high=1)
    seed: int = option(1, "seed of the random numbers", low=0)


Config = SearchConfig | FlatConfig | AmafConfig | PolicyConfig | LevelConfig | GtpConfig | GnuGoConfig


@dataclass(frozen=True)
class Preset:
    """A name for a player, and what it stands for."""

    name: str
    meaning: str
    config: Config
    larger_boards: tuple[tuple[int, str], ...] = ()
    """From which size of the board another preset stands in for this one, the largest first."""


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
"""What won most against GNU Go on 9x9; docs/tuning.md tells of the games behind each value."""
TENGEN_13 = replace(TENGEN, expand="threshold", expand_visits=2)
TENGEN_19 = replace(TENGEN, expand="threshold", expand_visits=3)
"""On larger boards a node takes more time and memory: a position gets one when it has been visited before."""

PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "tengen",
            "the strongest at Go: MC-RAVE with all that helps; on larger boards, tengen-13 or tengen-19",
            TENGEN,
            ((16, "tengen-19"), (11, "tengen-13")),
        ),
        Preset("tengen-13", "tengen as it plays on boards from 11x11 to 15x15", TENGEN_13),
        Preset("tengen-19", "tengen as it plays on boards from 16x16", TENGEN_19),
        Preset("random", "every sensible move equally likely", PolicyConfig()),
        Preset("mogo", "MoGo's default policy of Go, without search [GellySilver2011]", PolicyConfig(policy="mogo")),
        Preset(
            "rlgo",
            "greedy play by weights of local shapes, learnt by self-play [GellySilver2007, section 4]",
            PolicyConfig(policy="rlgo"),
        ),
        Preset(
            "flat-mc",
            "flat Monte-Carlo: random games for each move [BouzyChaslot2006, section III]",
            FlatConfig(),
        ),
        Preset("amaf", "all moves as first: each random game counts for all its moves [Bruegmann1993]", AmafConfig()),
        Preset("uct", "UCT: UCB1 in the tree [GellySilver2007, section 3]", SearchConfig()),
        Preset(
            "uct-tuned",
            "UCT with UCB1-TUNED, which explores moves of certain value less [Auer2002]",
            SearchConfig(tree_policy="ucb1-tuned", exploration=1.0),
        ),
        Preset(
            "uct-rave",
            "UCT with rapid action values by the hand-made schedule [GellySilver2007, section 6]",
            SearchConfig(tree_policy="uct-rave", exploration=0.0, rave_first="either", prior_on="rave"),
        ),
        Preset(
            "mc-rave",
            "MC-RAVE: rapid action values by the schedule of least squared error, greedy [GellySilver2011]",
            SearchConfig(tree_policy="mc-rave", exploration=0.0, prior_on="rave"),
        ),
        Preset(
            "fuego-rave",
            "rapid action values weighted as in Fuego [Hashimoto2011, eq. 8]",
            SearchConfig(tree_policy="fuego-rave", exploration=0.0, first_play=1.0, prior_on="both"),
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
        Preset("level", "one of the ten strengths of `--level`, as in level:number=3", LevelConfig()),
        Preset("gnugo", "GNU Go by area scoring, if it is installed", GnuGoConfig()),
        Preset("gtp", "any engine that speaks GTP, as in gtp:command='engine --its flags'", GtpConfig()),
    )
}


@dataclass(frozen=True)
class PlayerSpec:
    """A player as described: a preset's name, and the whole config."""

    name: str
    config: Config
    meaning: str = field(default="", compare=False)
    given: frozenset[str] = frozenset()
    """Keys that were set, of a preset for which others stand in: these hold on every board."""

    def __str__(self) -> str:
        """The shortest description that means the same."""
        changed = [f"{key}={_written(value)}" for key, value in self._changes().items()]
        return f"{self.name}:{','.join(changed)}" if changed else self.name

    def _changes(self) -> dict[str, Any]:
        """What differs from the preset, or was set to be as it is there."""
        usual = PRESETS[self.name].config
        values = {key.name: getattr(self.config, key.name) for key in fields(self.config)}
        return {key: value for key, value in values.items() if key in self.given or value != getattr(usual, key)}

    def with_settings(self, **settings: Any) -> "PlayerSpec":
        """The same player with other settings; TengenError if it has none of these names."""
        try:
            config = replace(self.config, **settings)
        except TypeError:
            raise TengenError(f"the player {self} has no {', '.join(settings)}") from None
        given = self.given | frozenset(settings) if PRESETS[self.name].larger_boards else self.given
        return replace(self, config=config, given=given)

    def with_setting(self, key: str, text: str) -> "PlayerSpec":
        """The same player with one setting as the grammar writes it; TengenError if it has none such."""
        return self.with_settings(**{key: _value(PRESETS[self.name], key, text)})

    def on(self, game: Game) -> "PlayerSpec":
        """The player that this one stands for on a game's board: what was set stays, the rest fits the board."""
        size = getattr(game, "size", 0)
        if isinstance(self.config, LevelConfig):
            return self._of_level(self.config, game.name, size).on(game)
        for least, name in PRESETS[self.name].larger_boards:
            if size >= least:
                preset = PRESETS[name]
                return PlayerSpec(name, replace(preset.config, **self._changes()), preset.meaning)
        return self

    def _of_level(self, config: LevelConfig, game: str, size: int) -> "PlayerSpec":
        """Return the player of a level, with those of the level's own settings that it knows."""
        spec = parse_player(level_player(game, size, config.number))
        known = {entry.name for entry in fields(spec.config)}
        changed = {key: value for key, value in self._changes().items() if key in known}
        return spec.with_settings(**changed)

    def make(self, game: Game) -> Player:
        """The player, ready for a game."""
        return self.on(game)._made_for(game)

    def make_searcher(self, game: Game) -> "ThinkingPlayer":
        """Return the player, which must be one that searches: it has `analyse` besides `choose`. Raises BadPlayer."""
        from tengen.search.player import ThinkingPlayer

        if not isinstance(self.config, SearchConfig | FlatConfig | AmafConfig):
            raise BadPlayer(f"player {self} does not support analysis; use one that searches, such as mc-rave")
        player = self.make(game)
        assert isinstance(player, ThinkingPlayer)
        return player

    def _made_for(self, game: Game) -> Player:
        if isinstance(self.config, PolicyConfig):
            from tengen.policies.player import PolicyPlayer

            return PolicyPlayer(self.config, game)
        if isinstance(self.config, GnuGoConfig):
            return GtpPlayer(gnugo_command(self.config, game), game, self.config.timeout)
        if isinstance(self.config, GtpConfig):
            return GtpPlayer(self.config.command, game, self.config.timeout, passes=self.config.passes)
        if isinstance(self.config, FlatConfig | AmafConfig):
            from tengen.search.flat_player import FlatPlayer

            return FlatPlayer(self.config, game)
        if isinstance(self.config, SearchConfig):
            from tengen.search.player import SearchPlayer

            return SearchPlayer(self.config, game)
        return self.on(game)._made_for(game)


def parse_player(text: str) -> PlayerSpec:
    """The player that a text describes; BadPlayer, with what there is instead, if it describes none."""
    name, _, settings = text.strip().partition(":")
    if name not in PRESETS:
        raise BadPlayer(f"there is no player {shortened(name)}{hint(name, PRESETS)}")
    preset = PRESETS[name]
    changes: dict[str, Any] = {}
    for setting in _settings(settings):
        key, equals, value = setting.partition("=")
        if not equals:
            raise BadPlayer(f"{shortened(setting)} is no setting of {name}: write key=value")
        if key in changes:
            raise BadPlayer(f"{key} is set twice")
        changes[key] = _value(preset, key, value)
    try:
        return PlayerSpec(name, preset.config, preset.meaning).with_settings(**changes)
    except TengenError as error:
        raise BadPlayer(str(error)) from None


def parse_search(text: str, game: Game | None = None) -> SearchConfig:
    """The config of a player that searches the tree, if need be on a game's board; BadPlayer if it does not search."""
    spec = parse_player(text)
    config = (spec.on(game) if game is not None else spec).config
    if not isinstance(config, SearchConfig):
        raise BadPlayer(f"{shortened(text)} does not search a tree")
    return config


def _settings(text: str) -> list[str]:
    """Split at commas outside quotes, and take the quotes away."""
    splitter = shlex.shlex(text, posix=True)
    splitter.whitespace, splitter.whitespace_split, splitter.commenters = ",", True, ""
    try:
        return list(splitter)
    except ValueError as error:
        raise BadPlayer(f"{shortened(text)} cannot be read: {str(error).lower()}") from None


def _value(preset: Preset, key: str, text: str) -> Any:
    """A key's value, read as the kind of thing that the key takes."""
    known = {entry.name: entry for entry in fields(preset.config)}
    if key not in known:
        listed = f"; 'tengen players {preset.name}' lists its settings"
        raise BadPlayer(f"{preset.name} has no setting {shortened(key)}{guess(key, known)}{listed}")
    try:
        return read_setting(known[key], text)
    except TengenError as error:
        raise BadPlayer(str(error)) from None


def _written(value: Any) -> str:
    """A value as the grammar reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    text = f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
    return shlex.quote(text) if any(letter in text for letter in ", '\"\\") else text


def schema() -> dict[str, Any]:
    """All players with their keys, kinds, defaults, limits and meanings, in terms that JSON has."""

    def key_schema(entry: Any, config: Config) -> dict[str, Any]:
        default = getattr(config, entry.name)
        described: dict[str, Any] = {
            "type": {bool: "boolean", int: "integer", float: "number", str: "string"}[type(entry.default)],
            "default": str(default) if isinstance(default, float) and math.isinf(default) else default,
            "meaning": entry.metadata["meaning"],
        }
        if entry.metadata["choices"]:
            described["choices"] = list(entry.metadata["choices"])
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
                entry.name: key_schema(entry, preset.config)
                for entry in fields(preset.config)
                if entry.default is not MISSING
            },
        }
        for preset in PRESETS.values()
    }
