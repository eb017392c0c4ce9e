"""The output of `tengen demo`: a game between two searches on a live board with their analyses, and a match."""

import time

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tengen import parallel
from tengen.arena.live import LiveView
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.runner import start_and_run
from tengen.arena.store import Store
from tengen.arena.tables import match_lines
from tengen.games.catalogue import make_game
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import COLOURS, Position
from tengen.interfaces.board_text import board, can_show_colours, outcome
from tengen.players import parse_search
from tengen.search.analysis import Analysis
from tengen.search.search_player import SearchPlayer

GAME = make_game(size=9)
SIDES = {"black": "uct", "white": "mc-rave"}
MATCH_SIMULATIONS = 500
SIDE_BY_SIDE = 80
"""Least width of a terminal, in columns, for the board between the two analyses; else the board is above them."""
TALL, LOW = GAME.gtp_board_size + 3, 10
"""Lines of an analysis beside the board and below it: the screen must fit 24 lines."""


def show_game(seconds: float, seed: int) -> None:
    """Show one game in which each side has half of the time."""
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
            move = players[colour].choose_number(position, clocks[colour])
            clocks[colour].spend(time.perf_counter() - began)
            found[colour] = players[colour].analysis(position)
            position.play(move)
            live.update(_screen(position, found, clocks, console), refresh=True)
    console.print(f"\n{outcome(position)}\n")


def _screen(position: Position, found: dict[str, Analysis], clocks: dict[str, Clock], console: Console) -> Group:
    """Return the board between the two analyses, or above them in a narrow terminal, and the last move."""
    played = position.history[-1]
    shown = Panel(board(position, can_show_colours(console)), expand=False)
    is_narrow = console.width < SIDE_BY_SIDE
    black, white = (_analysis_panel(colour, found, clocks, LOW if is_narrow else TALL) for colour in COLOURS)
    columns = Table.grid(padding=(0, 1))
    last = Text(f"move {len(position.history)}: {played.colour} {played.notation}")
    if is_narrow:
        columns.add_row(black, white)
        return Group(shown, columns, last)
    columns.add_row(black, shown, white)
    return Group(columns, last)


def _analysis_panel(colour: str, found: dict[str, Analysis], clocks: dict[str, Clock], height: int) -> Panel:
    """Return the best moves of a side's last search, in a panel of `height` lines."""
    moves = Table.grid(padding=(0, 1))
    for _ in range(3):
        moves.add_column(justify="right")
    moves.add_row("move", "visits", "wins")
    analysis = found.get(colour)
    for move in analysis.moves[: height - 3] if analysis else []:
        moves.add_row(move.move, f"{move.visits:,.0f}", "-" if move.value is None else f"{100 * move.value:.1f} %")
    below = "" if analysis is None else f"{analysis.simulations_per_second:,.0f}/s"
    title, subtitle = f"{colour}: {SIDES[colour]}", f"{clocks[colour].main_left:.0f} s · {below}"
    return Panel(moves, title=title, subtitle=subtitle, width=26, height=height)


def show_match(games: int, seed: int) -> None:
    """Play a match with equal numbers of simulations on all cores, and print the result."""
    first, second = (
        Entrant.of(f"{name}:simulations={MATCH_SIMULATIONS},memory=100", name) for name in reversed(SIDES.values())
    )
    console = Console(highlight=False)
    console.print(f"A match of {games} games with {MATCH_SIMULATIONS:,} simulations per move, colours alternating:")
    pairing = Pairing(first, second, Conditions(GAME, seed=seed), games)
    with Store(":memory:") as kept:
        start_and_run([pairing], kept, parallel.start, view=LiveView([pairing], kept.tallies()))
        lines = match_lines(pairing.name, kept.tallies()[pairing.name], kept.by_colour()[pairing.name])
        console.print("\n".join(lines), markup=False)
