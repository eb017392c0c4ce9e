"""The command line: `tengen COMMAND`. One file a command; each imports what is heavy only when it runs."""

import functools
import sys
from collections.abc import Callable

import typer

from tengen.interfaces.cli import (
    analyze,
    bench,
    demo,
    gtp,
    match,
    play,
    players,
    regress,
    results,
    tournament,
    train,
    tree,
    tune,
    warmup,
)

app = typer.Typer(
    name="tengen",
    help="Monte-Carlo tree search for board games, written in Python and run at native speed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def interruptible(run: Callable[..., None]) -> Callable[..., None]:
    """A command that ends with a word when it is interrupted."""

    @functools.wraps(run)
    def command(*arguments: object, **options: object) -> None:
        try:
            run(*arguments, **options)
        except KeyboardInterrupt:
            sys.exit("\ntengen: interrupted")

    return command


for command in (
    demo,
    play,
    gtp,
    analyze,
    match,
    tournament,
    results,
    players,
    regress,
    tune,
    train,
    tree,
    bench,
    warmup,
):  # fmt: skip
    app.command(command.NAME)(interruptible(command.run))


def _show_version(wanted: bool) -> None:
    if wanted:
        from tengen import __version__

        print(f"tengen {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Tengen's commands; `tengen COMMAND --help` tells all about one."""


def main() -> None:
    """Run the command line. What a caller did wrong is one sentence on standard error, never a traceback."""
    try:
        app()
    except ValueError as error:
        from tengen.games.game import GameError

        if not isinstance(error, GameError):
            raise
        sys.exit(f"tengen: {error}")
