"""What a search has found: one object for terminals, protocols, records and pages.

Values of moves are those of the side to move, from 0 to 1; scores and ownership are Black's.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tengen.games import interface
from tengen.games.game import Position
from tengen.policies.named import policy_record, state_record
from tengen.rng import mix_integer, seeded
from tengen.search.estimate import estimate
from tengen.search.search import Search
from tengen.search.selection import rave_weight
from tengen.search.solver import DRAWN, LOST, UNKNOWN, WON
from tengen.search.tree import CLOSED, NO_CHILD, ROOT

PROOFS = {int(UNKNOWN): None, LOST: "loss", DRAWN: "draw", WON: "win"}
PROVED_VALUES = {LOST: 0.0, DRAWN: 0.5, WON: 1.0}
SHADES = " .:-=+*#%@"
"""From least to most, for heat maps in text."""


@dataclass(frozen=True)
class MoveAnalysis:
    """What a search has found out about one move."""

    move: str
    number: int
    visits: float
    value: float | None
    rave_visits: float | None = None
    rave_value: float | None = None
    rave_weight: float | None = None
    prior: float | None = None
    prior_weight: float | None = None
    proof: str | None = None
    score: float | None = None
    """Black's mean margin, where random games are played for each move."""
    pruned: bool | None = None
    """True if the move was left out as worse than another."""
    variation: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if value is not None and key != "number"}


@dataclass(frozen=True)
class Analysis:
    """What a search has found out about a position."""

    position: Position
    moves: list[MoveAnalysis]
    """The best one first."""
    value: float | None
    simulations: int
    """That the root has seen, those kept from earlier moves included."""
    simulations_per_second: float
    proof: str | None = None
    nodes: int | None = None
    """Of the tree, and what follows too; None where there is no tree."""
    bytes: int | None = None
    full: bool | None = None
    mean_depth: float | None = None
    deepest: int | None = None
    ownership: dict[str, float] | None = None
    score: float | None = None
    """Black's mean margin in playouts from here, and its standard deviation."""
    score_deviation: float | None = None

    def __repr__(self) -> str:
        best = f"best {self.moves[0].move}" if self.moves else "no moves"
        value = "unknown" if self.value is None else f"{self.value:.3f}"
        return f"<Analysis: {self.position.to_play} to play, {self.simulations:,} simulations, {best}, value {value}>"

    def __str__(self) -> str:
        return self.table()

    @property
    def best(self) -> MoveAnalysis:
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """Everything but the position, in terms that JSON has."""
        plain = {
            key: value for key, value in self.__dict__.items() if key not in ("position", "moves") and value is not None
        }
        return {
            "to_play": self.position.to_play,
            **plain,
            "moves": [move.to_json() for move in self.moves],
        }

    def table(self, most: int = 10) -> str:
        """The best moves, a line each, under a line about the tree."""
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


def playout_estimate(config: Any, position: Position, playouts: int) -> dict[str, Any]:
    """Who owns what at the end of so many playouts by a config's policy, and by how much they are won."""
    if not playouts:
        return {}
    game, states = position.game, np.zeros(2, state_record(config, position.game))
    states[0] = position.state_as(states.dtype)
    line = np.zeros(game.longest_playout + 2, np.uint16)
    policy = policy_record(config, game)
    owners, scores = estimate(policy, states, seeded(config.seed, 1), line, game.move_slots, playouts)
    ownership = {name: float(owners[slot]) for slot, name in game.places().items()} or None
    return {"ownership": ownership, "score": float(scores.mean()), "score_deviation": float(scores.std())}


def analyse(search: Search, position: Position, playouts: int = 0, longest_variation: int = 12) -> Analysis:
    """What the tree says of its root, which is this position; with playouts, who owns what in the end."""
    work, memory = search.memory.work, search.memory
    ranking = ranked(search)
    simulations = int(work.simulations)
    return Analysis(
        position=position.copy(),
        moves=[_move(search, slot, longest_variation) for slot in ranking],
        value=_mean_value(search),
        proof=PROOFS[int(memory.proofs[ROOT].node)] if memory.proofs.size > 1 else None,
        simulations=simulations,
        simulations_per_second=int(work.depth_count) / search.seconds if search.seconds else 0.0,
        nodes=search.nodes,
        bytes=search.nodes * search.bytes_per_node,
        full=search.is_full,
        mean_depth=int(work.depth_sum) / max(1, int(work.depth_count)),
        deepest=int(work.deepest),
        **playout_estimate(search.config, position, playouts),
    )


