"""Drawing of the learning curve with matplotlib."""

from pathlib import Path

from tengen.figures import new_figure
from tengen.files import replacing
from tengen.learning.strength import OPPONENTS
from tengen.learning.training import Training

SHOWN = {"uniform": "the uniform random policy", "mogo": "MoGo's policy"}


def plot_curve(training: Training, path: Path) -> None:
    """Draw the greedy policy's win rates against other policies over the number of games of self-play."""
    curve, settings = training.progress.curve, training.settings
    figure = new_figure(7, 4.5, layout="constrained")
    axes = figure.subplots()
    for opponent in OPPONENTS:
        games = [point["games"] for point in curve]
        rates = [100 * point[opponent] for point in curve]
        errors = [100 * (point[opponent] * (1 - point[opponent]) / point["duels"]) ** 0.5 for point in curve]
        axes.errorbar(games, rates, yerr=errors, marker="o", markersize=3, label=f"against {SHOWN[opponent]}")
    axes.set(
        xlabel="games of self-play",
        xscale="log",
        ylabel="games won, %",
        ylim=(0, 101),
        title=f"Greedy play by learnt shapes, {settings.size}x{settings.size}",
    )
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=120)
