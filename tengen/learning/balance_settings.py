"""The settings of simulation balancing, and of the searches for the values of its positions."""

from dataclasses import dataclass

from tengen.errors import TengenError
from tengen.options import checked_setting, option


@dataclass(frozen=True)
class BalanceSettings:
    """All that determines the gammas, except the positions, the gammas to start from and the number of steps."""

    size: int = option(9, "board size", low=2, high=25)
    komi: float = option(7.5, "komi", low=-1000, high=1000)
    alpha: float = option(60.0, "step size of the gradient descent", low=0, high=1e6)
    shapes: float = option(0.5, "factor of the step size for the gammas of shapes; 0: they stay", low=0, high=1000)
    batch: int = option(160, "positions of a step", low=1, high=100_000)
    playouts: int = option(
        25, "playouts M for the mean, and as many, N, for its gradient; each serves both", low=1, high=10**6
    )
    decided: float = option(0.25, "largest share of positions with values below 0.05 or above 0.95", low=0, high=1)
    holdout: int = option(5, "of each so many positions, one is not learnt from", low=2, high=10**6)
    check_playouts: int = option(400, "playouts from each held-out position in a measurement", low=2, high=10**7)
    seed: int = option(1, "seed of the random numbers", low=0, high=2**53)

    def __post_init__(self) -> None:
        for name, entry in self.__dataclass_fields__.items():
            value = getattr(self, name)
            object.__setattr__(self, name, checked_setting(entry, value, value))


@dataclass(frozen=True)
class LabelSettings:
    """What determines the positions and their values, except the games and the searching player."""

    label_positions: int = option(2000, "number of positions taken from the games", low=2, high=100_000)
    first_move: int = option(4, "the least number of moves before a position", low=0, high=1000)
    last_move: int = option(60, "the largest number of moves before a position", low=0, high=1000)
    label_simulations: int = option(10_000, "simulations of the search for each value", low=1, high=10**7)
    label_seed: int = option(1, "seed of the choice of positions and of the searches", low=0, high=2**53)

    def __post_init__(self) -> None:
        for name, entry in self.__dataclass_fields__.items():
            value = getattr(self, name)
            object.__setattr__(self, name, checked_setting(entry, value, value))
        if self.first_move > self.last_move:
            raise TengenError(f"first_move is {self.first_move}, more than last_move, {self.last_move}")


@dataclass(frozen=True)
class AllSettings(LabelSettings, BalanceSettings):
    """The settings of both, for the options of the command."""
