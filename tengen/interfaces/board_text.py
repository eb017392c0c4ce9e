"""Boards for the terminal: a game's diagram with the last move in brackets, coloured if the terminal can."""

from functools import cache

from rich.console import Console
from rich.text import Text

from tengen.games.diagrams import SYMBOLS
from tengen.games.game import Game, Position

WOOD = "on #dcb35c"
STONES = {"X": ("●", f"#000000 {WOOD}"), "O": ("●", f"#ffffff {WOOD}"), ".": ("·", f"#8a6d3b {WOOD}")}
MARK = f"bold #c00000 {WOOD}"
PLACE = "\x00"
"""Marks a point in a diagram, to find its line and column."""


@cache
def _board_rows(game: Game) -> dict[int, tuple[int, int]]:
    """Return the lines of a game's diagram that show the board, each with the columns of its first and last point.

    At the start of a game each of them has an empty point, and no line of coordinates has one.
    """
    rows = {}
    for number, line in enumerate(game.start().diagram().splitlines()):
        if SYMBOLS[2] in line:
            places = [column for column, symbol in enumerate(line) if symbol in SYMBOLS]
            rows[number] = (places[0], places[-1] + 1)
    return rows


def _place_of_last_move(position: Position) -> tuple[int, int] | None:
    """Return the line and column of the last move in the diagram; None if it is not on the board."""
    if not position.history:
        return None
    before = position.copy().undo()
    picture = position.game.map_diagram(before.state, {position.history[-1].notation: PLACE})
    for number, line in enumerate(picture.splitlines()):
        if PLACE in line:
            return number, line.index(PLACE)
    return None


def bracketed_diagram(position: Position) -> list[str]:
    """Return the lines of a position's diagram, with brackets around the last move."""
    lines = position.diagram().splitlines()
    if place := _place_of_last_move(position):
        number, column = place
        line = f"{lines[number]} "
        lines[number] = f"{line[: column - 1]}({line[column]}){line[column + 2 :]}".rstrip()
    return lines


def board(position: Position, in_colour: bool) -> Text:
    """Return a position as text for a terminal."""
    lines = bracketed_diagram(position)
    if not in_colour:
        return Text("\n".join(lines))
    rows, drawn = _board_rows(position.game), Text()
    for number, line in enumerate(lines):
        begin, end = rows.get(number, (0, 0))
        for column, symbol in enumerate(line):
            if not begin - 1 <= column <= end or number not in rows:
                drawn.append(symbol, "dim")
            elif symbol in STONES:
                drawn.append(*STONES[symbol])
            else:
                drawn.append(symbol, MARK if symbol in "()" else WOOD)
        drawn.append("\n" if number < len(lines) - 1 else "")
    return drawn


def can_show_colours(console: Console) -> bool:
    """Whether a console is a terminal with colours and UTF-8, which has characters for stones."""
    return console.is_terminal and not console.no_color and console.encoding == "utf-8"


def outcome(position: Position) -> str:
    """Return a sentence with the result of a finished game."""
    if position.winner == "draw":
        return "The game is a draw."
    margin = f" by {abs(position.score):g}" if position.game.has_margin else ""
    return f"{str(position.winner).capitalize()} wins{margin}."
