"""GNU Go by name, with the options that its rules need."""

from dataclasses import dataclass

from tengen.engines.gtp_player import SEED
from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.options import option

LARGEST_BOARD = 19
KO_OPTIONS = {"simple": "--simple-ko", "positional": "--positional-superko", "situational": "--situational-superko"}


@dataclass(frozen=True)
class GnuGoConfig:
    """GNU Go by area scoring, as the papers' experiments and their successors play it."""

    level: int = option(10, "how deep it reads", low=0, high=100)
    resign: bool = option(True, "whether it may give up")
    timeout: float = option(600.0, "seconds after which a command counts as never answered", low=0.01, high=1e6)


def gnugo_command(config: GnuGoConfig, game: Game) -> str:
    """The command for a game's rules. It captures all dead stones before it passes: nobody removes them later."""
    from tengen.games.go.game import Go

    if not isinstance(game, Go) or game.size > LARGEST_BOARD:
        raise TengenError(f"GNU Go plays Go on boards up to {LARGEST_BOARD}x{LARGEST_BOARD}, not {game}")
    words = ["gnugo --mode gtp --chinese-rules --capture-all-dead", KO_OPTIONS[game.ko], f"--level {config.level}"]
    words += ["--allow-suicide"] if game.suicide else []
    words += [] if config.resign else ["--never-resign"]
    return " ".join([*words, f"--seed {SEED}"])
