"""A reviewed game as people read it: lines of a table, comments and variations of a record, and a picture."""

from pathlib import Path

from tengen.arena.game_review import ReviewedMove, is_blunder
from tengen.figures import new_figure
from tengen.files import replacing
from tengen.games.records import Variation


def line(move: ReviewedMove, threshold: float) -> str:
    """A move as a line of a table."""
    change = 100 * (move.black_after - move.black_before)
    text = f"{move.number:>4} {move.colour:<5} {move.move:<4} {100 * move.black_after:5.1f} % {change:+6.1f}"
    if is_blunder(move, threshold):
        text += f"   blunder: {' '.join(move.variation)} was better"
    return text


def remark(move: ReviewedMove, threshold: float) -> str:
    """A move's comment in a record."""
    text = f"Black wins {100 * move.black_after:.1f} %."
    if is_blunder(move, threshold):
        text += f" A blunder, which costs {100 * move.loss:.1f} %: better was {' '.join(move.variation)}."
    return text


def better_lines(moves: list[ReviewedMove]) -> dict[int, Variation]:
    """Return the lines that the searches prefer to moves of the game, by the numbers of these moves."""
    return {
        move.number: Variation(
            move.colour, tuple(move.variation), f"Black wins {100 * move.black_before:.1f} % after {move.best}."
        )
        for move in moves
        if move.has_better
    }


def draw(moves: list[ReviewedMove], threshold: float, title: str, path: Path) -> None:
    """Draw Black's win rate over the game, with the blunders marked, into a PNG file."""
    figure = new_figure(9, 4, who="it needs", layout="constrained")
    axes = figure.subplots()
    rates = [100 * rate for rate in [moves[0].black_before, *(move.black_after for move in moves)]]
    axes.plot(range(len(rates)), rates, color="C0")
    axes.fill_between(range(len(rates)), 50, rates, alpha=0.2)
    for colour, face in (("black", "black"), ("white", "white")):
        marked = [move for move in moves if move.colour == colour and is_blunder(move, threshold)]
        places, heights = [move.number for move in marked], [100 * move.black_after for move in marked]
        axes.scatter(places, heights, color=face, edgecolors="C3", zorder=3, label=f"{colour}'s blunders")
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlim=(0, len(moves)), ylim=(0, 100), xlabel="move", ylabel="Black's win rate, %", title=title)
    axes.legend(loc="upper right")
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=120, format="png")
