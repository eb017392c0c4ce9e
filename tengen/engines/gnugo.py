"""The player `gnugo`: GNU Go with the options for the rules."""

from dataclasses import dataclass

from tengen.engines.gtp_player import SEED
from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.options import option

LARGEST_BOARD = 19
KO_OPTIONS = {"simple": "--simple-ko", "positional": "--positional-superko", "situational": "--situational-superko"}


@dataclass(frozen=True)
class GnuGoConfig:
    """GNU Go with area scoring, as in the experiments of the papers."""

    level: int = option(10, "GNU Go's level: its depth of reading", low=0, high=100)
    resign: bool = option(True, "allow resignation")
    timeout: float = option(600.0, "seconds after which a command counts as never answered", low=0.01, high=1e6)


def gnugo_command(config: GnuGoConfig, game: Game) -> str:
    """Return the command for a game's rules. GNU Go captures dead stones before it passes: none are removed later."""
    from tengen.games.go.game import Go

    if not isinstance(game, Go) or game.size > LARGEST_BOARD:
        raise TengenError(f"GNU Go plays Go on boards up to {LARGEST_BOARD}x{LARGEST_BOARD}, not {game}")
    words = ["gnugo --mode gtp --chinese-rules --capture-all-dead", KO_OPTIONS[game.ko], f"--level {config.level}"]
    words += ["--allow-suicide"] if game.suicide else []
    words += [] if config.resign else ["--never-resign"]
    return " ".join([*words, f"--seed {SEED}"])
