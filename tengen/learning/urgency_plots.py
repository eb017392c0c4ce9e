"""Drawing of the learning curve of urgencies with matplotlib."""

from pathlib import Path

from tengen.figures import new_figure
from tengen.files import replacing
from tengen.learning.urgency_training import UrgencyTraining


def plot_curve(training: UrgencyTraining, path: Path) -> None:
    """Draw the margins against Zero and Manual at the low level, and the entropy, over the number of games."""
    curve, settings = training.progress.curve, training.settings
    games = [point["games"] for point in curve]
    figure = new_figure(7, 6, layout="constrained")
    margins, entropy = figure.subplots(2, sharex=True, height_ratios=(3, 2))
    for opponent in ("zero", "manual"):
        values, errors = ([point[name] for point in curve] for name in (opponent, f"{opponent}_error"))
        margins.errorbar(games, values, yerr=errors, marker="o", markersize=3, label=f"against {opponent}")
    margins.axhline(0, color="grey", linewidth=0.8)
    margins.set(
        ylabel="mean margin, points",
        title=f"Urgencies learnt by method {training.name}, {settings.size}x{settings.size}: without search",
    )
    margins.legend()
    entropy.plot(games, [100 * point["entropy"] for point in curve], marker="o", markersize=3, color="tab:green")
    entropy.set(xlabel="games of self-play", xscale="log", ylabel="entropy, % of uniform", ylim=(0, 105))
    for axes in (margins, entropy):
        axes.grid(alpha=0.3)
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=120)
