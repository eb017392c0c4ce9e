"""Drawing of the errors of playouts during simulation balancing with matplotlib."""

from pathlib import Path

from tengen.figures import new_figure
from tengen.files import replacing
from tengen.learning.balance_training import BalanceTraining


def plot_curve(training: BalanceTraining, path: Path) -> None:
    """Draw the squared error and its parts, and the mean error, on the held-out positions over the steps."""
    curve, settings = training.progress.curve, training.settings
    steps = [point["steps"] for point in curve]
    figure = new_figure(10, 4.5, layout="constrained")
    squares, signed = figure.subplots(1, 2)
    for name, label in (
        ("mse", f"mean of {settings.check_playouts:,} playouts"),
        ("squared_bias", "expected result of a playout"),
    ):
        squares.plot(steps, [point[name] for point in curve], marker="o", markersize=3, label=label)
    squares.set(
        xlabel="steps",
        ylabel="mean squared error",
        ylim=(0, None),
        title=f"Error on {len(training.held_out):,} other positions, {settings.size}x{settings.size}",
    )
    squares.legend()
    signed.plot(steps, [point["bias"] for point in curve], marker="o", markersize=3)
    signed.axhline(0, color="grey", linewidth=1)
    signed.set(xlabel="steps", ylabel="mean error, for Black", title="Bias")
    for axes in (squares, signed):
        axes.grid(alpha=0.3)
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=120)
