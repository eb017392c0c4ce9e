"""Measure the strength of UCT by one of its settings: a match against plain UCT for each value, and a plot.

    python examples/parameter_sweep.py --games 100 --simulations 500 --workers 0

Each line has the win rate and its 95 % confidence interval. With few games the intervals overlap, and say only that the
difference was not measured. The plot needs matplotlib (`pip install '.[plots]'`).
"""

import argparse
from pathlib import Path

import tengen


def sweep(values: list[float], options: argparse.Namespace) -> dict[float, tengen.MatchResult]:
    """Return the result of a match for each value of the option."""
    opponent = f"uct:simulations={options.simulations}"
    results = {}
    for number, value in enumerate(values, 1):
        player = f"{opponent},{options.option}={value:g}"
        result = tengen.match(
            player, opponent, tengen.Go(options.size), games=options.games, workers=options.workers, seed=options.seed
        )
        low, high = result.interval
        print(
            f"{number}/{len(values)}  {options.option}={value:<6g} "
            f"{result.tally.games} games, rate {result.rate:6.1%}  ({low:.1%} to {high:.1%})",
            flush=True,
        )
        results[value] = result
    return results


def draw(results: dict[float, tengen.MatchResult], option: str, path: Path) -> None:
    """Write a plot of the rates with their intervals as PNG."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("matplotlib is not installed, so there is no plot")
        return
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    rates = [100 * result.rate for result in results.values()]
    lows, highs = zip(*(result.interval for result in results.values()), strict=True)
    below = [rate - 100 * low for rate, low in zip(rates, lows, strict=True)]
    above = [100 * high - rate for rate, high in zip(rates, highs, strict=True)]
    axes.errorbar(list(results), rates, yerr=[below, above], marker="o", capsize=4)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlabel=option, ylabel="win rate against the default, %", ylim=(0, 100))
    figure.savefig(path, dpi=120)
    print(f"plot: {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Win rates of UCT against its defaults by one option.")
    parser.add_argument("--option", default="exploration")
    parser.add_argument("--values", type=float, nargs="+", default=[0.0, 0.5, 1.5])
    parser.add_argument("--games", type=int, default=4, help="per value")
    parser.add_argument("--simulations", type=int, default=50, help="per move")
    parser.add_argument("--size", type=int, default=9, help="of the Go board")
    parser.add_argument("--workers", type=int, default=1, help="games at a time; 0: one per core")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, default=Path("parameter_sweep.png"), help="file of the plot")
    options = parser.parse_args()
    draw(sweep(options.values, options), options.option, options.plot)


if __name__ == "__main__":
    main()
