"""What `tengen demo` shows: a game on a live board between two searches and what they think, and a match of the two."""

import time

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tengen import parallel
from tengen.arena.live import LiveView
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.runner import run_pairings
from tengen.arena.store import Store
from tengen.arena.tables import match_lines
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import COLOURS, Position
from tengen.games.go.game import Go
from tengen.interfaces.board import board, can_show_colours, outcome
from tengen.players import parse_search
from tengen.search.analysis import Analysis
from tengen.search.player import SearchPlayer

GAME = Go(9)
SIDES = {"black": "uct", "white": "mc-rave"}
MATCH_SIMULATIONS = 500
MOVES_SHOWN = 8
"""By each side: as many as fit beside a 9x9 board."""


def show_game(seconds: float, seed: int) -> None:
    """One game, in which each side has half of the time."""
    console, position = Console(highlight=False), GAME.start()
    players = {colour: SearchPlayer(parse_search(name), GAME) for colour, name in SIDES.items()}
    clocks = {colour: Clock(TimeControl(seconds / 2)) for colour in COLOURS}
    found: dict[str, Analysis] = {}
    for number, player in enumerate(players.values()):
        player.new_game(2 * seed + number)
    with Live(console=console, auto_refresh=False) as live:
        while not position.is_over:
            colour = position.to_play
            began = time.perf_counter()
            move = players[colour].choose(position, clocks[colour])
            clocks[colour].spend(time.perf_counter() - began)
            found[colour] = players[colour].analysis(position)
            position.play(move)
            live.update(_screen(position, found, clocks, can_show_colours(console)), refresh=True)
    console.print(f"\n{outcome(position)}\n")


def _screen(position: Position, found: dict[str, Analysis], clocks: dict[str, Clock], in_colour: bool) -> Group:
    """The board between the two analyses, and the last move below."""
    played = position.history[-1]
    columns = Table.grid(padding=(0, 1))
    columns.add_row(
        _thoughts("black", found, clocks), Panel(board(position, in_colour)), _thoughts("white", found, clocks)
    )
    return Group(columns, Text(f"move {len(position.history)}: {played.colour} {played.notation}"))


def _thoughts(colour: str, found: dict[str, Analysis], clocks: dict[str, Clock]) -> Panel:
    """What a side thought of its last move."""
    moves = Table.grid(padding=(0, 1))
    for _ in range(3):
        moves.add_column(justify="right")
    moves.add_row("move", "visits", "wins")
    analysis = found.get(colour)
    for move in analysis.moves[:MOVES_SHOWN] if analysis else []:
        moves.add_row(move.move, f"{move.visits:,.0f}", "-" if move.value is None else f"{100 * move.value:.1f} %")
    below = "" if analysis is None else f"{analysis.simulations_per_second:,.0f}/s"
    title, subtitle = f"{colour}: {SIDES[colour]}", f"{clocks[colour].main_left:.0f} s · {below}"
    return Panel(moves, title=title, subtitle=subtitle, width=26, height=GAME.size + 3)


def show_match(games: int, seed: int) -> None:
    """A match with equal numbers of simulations, on all cores; and what it says."""
    first, second = (
        Entrant.of(f"{name}:simulations={MATCH_SIMULATIONS},memory=100", name) for name in reversed(SIDES.values())
    )
    print(f"A match of {games} games with {MATCH_SIMULATIONS:,} simulations a move, colours alternating:", flush=True)
    pairing = Pairing(first, second, Conditions(GAME, seed=seed), games)
    with parallel.start("processes", 0, "") as pool, Store(":memory:") as kept:
        with LiveView([pairing], kept.tallies()) as view:
            run_pairings([pairing], kept, pool, watch=view)
        print("\n".join(match_lines(pairing.name, kept.tallies()[pairing.name], kept.by_colour()[pairing.name])))
