"""The result of a search as one object, for terminals, protocols, records and web pages.

Values of moves are from 0 to 1, from the view of the side to move; scores and ownership are Black's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Any

from tengen.games.game import Game, Position
from tengen.games.svg import board_html, board_svg
from tengen.search.estimate import Estimate, estimate
from tengen.search.move_statistics import MoveStatistics
from tengen.search.sampling import Sampling
from tengen.search.search import Search

SHADES = " .:-=+*#%@"
"""Shades of text heat maps, from least to most."""


@dataclass(frozen=True, kw_only=True)
class MoveAnalysis(MoveStatistics):
    """The statistics of one move, with its notation and its variation."""

    move: str
    rave_weight: float | None = None
    """The weight of the RAVE value in the move's value."""
    variation: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        known = {key: value for key, value in vars(self).items() if value is not None and key not in ("move", "number")}
        return {"move": self.move, **known}


@dataclass(frozen=True)
class Analysis:
    """The result of a search of a position."""

    position: Position
    moves: list[MoveAnalysis]
    """The moves, the best one first."""
    value: float | None
    simulations: int
    """Simulations through the root, including those of a reused subtree."""
    simulations_per_second: float
    proof: str | None = None
    nodes: int | None = None
    """Number of nodes; this and the following fields describe the tree, and are None without one."""
    bytes: int | None = None
    full: bool | None = None
    mean_depth: float | None = None
    deepest: int | None = None
    estimate: Estimate | None = None
    """Score and ownership by playouts from the position, if requested."""

    def __repr__(self) -> str:
        best = f"best {self.moves[0].move}" if self.moves else "no moves"
        value = "unknown" if self.value is None else f"{self.value:.3f}"
        return f"<Analysis: {self.position.to_play} to play, {self.simulations:,} simulations, {best}, value {value}>"

    def __str__(self) -> str:
        return self.table()

    @property
    def ownership(self) -> dict[str, float] | None:
        """The ownership of each place at the end of playouts, from 1 (Black) to -1 (White); None without playouts."""
        return self.estimate.ownership or None if self.estimate else None

    @property
    def score(self) -> float | None:
        """Black's mean margin in playouts from the position."""
        return self.estimate.score if self.estimate else None

    @property
    def score_deviation(self) -> float | None:
        """The standard deviation of the margins in playouts from the position."""
        return self.estimate.deviation if self.estimate else None

    @property
    def best(self) -> MoveAnalysis:
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """Return everything except the position as JSON values."""
        plain = {key: value for key, value in vars(self).items() if key not in ("position", "moves", "estimate")}
        plain |= {key: getattr(self, key) for key in ("ownership", "score", "score_deviation")}
        return {
            "to_play": self.position.to_play,
            **{key: value for key, value in plain.items() if value is not None},
            "moves": [move.to_json() for move in self.moves],
        }

    def table(self, most: int = 10) -> str:
        """Return a table of the `most` best moves, under a line about the tree."""
        header, rows = self._columns(most)
        widths = (6, 9, *(6 for _ in header[2:]))
        lines = [
            " ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)) for row in (header, *rows)
        ]
        ends = ["variation", *(self._variation(move) for move in self.moves[:most])]
        return "\n".join([self._summary(), *(f"{line}  {end}" for line, end in zip(lines, ends, strict=True))])

    def _columns(self, most: int) -> tuple[list[str], list[list[str]]]:
        """Return the titles and the cells of a table of the best moves; only columns that have values."""
        columns: dict[str, Callable[[MoveAnalysis], str]] = {
            "move": lambda move: move.move,
            "visits": lambda move: f"{move.visits:,.0f}",
            "value": lambda move: _percent(move.value),
        }
        if any(move.greedy_value is not None for move in self.moves):
            columns["eval"] = lambda move: _percent(move.greedy_value)
        if any(move.rave_visits for move in self.moves):
            columns["RAVE"] = lambda move: _percent(move.rave_value)
        if any(move.rave_weight is not None for move in self.moves):
            columns["weight"] = lambda move: _percent(move.rave_weight)
        if any(move.prior_weight for move in self.moves):
            columns["prior"] = lambda move: _percent(move.prior)
        if any(move.score is not None for move in self.moves):
            columns["score"] = lambda move: _points(move.score)
        return list(columns), [[write(move) for write in columns.values()] for move in self.moves[:most]]

    @staticmethod
    def _variation(move: MoveAnalysis) -> str:
        """Return the variation that starts with a move, and its proof."""
        remark = f"  (proved {move.proof})" if move.proof else "  (pruned)" if move.pruned else ""
        return f"{' '.join(move.variation)}{remark}"

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the board with a heat map of the visits, and a table of the best moves."""
        header, rows = self._columns(10)
        variations = [self._variation(move) for move in self.moves[:10]]
        lines = [
            "".join(f'<td style="text-align:right">{escape(text)}</td>' for text in row)
            + f'<td style="text-align:left">{escape(variation)}</td>'
            for row, variation in zip(rows, variations, strict=True)
        ]
        titles = "".join(f'<th style="text-align:right">{escape(title)}</th>' for title in header)
        titles += '<th style="text-align:left">variation</th>'
        table = "".join(f"<tr>{line}</tr>" for line in (titles, *lines))
        board = board_html(self.position, self._shares("visits"), self._titles())
        return (
            f'<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start"><div>{board}</div>'
            f"<div><p>{escape(self._summary())}</p><table>{table}</table></div></div>"
        )

    def svg(self, width: int = 400) -> str:
        """Return the board as an SVG picture whose empty cells are coloured by the visits of the moves there."""
        return board_svg(self.position, shades=self._shares("visits"), titles=self._titles(), width=width)

    def _titles(self) -> dict[str, str]:
        """Return the tooltip of each move."""
        return {
            move.move: f"{move.move}: {move.visits:,.0f} visits, value {_percent(move.value).strip()}"
            for move in self.moves
        }

    def _summary(self) -> str:
        parts = [f"{self.position.to_play} to play", f"{self.simulations:,} simulations"]
        if self.simulations_per_second:
            parts.append(f"{self.simulations_per_second:,.0f}/s")
        if self.nodes is not None and self.bytes is not None:
            parts += [f"{self.nodes:,} nodes", f"{self.bytes / 1e6:,.1f} MB" + (" (full)" if self.full else "")]
            parts.append(f"depth {self.mean_depth:.1f}, at most {self.deepest}")
        if self.score is not None:
            parts.append(f"score {self.score:+.1f} ± {self.score_deviation:.1f}")
        if self.proof:
            parts.append(f"proved {self.proof}")
        return " · ".join(parts)

    def heat_map(self, what: str = "visits") -> str:
        """Draw the board with a shade from ' ' (least) to '@' (most) for each move.

        `what` is `visits` (relative to the most visited move), `value`, `rave_value`, `prior` or `ownership`.
        """
        shares = self._shares(what)
        shades = {name: SHADES[min(int(share * len(SHADES)), len(SHADES) - 1)] for name, share in shares.items()}
        return self.position.game.map_diagram(self.position.state, shades)

    def _shares(self, what: str) -> dict[str, float]:
        """Return numbers from 0 to 1 by place, for heat maps; visits are relative to those of the most visited move."""
        if what == "ownership":
            return {name: (1 + owner) / 2 for name, owner in (self.ownership or {}).items()}
        found = {move.move: getattr(move, what) for move in self.moves}
        shares = {name: value for name, value in found.items() if value is not None}
        if what == "visits":
            most = max(shares.values(), default=0) or 1
            shares = {name: value / most for name, value in shares.items()}
        return shares


def _percent(value: float | None) -> str:
    return f"{100 * value:5.1f}%" if value is not None and math.isfinite(value) else "     -"


def _points(value: float | None) -> str:
    return f"{value:+6.1f}" if value is not None else "     -"


@lru_cache(maxsize=10_000)
def name_of(game: Game, move: int) -> str:
    """Return a move in the game's notation: analyses are made several times a second, of the same moves."""
    return game.format_move(move)


