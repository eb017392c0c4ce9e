"""The settings of the methods that learn urgencies."""

from dataclasses import dataclass

from tengen.errors import TengenError
from tengen.options import checked_setting, option
from tengen.policies.go.manual_urgencies import CAPTURE_URGENCY, ESCAPE_URGENCY

UNITS = ("points", "area", "deviation", "wins")
"""Units of the value V of a move: points; points divided by the area of the board, or by their standard deviation; the
win rate, from 0 to 1."""


@dataclass(frozen=True)
class UrgencySettings:
    """Settings of every method: all that determines the urgencies, except the number of steps."""

    size: int = option(9, "board size", low=3, high=25)
    komi: float = option(7.5, "points for White", low=-1000, high=1000)
    capture: float = option(CAPTURE_URGENCY, "urgency of capturing a chain in atari, per stone", low=0, high=1e6)
    escape: float = option(ESCAPE_URGENCY, "urgency of saving a chain in atari, per stone", low=0, high=1e6)
    seed: int = option(1, "seed of the random numbers", low=0)

    def __post_init__(self) -> None:
        for name, entry in self.__dataclass_fields__.items():
            value = getattr(self, name)
            object.__setattr__(self, name, checked_setting(entry, value, value))
        self.check()

    def check(self) -> None:
        """Raise TengenError if settings contradict each other; for subclasses."""


@dataclass(frozen=True)
class BlockSettings(UrgencySettings):
    """Method 1a: one program plays against itself, in blocks of games."""

    games: int = option(20_000, "games in a block", low=1, high=10**9)
    exponent: float = option(1.0, "k in U = ((1 + Q) / (1 - Q))^k", low=0, high=100)
    decay: float = option(
        1.0, "weight lambda^b of the values learnt in block b, counted from 0; the paper uses 1", low=0, high=1
    )
    result: str = option(
        "outcome",
        "result of a game to learn from: outcome (+1 or -1) or score (margin divided by the area)",
        ("outcome", "score"),
    )


@dataclass(frozen=True)
class PopulationSettings(BlockSettings):
    """Method 1b: a population of programs; in each generation they learn, are tested, and the best are selected."""

    games: int = option(1000, "games of each program against others in a generation", low=2, high=10**9)
    population: int = option(64, "number of programs; a power of two", low=4, high=4096)
    opponents: int = option(5, "number of opponents of each program in a generation", low=1, high=4096)
    test_games: int = option(200, "games of each program against Zero and as many against Manual", low=2, high=10**9)
    start: str = option("zero", "the table to start with: zero, manual, rlpr, or a file")

    def check(self) -> None:
        if self.population & (self.population - 1):
            raise TengenError(f"population must be a power of two, not {self.population}")
        if self.opponents >= self.population:
            raise TengenError(f"opponents must be less than population, {self.population}, not {self.opponents}")
        if self.games < self.opponents:
            raise TengenError(f"games must be at least opponents, {self.opponents}, not {self.games}")
        if self.start != "zero" and self.exponent == 0:
            raise TengenError(f"start={self.start} needs an exponent above 0: with 0 all urgencies are 1")


@dataclass(frozen=True)
class RelativeSettings(UrgencySettings):
    """Method 2: MC(RLPR) plays against itself and compares the evaluations of its candidate moves."""

    games: int = option(16, "games in a round, played with the same table", low=1, high=10**6)
    constant: float = option(0.8, "C in Q_a - Q_b = C (V_a - V_b)", low=0, high=1000)
    unit: str = option(
        "points", "unit of V: points, area (points divided by the area), deviation (by their deviation) or wins", UNITS
    )
    step: float = option(
        0.01, "alpha = step / sqrt(N), N how often a pattern was a candidate (2) or played (q)", low=0, high=1
    )
    evaluation_games: int = option(20, "random games for each candidate move", low=1, high=10**6)
    preselect: int = option(10, "candidate moves that the knowledge prior preselects", low=2, high=1000)
    others: int = option(0, "additional candidates, drawn from the other moves", low=0, high=1000)
    patterns: str = option("3x3", "the kind of patterns: 3x3, or diamonds of 12 points", ("3x3", "diamond"))
    start: str = option("zero", "the table to start with: zero, manual, rlpr, or a file")


@dataclass(frozen=True)
class GreedySettings(UrgencySettings):
    """Method q: Q-learning by an epsilon-greedy program; its table is randomised by U = ((1 + Q) / (1 - Q))^k."""

    games: int = option(20_000, "games in a block", low=1, high=10**9)
    exponent: float = option(1.0, "k in U = ((1 + Q) / (1 - Q))^k", low=0, high=100)
    epsilon: float = option(0.1, "probability of a random move", low=0, high=1)
    trace_decay: float = option(
        0.0, "lambda of the targets: 0 for Q-learning, 1 for the result of the game", low=0, high=1
    )
    step: float = option(
        0.1, "alpha = step / sqrt(N), N how often a pattern was a candidate (2) or played (q)", low=0, high=1
    )


METHODS: dict[str, type[UrgencySettings]] = {
    "1a": BlockSettings,
    "1b": PopulationSettings,
    "2": RelativeSettings,
    "q": GreedySettings,
}
