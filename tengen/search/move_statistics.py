"""The statistics of one move, as every kind of search reports them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MoveStatistics:
    """The statistics of one move. Values are from 0 to 1, from the view of the side to move."""

    number: int
    visits: float
    """Simulations that began with the move, without the equivalent experience of a prior."""
    value: float | None
    """The proved value, or the mean result with the experience of a prior; None without any experience."""
    rave_visits: float | None = None
    rave_value: float | None = None
    prior: float | None = None
    """The value that a prior gave to the move, and its weight in visits."""
    prior_weight: float | None = None
    greedy_value: float | None = None
    """With final_move=eval: the value in the tree policy's formula without exploration; None without statistics."""
    proof: str | None = None
    """'win', 'draw' or 'loss' if the solver has proved it."""
    score: float | None = None
    """Black's mean margin, if random games are played for each move."""
    pruned: bool | None = None
    """True if the move was excluded as worse than another."""
