"""`tengen demo`: show a game of Go between two searches, then a small match, in about a minute."""

from typing import Annotated

import typer

from tengen.interfaces.cli.options import Seed


def run(
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="Duration of the game in seconds.")] = 30.0,
    games: Annotated[int, typer.Option(min=0, max=10_000, help="Number of games of the match; 0: no match.")] = 20,
    seed: Seed = 1,
) -> None:
    """Show a 9x9 game of UCT against MC-RAVE with both analyses, then a small match.

    Both sides have the same time in the game, and the same number of simulations in the match.
    """
    from tengen.interfaces.demonstration import show_game, show_match

    show_game(seconds, seed)
    if games:
        show_match(games, seed)
    print("Next: 'tengen play' starts a game against you.")
    print("'tengen help' lists all commands.")
