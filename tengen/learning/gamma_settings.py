"""The settings of learning gammas."""

from dataclasses import dataclass

from tengen.options import checked_setting, option


@dataclass(frozen=True)
class GammaSettings:
    """All that determines the gammas, except the games and the number of steps."""

    size: int = option(9, "board size; games on others are skipped", low=3, high=25)
    patterns: str = option(
        "3x3", "the patterns: 3x3, or diamond, which adds diamonds of 12 points to them", ("3x3", "diamond")
    )
    use: str = option(
        "all",
        "the features: all, or playout, those of policy=learnt",
        ("all", "playout"),
    )
    virtual_games: float = option(
        1.0, "wins, and as many losses, that each feature gets against a gamma of 1", low=0, high=1e6
    )
    holdout: int = option(10, "of each so many pairs of games, one is not learnt from", low=2, high=10**6)

    def __post_init__(self) -> None:
        for name, entry in self.__dataclass_fields__.items():
            value = getattr(self, name)
            object.__setattr__(self, name, checked_setting(entry, value, value))
