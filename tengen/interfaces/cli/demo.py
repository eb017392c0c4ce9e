"""`tengen demo`: two searches play a game of Go, and then a small match, in about a minute."""

from typing import Annotated

import typer

from tengen.interfaces.cli.options import Seed


def run(
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="How long the game on the board may take.")] = 30.0,
    games: Annotated[int, typer.Option(min=0, max=10_000, help="Games of the match that follows.")] = 20,
    seed: Seed = 1,
) -> None:
    """Watch UCT play MC-RAVE on a 9x9 board, with what both think; then see them in a small match.

    In the game both have the same time, in the match the same number of simulations.
    """
    from tengen.interfaces.demonstration import show_game, show_match

    show_game(seconds, seed)
    if games:
        show_match(games, seed)
    print("Next: 'tengen play' is a game against you.")
    print("'tengen help' lists all commands.")
