"""Plots of results with matplotlib: ratings or rates with intervals, and rates by number of games."""

from pathlib import Path
from typing import Any

import numpy as np

from tengen.arena.scores import wilson_interval
from tengen.arena.store import Store
from tengen.arena.tables import Standings
from tengen.figures import check_format, new_figure, save_figure

MOST_LINES = 10
"""Most pairings that are drawn; more lines cannot be told apart."""


def plot(store: Store, found: Standings, path: Path) -> None:
    """Draw the results into a file: above, each player's rating; below, each pairing's rate by number of games."""
    check_format(path)
    height = max(1.2, 0.35 * len(found.players))
    figure = new_figure(8, height + 4.5, layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=[height, 4])
    _draw_players(above, found)
    _draw_courses(below, store)
    save_figure(figure, path)


def _draw_players(axes: Any, found: Standings) -> None:
    """Draw a dot with its interval for each player: the rating, or the rate if there are no ratings."""
    for place, player in enumerate(found.players):
        rating = found.rating(player)
        if rating is None:
            tally = found.totals[player]
            rating = (tally.rate or 0.0, *tally.interval())
        middle, low, high = rating
        axes.errorbar(middle, place, xerr=[[middle - low], [high - middle]], fmt="o", capsize=3, color="C0")
    axes.set_yticks(range(len(found.players)), found.players)
    axes.set_ylim(len(found.players) - 0.5, -0.5)
    axes.set_xlabel("rate" if found.ratings is None else "Elo, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)


def _draw_courses(axes: Any, store: Store) -> None:
    """Draw the first player's rate after each game, in order of game number; with intervals for one or two pairings."""
    pairings = list(store.tallies())[:MOST_LINES]
    for line, pairing in enumerate(pairings):
        totals = np.cumsum([points for _, points in store.points(pairing)])
        counts = np.arange(1, len(totals) + 1)
        axes.plot(counts, totals / counts, color=f"C{line}", label=pairing)
        if len(pairings) <= 2:  # more intervals would hide each other
            lows, highs = np.transpose([wilson_interval(float(total), count) for count, total in enumerate(totals, 1)])
            axes.fill_between(counts, lows, highs, color=f"C{line}", alpha=0.15, linewidth=0)
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set(xlabel="games", ylabel="rate of the first player", ylim=(0, 1))
    axes.legend(fontsize="small")