def ranked(search: Search, untried: bool = True) -> list[int]:
    """Return the moves of the root, the one to play first: by visits or by value, proved wins first, losses last.

    Ties are broken by the other of visits and value, then by the prior, then at random, the same for the same seed.
    A proved draw comes before moves of unknown worth only if the best of these looks no better. Moves that no
    simulation has tried come last; to test them takes time, so they can be left out unless there is little else.
    """
    row, proofs, visits = search.row(), _proofs(search), true_visits(search)
    values = np.clip(row.wins / np.maximum(row.visits, 1e-30), 0.0, 1.0)
    prior = search.memory.priors[ROOT].value if search.memory.priors.size > 1 else np.zeros(row.visits.size)
    slots = [int(slot) for slot in np.flatnonzero((row.wins > CLOSED) | (proofs != UNKNOWN))]
    tried = [slot for slot in slots if visits[slot] > 0]
    untried = untried or len(tried) < 2
    slots = [slot for slot in slots if visits[slot] > 0 or (untried and _is_playable(search, slot))]
    unknown = [slot for slot in slots if proofs[slot] == UNKNOWN and visits[slot] > 0]
    hope = float(values[max(unknown, key=lambda slot: visits[slot])]) if unknown else 0.0
    rank = {WON: 3, DRAWN: 2 if hope <= 0.5 else 0, UNKNOWN: 1, LOST: -1}

    def merit(slot: int) -> tuple[float, ...]:
        value = PROVED_VALUES.get(int(proofs[slot]), float(values[slot]) if visits[slot] > 0 else 0.0)
        pair = (value, float(visits[slot])) if search.config.final_move == "value" else (float(visits[slot]), value)
        return rank[int(proofs[slot])], *pair, float(prior[slot]), mix_integer(int(search.memory.rng[0]) + slot)

    return sorted(slots, key=merit, reverse=True)


def true_visits(search: Search) -> np.ndarray:
    """The visits of the root's moves without what a prior has put there."""
    row, memory = search.row(), search.memory
    prior = memory.priors[ROOT].visits if memory.priors.size > 1 else 0.0
    return np.asarray((row.visits - prior) * row.scale)


def _is_playable(search: Search, slot: int) -> bool:
    """Whether a move that no simulation has tried, and tested by that, may be played."""
    return bool(interface.is_candidate(search.memory.states[0], slot)) and search.position.is_legal(slot)


def tried_values(search: Search, share: float = 0.01) -> dict[int, float]:
    """The values of the root's moves that have had a share of its visits, as the side to move sees them."""
    row, proofs = search.row(), _proofs(search)
    enough = share * float(row.visits[row.wins > CLOSED].sum(dtype=np.float64))
    tried = (row.wins > CLOSED) & (row.visits > 0) & (row.visits >= enough)
    values = {int(slot): _value(row.wins[slot], row.visits[slot]) for slot in np.flatnonzero(tried)}
    return values | {int(slot): PROVED_VALUES[int(proofs[slot])] for slot in np.flatnonzero(proofs)}


def _proofs(search: Search, node: int = ROOT) -> np.ndarray:
    if search.memory.proofs.size > 1:
        return np.asarray(search.memory.proofs[node].moves)
    return np.zeros(search.row(node).visits.size, np.uint8)


def proof_of(search: Search, slot: int) -> int:
    """Return what the solver has proved about a move of the root: UNKNOWN, LOST, DRAWN or WON."""
    return int(_proofs(search)[slot])


def _mean_value(search: Search) -> float | None:
    """What the root is worth: as proved, or the mean of all results."""
    row, memory = search.row(), search.memory
    if memory.proofs.size > 1 and memory.proofs[ROOT].node != UNKNOWN:
        return PROVED_VALUES[int(memory.proofs[ROOT].node)]
    is_open = (row.wins > CLOSED) & (row.visits > 0)
    visits = float(row.visits[is_open].sum(dtype=np.float64))
    return _value(row.wins[is_open].sum(dtype=np.float64), visits) if visits else None


def _value(wins: float, visits: float) -> float:
    """Return wins / visits within [0, 1]: sums of weighted results may leave it by a rounding error."""
    return min(1.0, max(0.0, float(wins / visits)))


def _move(search: Search, slot: int, longest: int) -> MoveAnalysis:
    row, memory = search.row(), search.memory
    proof = int(_proofs(search)[slot])
    visits = float(true_visits(search)[slot])
    value = _value(row.wins[slot], row.visits[slot]) if row.visits[slot] > 0 else None
    if proof != UNKNOWN:
        value = PROVED_VALUES[proof]
    rave: dict[str, Any] = {}
    if search.config.rave:
        rave_visits = float(row.rave_visits[slot])
        rave = {"rave_visits": rave_visits}
        if rave_visits > 0:
            rave["rave_value"] = float(row.rave_wins[slot]) / rave_visits
            rave["rave_weight"] = float(
                rave_weight(search.algorithm.tree_policy, row, float(row.visits[slot] * row.scale), rave_visits)
            )
    prior: dict[str, Any] = {}
    if memory.priors.size > 1:
        said = memory.priors[ROOT]
        prior = {"prior": float(said.value[slot]), "prior_weight": float(said.weight[slot])}
    return MoveAnalysis(
        move=search.game.format_move(slot),
        number=slot,
        visits=visits,
        value=value,
        proof=PROOFS[proof],
        variation=_variation(search, slot, longest),
        **rave,
        **prior,
    )


def _variation(search: Search, slot: int, longest: int) -> list[str]:
    """A move and what the tree expects after it: the most visited moves."""
    names, node = [search.game.format_move(slot)], ROOT
    while len(names) < longest:
        node = int(search.row(node).child[slot])
        if node == NO_CHILD:
            break
        row, proofs = search.row(node), _proofs(search, node)
        visits = np.where((row.wins > CLOSED) | (proofs != UNKNOWN), row.visits, -1.0)
        slot = int((proofs == WON).argmax() if (proofs == WON).any() else visits.argmax())
        if visits[slot] <= 0:
            break
        names.append(search.game.format_move(slot))
    return names
