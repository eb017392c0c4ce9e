"""Layout of help texts: plain text wrapped to the terminal, never broken inside a name."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

MOST_COLUMNS = 120
GLUE = "\x1f"
"""Replaces hyphens while text is wrapped, so that lines do not break at hyphens."""


class _WholeNames:
    """A help formatter that never breaks a line at a hyphen: `--random-moves` and `mc-rave` stay whole."""

    def __init__(self, formatter: Any):
        self._formatter = formatter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._formatter, name)

    def write_text(self, text: str) -> None:
        self._formatter.write_text(text.replace("-", GLUE))

    def write_dl(self, rows: Any, *arguments: Any, **options: Any) -> None:
        glued = [(first, second.replace("-", GLUE)) for first, second in rows]
        self._formatter.write_dl(glued, *arguments, **options)

    def getvalue(self) -> str:
        return str(self._formatter.getvalue()).replace(GLUE, "-")


def _help(command: Any, context: Any) -> str:
    formatter = _WholeNames(context.make_formatter())
    command.format_help(context, formatter)
    return formatter.getvalue().rstrip("\n")


class Command(TyperCommand):
    """A command whose help does not break names at hyphens."""

    def get_help(self, ctx: Any) -> str:
        return _help(self, ctx)


class Group(TyperGroup):
    """The program; its list of commands shows the whole first sentence of each."""

    def get_help(self, ctx: Any) -> str:
        return _help(self, ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(limit=200)) for name, one in commands.items() if one])
