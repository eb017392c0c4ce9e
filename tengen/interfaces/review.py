"""A game of Go looked at move by move: how the win rate went, and where it was thrown away."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import replacing
from tengen.games.game import Game, Position
from tengen.search.player import ThinkingPlayer

LONGEST_LINE = 8
"""Moves of a better variation that are shown."""


@dataclass(frozen=True)
class ReviewedMove:
    """One move, and what a search thinks of it."""

    number: int
    colour: str
    move: str
    black_before: float
    """Black's win rate before the move was played: the mean of all that the search tried there."""
    black_after: float
    best: str
    variation: list[str]
    """What should have been played, and what would follow."""

    @property
    def loss(self) -> float:
        """How much of the mover's win rate the move has cost; below 0 if it was better than the search thought."""
        gained = self.black_after - self.black_before
        return -gained if self.colour == "black" else gained

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "loss": self.loss}


def review(position: Position, player: ThinkingPlayer, watch: Callable[[int], None]) -> list[ReviewedMove]:
    """Think about every position of a game in turn; `watch` is told how many are done."""
    going = position.copy()
    while going.history:
        going.undo()
    found: list[tuple[float, str, list[str]]] = []
    for played in [*position.history, None]:
        found.append(_judged(going, player))
        watch(len(found))
        if played is not None:
            going.play(played.move)
    return [
        ReviewedMove(number, played.colour, played.notation, before[0], after[0], before[1], before[2])
        for number, (played, before, after) in enumerate(zip(position.history, found, found[1:], strict=False), 1)
    ]


def _judged(position: Position, player: ThinkingPlayer) -> tuple[float, str, list[str]]:
    """Black's win rate, the best move and its variation."""
    if position.is_over:
        return {"black": 1.0, "white": 0.0}.get(position.winner or "", 0.5), "", []
    analysis = player.analyse(position)
    value = 0.5 if analysis.value is None else analysis.value
    black = value if position.to_play == "black" else 1 - value
    return black, analysis.best.move, analysis.best.variation[:LONGEST_LINE]


def is_blunder(move: ReviewedMove, threshold: float) -> bool:
    """Whether a move has cost so much, and the search would have played another."""
    return move.loss >= threshold and move.move != move.best


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


def draw(moves: list[ReviewedMove], threshold: float, title: str, path: Path) -> None:
    """Draw Black's win rate over the game, with the blunders marked, into a PNG file."""
    try:
        import matplotlib
    except ImportError:
        raise TengenError("pictures need matplotlib: pip install 'tengen[plots]'") from None
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
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


def thinking(player: object, game: Game) -> ThinkingPlayer:
    """The player, if it is one whose thoughts can be read."""
    if not isinstance(player, ThinkingPlayer):
        raise TengenError(f"a game of {game.name} is reviewed by a player that searches, such as mc-rave")
    return player
