"""Drawing of the likelihood and of the prediction of moves by gammas with matplotlib."""

from pathlib import Path

from tengen.figures import new_figure
from tengen.files import replacing
from tengen.learning.gamma_training import GammaTraining


def plot_curve(training: GammaTraining, path: Path) -> None:
    """Draw the likelihood over the steps, and how often the move played is among the first of the ranking."""
    curve, settings = training.progress.curve, training.settings
    steps = [point["steps"] for point in curve]
    figure = new_figure(10, 4.5, layout="constrained")
    likelihood, prediction = figure.subplots(1, 2)
    for name, label in (("log_likelihood", "games learnt from"), ("holdout_log_likelihood", "other games")):
        likelihood.plot(steps, [point[name] for point in curve], marker="o", markersize=3, label=label)
    likelihood.set(
        xlabel="steps",
        ylabel="mean log-likelihood of the move played",
        title=f"Gammas with {settings.patterns} patterns, {settings.size}x{settings.size}",
    )
    likelihood.legend()
    shares = [100 * share for share in training.prediction]
    prediction.plot(range(1, len(shares) + 1), shares, marker="o", markersize=3)
    prediction.set(
        xlabel="moves of highest probability",
        ylabel="move played is among them, %",
        ylim=(0, 101),
        title="Prediction of moves in the other games",
    )
    for axes in (likelihood, prediction):
        axes.grid(alpha=0.3)
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=120)
