"""The messages of the server about searches: analyses, hints, scores, trees and single simulations.

As in `replies`: null fields are left out, and values are from the view of the side to move at the node.
"""

from typing import Literal

from tengen.interfaces.web.messages import Colour
from tengen.interfaces.web.replies import PlayedMove, Reply, ServerMessage


class MoveReport(Reply):
    """The statistics of one move of a node."""

    move: str
    visits: float
    """Simulations that began with the move, without the equivalent experience of a prior."""
    value: float | None = None
    """The win rate, or the proved value; null without experience."""
    rave_visits: float | None = None
    rave_value: float | None = None
    rave_weight: float | None = None
    """The weight beta of the RAVE value in the value of the move, from 0 to 1."""
    prior: float | None = None
    """The value that a prior gave to the move."""
    prior_weight: float | None = None
    """The equivalent experience of the prior, in visits."""
    greedy_value: float | None = None
    """The value in the tree policy's formula without exploration, for players with final_move=eval."""
    selection_value: float | None = None
    """The value in the tree policy's formula, which selects the highest; only in `tree` and `step`. Null there if it is
    infinite: the move is tried before all others."""
    proof: Literal["win", "draw", "loss"] | None = None
    score: float | None = None
    """Black's mean margin, for players that play random games for each move."""
    pruned: bool | None = None
    """True if the move was excluded as worse than another."""
    variation: tuple[str, ...] = ()
    """The principal variation from this move on; only for the best ten moves of an analysis."""


class Panel(Reply):
    """The state of one player's search."""

    player: str
    """The player in one line."""
    simulations: int
    """Simulations through the root, including those of a reused subtree."""
    simulations_per_second: float
    nodes: int | None = None
    """Nodes of the tree; null, as the next four, for players without a tree."""
    bytes: int | None = None
    full: bool | None = None
    """Whether a node could not be added for lack of memory."""
    mean_depth: float | None = None
    """Mean number of moves that a simulation has selected in the tree."""
    deepest: int | None = None
    """Maximum number of moves that a simulation has selected in the tree."""
    value: float | None = None
    """The win rate of the side to move."""
    black_win_rate: float | None = None
    """Black's win rate, by the best move."""
    proof: Literal["win", "draw", "loss"] | None = None
    best: str | None = None
    """The move that the player would play."""
    moves: list[MoveReport]
    """All moves, the best first."""


class Analysis(ServerMessage):
    """The searches of a running or stopped analysis."""

    type: Literal["analysis"] = "analysis"
    move_number: int
    """Number of moves before the position searched."""
    to_play: Colour
    running: bool
    panels: list[Panel]
    """One for each player of `start_analysis`, in that order."""


class Thinking(ServerMessage):
    """The search of a player that is about to move, several times a second; the last one has `active` false."""

    type: Literal["thinking"] = "thinking"
    colour: Colour
    active: bool
    panel: Panel | None = None
    """The search so far, for players that search."""


class Hint(ServerMessage):
    """The best move of the shown position."""

    type: Literal["hint"] = "hint"
    move_number: int
    """Number of moves before the position searched."""
    move: str
    """The best move, or "resign"."""
    panel: Panel | None = None
    """The search, for players that search."""


class Score(ServerMessage):
    """An estimate of the end of the game by playouts."""

    type: Literal["score"] = "score"
    move_number: int
    """Number of moves before the position searched."""
    playouts: int
    margin: float | None = None
    """Black's margin if the game ended now; null for games without points."""
    mean: float
    """Black's mean margin at the end of the playouts."""
    deviation: float
    """Standard deviation of the margins."""
    ownership: dict[str, float]
    """By the name of a cell, from 1 (Black's) to -1 (White's); empty in games without ownership."""


class TreeMove(MoveReport):
    """A move of a node, and whether the tree goes on there."""

    has_node: bool
    """Whether `tree` can be asked for the path with this move."""


class Tree(ServerMessage):
    """The moves of a node, the best first."""

    type: Literal["tree"] = "tree"
    panel: int
    path: list[str]
    to_play: Colour
    """The side to move at the node."""
    simulations: float
    """Simulations through the node."""
    value: float | None = None
    proof: Literal["win", "draw", "loss"] | None = None
    moves: list[TreeMove]
    count: int
    """Number of moves of the node, of which `moves` has the first."""


class SelectedMove(Reply):
    """Phase 1, selection: a move that the tree policy selected at a node of the tree."""

    colour: Colour
    move: str
    is_new: bool
    """Whether the move had no node before, so that selection ended with it."""
    moves: list[MoveReport]
    """The best moves of the node before the simulation, by `selection_value`, the selected one among them."""


class Update(Reply):
    """Phase 4, backup: the change of the selected move's statistics at a node."""

    path: list[str]
    """The moves from the root to the node."""
    colour: Colour
    """The side to move at the node."""
    move: str
    before: MoveReport
    after: MoveReport
    rave: list[str]
    """The moves of the node whose RAVE values were changed."""


class Step(ServerMessage):
    """One simulation: its four phases."""

    type: Literal["step"] = "step"
    panel: int
    simulation: int
    """The number of the simulation in the tree, from 1."""
    selection: list[SelectedMove]
    """Phase 1: the moves selected, from the root."""
    expanded: list[str] | None = None
    """Phase 2: the moves from the root to the node that was added; null if none was (threshold, end, memory)."""
    playout: list[PlayedMove]
    """Phase 3: the moves of the playout, after those of the selection; empty if the selection ended the game."""
    black_result: float
    """The result: 1 if Black wins, 0.5 for a draw, 0 if White wins."""
    black_score: float | None = None
    """Black's margin at the end; null for games without points."""
    final_stones: str | None = None
    """The board at the end of the playout, as `stones` of a position; null if the search's records cannot show it."""
    backup: list[Update]
    """Phase 4: the nodes that were updated, from the last to the root."""
