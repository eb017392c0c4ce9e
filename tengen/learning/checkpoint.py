"""Checkpoints of a training.

The file of weights is the checkpoint: its header has the settings, the progress and the random generators.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.learning.learner import Generators
from tengen.learning.strength import OPPONENTS
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.weights import ShapeWeights, load_weights
from tengen.rng import seeded

LATER_SETTINGS = {"batch": 0}
"""Settings that files of earlier versions lack, and their values in these files."""


@dataclass
class Progress:
    """The progress of a training."""

    games: int = 0
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    """Measurements: games so far, win rate in a number of duels with each opponent, Black's win rate in the games since
    the last measurement, and their mean length."""
    results: float = 0.0
    moves: int = 0
    since: int = 0
    """Since the last measurement: the sum of Black's results, and the numbers of moves and games."""

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @staticmethod
    def can_be(found: Any) -> bool:
        """Whether an object from a file is the progress of a training."""
        usual = asdict(Progress())
        if not isinstance(found, dict) or found.keys() != usual.keys():
            return False
        numbers = [found[name] for name in usual if name != "curve"]
        if not all(type(number) in (int, float) and number >= 0 for number in numbers):
            return False
        points, measured = found["curve"], ("games", "black", "length", "duels", *OPPONENTS)
        return (
            all(type(found[name]) is int for name in ("games", "moves", "since"))
            and isinstance(points, list)
            and all(isinstance(point, dict) for point in points)
            and all(type(point.get(name)) in (int, float) for point in points for name in measured)
        )


@dataclass(frozen=True)
class Checkpoint:
    """All that is needed to continue a training."""

    weights: ShapeWeights
    progress: Progress
    generators: Generators
    """The generators of all threads of all workers, in order."""
    exactness: dict[str, Any]
    """The measured exactness of the value, if any: see experience.py."""


def read_checkpoint(path: Path, settings: TrainingSettings) -> Checkpoint:
    """Read a checkpoint. Raises TengenError if the file has none, or one of a training with other settings."""
    weights = load_weights(path)
    about, name_of_file = weights.about, shortened(path, 160)
    if "settings" not in about or "generators" not in about:
        raise TengenError(f"{name_of_file} has no checkpoint of a training")
    theirs, mine, generators = about["settings"], asdict(settings), about["generators"]
    odd = TengenError(f"{name_of_file} has a damaged checkpoint")
    if not isinstance(theirs, dict) or not Progress.can_be(about.get("progress")):
        raise odd
    theirs = LATER_SETTINGS | theirs
    for name, value in (mine | theirs).items():
        if name not in theirs or mine.get(name) != value:
            raise TengenError(
                f"{name_of_file} is of a training with {name}={str(theirs.get(name))[:40]}, not {mine.get(name)}:"
                " choose another file, or use its settings"
            )
    shapes = weights.shapes
    made_for = shapes.size, shapes.features, shapes.colour_inversion
    if made_for != (settings.size, settings.features, settings.colour_inversion):
        raise odd
    if not _are_generators(generators, settings.threads * settings.workers):
        raise odd
    return Checkpoint(
        weights=weights,
        progress=Progress(**about["progress"]),
        generators=[list(words) for words in generators],
        exactness={name: about[name] for name in ("variance", "experience") if name in about},
    )


def _are_generators(found: Any, count: int) -> bool:
    """Whether an object from a file has the words of `count` generators."""
    return (
        isinstance(found, list)
        and len(found) == count
        and all(isinstance(words, list) and len(words) == len(seeded(0)) for words in found)
        and all(type(word) is int and 0 <= word < 2**64 for words in found for word in words)
    )
