"""`tengen help`: the help of the program or of one command."""

from typing import Annotated

import typer


def run(
    context: typer.Context,
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="Show the help of this command.")] = "",
) -> None:
    """Show the list of commands, or the help of one command."""
    root = context.find_root()
    arguments = [command, "--help"] if command else ["--help"]
    root.command.main(arguments, prog_name=root.info_name)
