"""Players as pages choose them: checked, within the server's limits, and without access to files or programs."""

from dataclasses import dataclass
from typing import Any

from tengen.composed_config import ComposedConfig, choices_of, entries_of, settings_of
from tengen.engines.gnugo import GnuGoConfig
from tengen.engines.gtp_player import GtpConfig
from tengen.errors import TengenError, shortened
from tengen.games.game import Game
from tengen.interfaces.web.limits import LimitReached, MemoryBudget, ServerLimits
from tengen.interfaces.web.messages import PlayerChoice
from tengen.players import LevelConfig, Player, PlayerSpec, parse_player
from tengen.search.search_player import SearchingPlayer, SearchPlayer


def is_program(spec: PlayerSpec) -> bool:
    """Whether a player is an external program, which pages cannot choose."""
    return isinstance(spec.config, GtpConfig | GnuGoConfig)


def is_free_text(entry: Any) -> bool:
    """Whether an option is a text without a fixed set of values, such as the name of a file or a command."""
    return isinstance(entry.default, str) and not choices_of(entry)


def spec_of(choice: PlayerChoice, game: Game, limits: ServerLimits) -> PlayerSpec:
    """Return the chosen player for a game. Raises TengenError if it is unknown, wrong or above the limits."""
    name = choice.player.partition(":")[0]
    if is_program(parse_player(name)):
        raise TengenError(f"player {shortened(name)} is an external program, which a page cannot start")
    spec = parse_player(choice.player)
    if isinstance(spec.config, LevelConfig):
        spec = spec.with_settings(**choice.options).on(game)
    else:
        spec = spec.with_settings(**choice.options)
    limited = {"simulations": choice.simulations, "seconds": choice.seconds}
    spec = spec.with_settings(**{key: value for key, value in limited.items() if value})
    spec = spec.on(game)
    _check_texts(spec)
    return _within(spec, choice, limits)


def _check_texts(spec: PlayerSpec) -> None:
    """Raise TengenError if an option names a file: pages must not read files of the host."""
    for key, entry in entries_of(spec.config).items():
        value = settings_of(spec.config).get(key, entry.default)
        if is_free_text(entry) and value != entry.default:
            raise TengenError(f"{key} cannot be set on this page: it may name a file; its value is {entry.default!r}")


def _within(spec: PlayerSpec, choice: PlayerChoice, limits: ServerLimits) -> PlayerSpec:
    """Return the player with the memory of one tree, and one thread. Raises LimitReached for more than the limits."""
    settings = settings_of(spec.config)
    for key, most in (("simulations", limits.simulations), ("seconds", limits.seconds)):
        if settings.get(key, 0) > most:
            raise LimitReached(f"{key} must be at most {most:,g} on this server, not {settings[key]:,g}")
    if settings.get("threads", 1) != 1:
        raise LimitReached(f"threads must be 1 on this server, not {settings['threads']}")
    if "memory" not in settings or settings["memory"] <= limits.tree_memory:
        return spec
    if "memory" in choice.options:
        raise LimitReached(f"memory must be at most {limits.tree_memory} MB on this server, not {settings['memory']}")
    return spec.with_settings(memory=limits.tree_memory)


@dataclass
class LoadedPlayer:
    """A player with the memory that it has reserved."""

    spec: PlayerSpec
    player: Player
    megabytes: int
    budget: MemoryBudget

    @property
    def searcher(self) -> SearchingPlayer | None:
        return self.player if isinstance(self.player, SearchingPlayer) else None

    @property
    def tree_player(self) -> SearchPlayer | None:
        return self.player if isinstance(self.player, SearchPlayer) else None

    def release(self) -> None:
        """Give the memory back. The player must not be used afterwards."""
        self.budget.give_back(self.megabytes)
        self.megabytes = 0


def load(spec: PlayerSpec, game: Game, budget: MemoryBudget) -> LoadedPlayer:
    """Create a player and reserve its memory. Raises LimitReached if there is too little."""
    megabytes = int(settings_of(spec.config).get("memory", 0))
    budget.take(megabytes)
    try:
        return LoadedPlayer(spec, spec.make(game), megabytes, budget)
    except BaseException:
        budget.give_back(megabytes)
        raise


def has_searches(spec: PlayerSpec) -> bool:
    """Whether a player can be analysed on every board."""
    return isinstance(spec.config, ComposedConfig) and hasattr(spec.config, "simulations")
