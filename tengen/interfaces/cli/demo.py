"""`tengen demo`: the engine at work, in about a minute."""

import time
from typing import Annotated

import typer

NAME = "demo"


def run(
    seconds: Annotated[float, typer.Option(min=0.0, max=600, help="How long to show each game.")] = 8.0,
    seed: Annotated[int, typer.Option(help="Another seed, other games.")] = 1,
) -> None:
    """Watch two random players at each game, and see how fast the engine plays such games by itself."""
    from rich.console import Console
    from rich.live import Live
    from rich.panel import Panel

    from tengen.benchmarks.demo import random_game
    from tengen.benchmarks.rows import matching, measure
    from tengen.games.go.game import Go
    from tengen.games.havannah.game import Havannah
    from tengen.games.othello.game import Othello

    console = Console()
    speeds = []
    for title, row, game in (
        ("Go, 9x9", "playouts/go9/uniform", Go(9, ko="simple")),
        ("Othello", "playouts/othello8/uniform", Othello()),
        ("Havannah, base 8", "playouts/havannah8/uniform", Havannah()),
    ):
        console.print(f"[bold]{title}[/bold]: two random players", highlight=False)
        moves = random_game(game, seed)
        position = game.start()
        with Live(console=console, refresh_per_second=20, transient=False) as live:
            for number, move in enumerate(moves, 1):
                position.play(move)
                caption = f"move {number}: {position.history[-1].colour} {position.history[-1].notation}"
                live.update(Panel(position.diagram(), title=title, subtitle=caption, expand=False))
                if console.is_terminal:
                    time.sleep(seconds / len(moves))
        console.print()
        margin = "" if isinstance(game, Havannah) else f" by {abs(position.score):g}"
        winner = position.winner or "nobody"
        console.print("A draw." if winner == "draw" else f"{winner.capitalize()} wins{margin}.", highlight=False)
        with console.status("measuring ..."):
            speed = measure(matching(row)[0], seconds=1.0)
        console.print(
            f"The engine plays [bold]{speed.per_second:,.0f}[/bold] such games a second on one core.\n", highlight=False
        )
        speeds.append((title, speed.per_second))
    console.print(
        "Random games a second: " + " · ".join(f"{title} {speed:,.0f}" for title, speed in speeds), highlight=False
    )
    console.print("Next: [bold]tengen bench[/bold] measures all of it, [bold]tengen --help[/bold] lists the commands.")
