"""The result of a search as one object, for terminals, protocols, records and web pages.

Values of moves are from 0 to 1, from the view of the side to move; scores and ownership are Black's.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from tengen.games.game import Position
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
        rave = any(move.rave_visits for move in self.moves)
        weight = any(move.rave_weight is not None for move in self.moves)
        prior = any(move.prior_weight for move in self.moves)
        score = any(move.score is not None for move in self.moves)
        lines = [self._summary(), f"{'move':>6} {'visits':>9} {'value':>6}"]
        lines[1] += f" {'RAVE':>6}" if rave else ""
        lines[1] += f" {'weight':>6}" if weight else ""
        lines[1] += f" {'prior':>6}" if prior else ""
        lines[1] += f" {'score':>6}" if score else ""
        lines[1] += "  variation"
        for move in self.moves[:most]:
            line = f"{move.move:>6} {move.visits:>9,.0f} {_percent(move.value)}"
            line += f" {_percent(move.rave_value)}" if rave else ""
            line += f" {_percent(move.rave_weight)}" if weight else ""
            line += f" {_percent(move.prior)}" if prior else ""
            line += f" {_points(move.score)}" if score else ""
            remark = f"  (proved {move.proof})" if move.proof else "  (pruned)" if move.pruned else ""
            lines.append(f"{line}  {' '.join(move.variation)}{remark}")
        return "\n".join(lines)

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
        if what == "ownership":
            shares = {name: (1 + owner) / 2 for name, owner in (self.ownership or {}).items()}
        else:
            found = {move.move: getattr(move, what) for move in self.moves}
            shares = {name: value for name, value in found.items() if value is not None}
            if what == "visits":
                most = max(shares.values(), default=0) or 1
                shares = {name: value / most for name, value in shares.items()}
        shades = {name: SHADES[min(int(share * len(SHADES)), len(SHADES) - 1)] for name, share in shares.items()}
        return self.position.game.map_diagram(self.position.state, shades)


def _percent(value: float | None) -> str:
    return f"{100 * value:5.1f}%" if value is not None and math.isfinite(value) else "     -"


def _points(value: float | None) -> str:
    return f"{value:+6.1f}" if value is not None else "     -"


def analyse(search: Search, position: Position, playouts: int = 0, longest_variation: int = 12) -> Analysis:
    """Return the analysis of a search whose root is `position`; with `playouts`, also score and ownership."""

    def described(found: MoveStatistics) -> MoveAnalysis:
        variation = search.variation(found.number, longest_variation)
        return MoveAnalysis(
            **vars(found),
            move=search.game.format_move(found.number),
            rave_weight=search.rave_weight(found.number),
            variation=[search.game.format_move(number) for number in variation],
        )

    return Analysis(
        position=position.copy(),
        moves=[described(found) for found in search.moves()],
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