def analyse(
    search: Search,
    position: Position,
    playouts: int = 0,
    longest_variation: int = 12,
    *,
    variations: int | None = None,
) -> Analysis:
    """Return the analysis of a search whose root is `position`; with `playouts`, also score and ownership.

    `variations` is the number of moves that have one, the best first, which takes most of the time; default: all.
    """
    listed = search.moves()
    weights = search.rave_weights([found.number for found in listed])

    def described(found: MoveStatistics, place: int) -> MoveAnalysis:
        has_variation = variations is None or place < variations
        variation = search.variation(found.number, longest_variation) if has_variation else []
        return MoveAnalysis(
            **vars(found),
            move=name_of(search.game, found.number),
            rave_weight=weights[place],
            variation=[name_of(search.game, number) for number in variation],
        )

    return Analysis(
        position=position.copy(),
        moves=[described(found, place) for place, found in enumerate(listed)],
        value=search.value(),
        proof=search.root().proof,
        simulations=search.simulations,
        simulations_per_second=search.simulations_per_second,
        nodes=search.nodes,
        bytes=search.nodes * search.bytes_per_node,
        full=search.is_full,
        mean_depth=search.mean_depth,
        deepest=search.deepest,
        estimate=estimate(search.config, position, playouts) if playouts else None,
    )


def analyse_samples(sampling: Sampling, position: Position, playouts: int = 0) -> Analysis:
    """Return the analysis of random games from `position`; with `playouts`, also score and ownership."""

    def described(found: MoveStatistics) -> MoveAnalysis:
        name = sampling.game.format_move(found.number)
        return MoveAnalysis(**vars(found), move=name, variation=[name])

    return Analysis(
        position=position.copy(),
        moves=[described(found) for found in sampling.moves()],
        value=sampling.value(),
        simulations=sampling.simulations,
        simulations_per_second=sampling.simulations_per_second,
        estimate=estimate(sampling.config, position, playouts) if playouts else None,
    )
