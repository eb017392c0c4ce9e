"""Parses commands of pages by the real command line, without running them."""

import shlex
from typing import Any

import typer

from tengen.interfaces.cli import app
from tengen.players import parse_player

OPERATORS = frozenset({"|", "<", ">", ">>", "&&", "||", ";", "&"})
PLAYERS = ("a", "b", "player")
"""Parameters that describe players."""


def tengen_arguments(line: str) -> list[str] | None:
    """Return the arguments of `tengen` in a line of a shell; None if it begins with another program."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    while words and "=" in words[0] and words[0].partition("=")[0].isupper():  # an environment variable
        words.pop(0)
    if words[:3] == ["python", "-m", "tengen"]:
        words = words[2:]
    if not words or words[0] != "tengen":
        return None
    end = next((i for i, word in enumerate(words) if word in OPERATORS), len(words))
    return words[1:end]


def without_effects(command: Any) -> Any:
    """Let options such as --version and --install-completion, which act while they are parsed, only end the parsing."""

    def stop(context: Any, parameter: Any, value: Any) -> None:
        if value:
            raise typer.Exit

    for parameter in command.params:
        if parameter.is_eager or not parameter.expose_value:
            parameter.callback = stop
    return command


def parse(arguments: list[str]) -> None:
    """Parse the arguments of `tengen` with all commands and options, and the descriptions of players in them.

    Raises a usage error of the command line, or BadPlayer.
    """
    command: Any = without_effects(typer.main.get_command(app))
    context = command.make_context("tengen", list(arguments))
    while hasattr(command, "resolve_command") and (rest := [*context._protected_args, *context.args]):
        name, command, rest = command.resolve_command(context, rest)
        context = without_effects(command).make_context(name, rest, parent=context)
    if not context.params.get("plugin"):
        for name in PLAYERS:
            given = context.params.get(name) or ()
            for description in (given,) if isinstance(given, str) else given:
                parse_player(description)
