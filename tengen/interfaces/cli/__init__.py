"""The command line: `tengen COMMAND`. One file per command; heavy imports are deferred until a command runs."""

import functools
import inspect
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from tengen.errors import INTERRUPTED, TengenError
from tengen.interfaces.cli.layout import MOST_COLUMNS, Command, Group
from tengen.interfaces.encodings import never_fail_to_encode

COMMANDS = (
    "demo",
    "play",
    "web",
    "gtp",
    "analysis-server",
    "analyze",
    "match",
    "tournament",
    "results",
    "players",
    "regress",
    "tune",
    "train",
    "reproduce",
    "patterns",
    "tree",
    "check",
    "bench",
    "warmup",
    "help",
)
"""All commands in the order of the help: the files of this folder, with '_' for '-', in which the function `run` is a
command, or which have the `SUBCOMMANDS` of a group, each in a file of its own.
"""
WITHOUT_PLUGINS = ("demo", "help", "patterns", "train")
"""Commands without the option --plugin."""


class Program(Group):
    """The program; its help lists commands and groups of commands in one order."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)


app = typer.Typer(
    name="tengen",
    cls=Program,
    help="Monte-Carlo tree search for board games, written in Python and run at native speed.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MOST_COLUMNS},
)


def guarded(run: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that errors that a user can cause print one line on standard error.

    A TengenError, a full disk and too little memory exit with status 1, an interrupt with 130. A command may raise
    KeyboardInterrupt with its own message. Typer reports wrong usage, with status 2. An exception in a user's file is
    reported with its line. Any other exception is a defect of the program and keeps its traceback. With --debug, every
    error does.
    """

    @functools.wraps(run)
    def command(*arguments: object, **options: object) -> None:
        options.pop("debug", None)
        try:
            _load_plugins(options.pop("plugin", None))
            run(*arguments, **options)
            sys.stdout.flush()  # report a full disk here; at exit it would be too late
        except KeyboardInterrupt as interrupt:
            _fail(str(interrupt) or "interrupted", INTERRUPTED)
        except TengenError as error:
            _fail_by(error)
        except BrokenPipeError:
            _drop_output()
            sys.exit(1)
        except OSError as error:
            try:
                sys.stdout.flush()
            except OSError:
                _drop_output()
            _fail(error.strerror or str(error))
        except MemoryError:
            _fail("not enough memory")
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            _fail_by(error)

    return command


PluginFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        metavar="FILE",
        help="Python file that registers your own parts: games, tree policies, playout policies. May be repeated.",
    ),
]


DEBUG = "--debug"
Debug = Annotated[bool, typer.Option(DEBUG, help="Show the full traceback of an error.")]


def with_option(run: Callable[..., None], name: str, annotation: Any, default: Any) -> Callable[..., None]:
    """Give a guarded command another option."""
    signature = inspect.signature(run)
    option = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), option])  # type: ignore[attr-defined]
    run.__annotations__ = {**run.__annotations__, name: annotation}
    return run


def _load_plugins(files: Any) -> None:
    if files:
        from tengen.plugins import load_plugin

        for file in files:
            load_plugin(file)


def _fail_by(error: Exception) -> NoReturn:
    """End with a sentence about an error that a user can cause. Raise it again if it is a defect, or with --debug."""
    reason = str(error) if isinstance(error, TengenError) else _fault_in_plugin(error)
    if not reason or DEBUG in sys.argv:
        raise error
    _fail(reason)


def _fault_in_plugin(error: Exception) -> str:
    from tengen.plugins import fault_in_plugin

    return fault_in_plugin(error)


def _fail(reason: str, status: int = 1) -> NoReturn:
    """Print one line on standard error, if it can be written to, and exit."""
    with suppress(OSError):
        print(f"tengen: {reason}", file=sys.stderr, flush=True)
    sys.exit(status)


def _drop_output() -> None:
    """Redirect standard output to os.devnull, so that the flush at exit does not fail on a closed pipe or full disk."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _add_command(group: typer.Typer, name: str, run: Callable[..., None], takes_plugins: bool) -> None:
    """Add a guarded command with the options that all commands have."""
    run = guarded(run)
    if takes_plugins:
        run = with_option(run, "plugin", PluginFiles, None)
    group.command(name, cls=Command)(with_option(run, "debug", Debug, False))


for name in COMMANDS:
    module = import_module(f"tengen.interfaces.cli.{name.replace('-', '_')}")
    if hasattr(module, "SUBCOMMANDS"):
        group = typer.Typer(name=name, cls=Group, help=module.HELP, no_args_is_help=True, rich_markup_mode=None)
        for inner in module.SUBCOMMANDS:
            run = import_module(f"tengen.interfaces.cli.{name}_{inner}").run
            _add_command(group, inner, run, name not in WITHOUT_PLUGINS)
        app.add_typer(group)
    else:
        _add_command(app, name, module.run, name not in WITHOUT_PLUGINS)


def _show_version(wanted: bool) -> None:
    if wanted:
        from tengen import __version__

        print(f"tengen {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", "-V", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
    debug: Debug = False,
) -> None:
    """Without a command, print the help on standard output and exit with status 2 (wrong usage)."""
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)


def main() -> None:
    """Run the command line."""
    never_fail_to_encode()
    try:
        app()
    except TengenError as error:  # raised by an option's callback, before the command runs
        if DEBUG in sys.argv:
            raise
        _fail(str(error))
