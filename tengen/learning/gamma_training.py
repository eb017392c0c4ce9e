"""Learning of gammas by minorization-maximization from the moves of games.                            [Coulom2007]"""

from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tengen.errors import TengenError
from tengen.learning.game_moves import GameMoves
from tengen.learning.gamma_lessons import ADD, COUNT, RANK
from tengen.learning.gamma_settings import GammaSettings
from tengen.learning.gamma_workers import RANKS, GammaResult, GammaTask, GammaWorker
from tengen.learning.stepwise import Run, StepwiseTraining
from tengen.policies.go.gamma_table import LARGEST, SMALLEST, GammaTable
from tengen.policies.go.shape_features import feature_set

PARTS = 8
"""The games are divided into this many tasks."""
SHOWN_RANKS = 20
MEASURED = ("log_likelihood", "holdout_log_likelihood", "holdout_uniform", "holdout_first", "holdout_five")
"""What every measurement has: means, over positions, of the logarithm of the probability of the move played, in the
games learnt from and in the others, and there with all moves equally likely; and how often it was the first of the
ranking or among the first five."""


def updated(gammas: np.ndarray, wins: np.ndarray, sums: np.ndarray, virtual_games: float) -> np.ndarray:
    """gamma_i <- (W_i + v) / (sum_j C_ij / E_j + 2 v / (gamma_i + 1))       [Coulom2007, minorization-maximization]

    W_i is how often a team with feature i won, and v the virtual wins, and losses, against a gamma of 1. Of the
    features given, a team may have one only.
    """
    losses = sums + 2.0 * virtual_games / (gammas + 1.0)
    made = np.divide(wins + virtual_games, losses, out=gammas.copy(), where=losses > 0)
    return np.asarray(np.clip(made, SMALLEST, LARGEST))


class GammaTraining(StepwiseTraining):
    """A training of gammas. A step updates the gammas of all groups, one group after the other."""

    measured: ClassVar = MEASURED
    worker: ClassVar = GammaWorker
    step_name = "step"

    def __init__(self, settings: GammaSettings, games: GameMoves, path: Path):
        self.settings, self.games = settings, games
        self.features = feature_set(settings.patterns)
        everything = np.ones(self.features.count, bool)
        self._is_learnt = self.features.kept_in_playouts if settings.use == "playout" else everything
        pairs = np.arange(len(games)) // 2
        self.learnt = games.selected(np.flatnonzero(pairs % settings.holdout != settings.holdout - 1))
        self.held_out = games.selected(np.flatnonzero(pairs % settings.holdout == settings.holdout - 1))
        if len(self.held_out) == 0:
            raise TengenError(f"{len(games):,} games are too few for a holdout of one in {settings.holdout:,} pairs")
        self._arrays = {"gammas": np.ones(self.features.count), "ranks": np.zeros(RANKS, np.int64)}
        self._counted: np.ndarray | None = None
        super().__init__(path)

    @property
    def described(self) -> dict[str, Any]:
        return {**asdict(self.settings), "moves": self.games.digest}

    @property
    def state(self) -> dict[str, np.ndarray]:
        return self._arrays

    def resume(self, arrays: dict[str, np.ndarray]) -> None:
        self._arrays = arrays

    @property
    def limits(self) -> dict[str, tuple[float, float]]:
        return {"gammas": (SMALLEST, LARGEST), "ranks": (0, 2**62)}

    @property
    def gammas(self) -> np.ndarray:
        return self._arrays["gammas"]

    def write_result(self) -> None:
        about = {**self.described, "steps": self.progress.steps, "games": len(self.learnt)}
        GammaTable(self.settings.patterns, self.gammas, about).save(self.path)

    @cached_property
    def _parts(self) -> list[GameMoves]:
        return [self.learnt.selected(part) for part in np.array_split(np.arange(len(self.learnt)), PARTS)]

    def _results(self, run: Run, games: list[GameMoves], action: int, group: int = 0) -> list[GammaResult]:
        tasks = [
            GammaTask(number, self.settings.size, self.settings.patterns, part, action, self.gammas, group)
            for number, part in enumerate(games)
        ]
        return run(tasks)

    def _wins(self, run: Run) -> np.ndarray:
        """Return how often each feature was one of the move played; counted in the first step of a run."""
        if self._counted is None:
            self._counted = np.sum([result.sums for result in self._results(run, self._parts, COUNT)], axis=0)
        return self._counted

    def advance(self, run: Run) -> dict[str, float]:
        """Update the gammas of all groups."""
        wins = self._wins(run)
        change = 0.0
        for group, numbers in enumerate(self.features.groups.values()):
            here = slice(numbers.start, numbers.stop)
            if not self._is_learnt[here].any():
                continue
            sums = np.sum([result.sums[here] for result in self._results(run, self._parts, ADD, group)], axis=0)
            new = updated(self.gammas[here], wins[here], sums, self.settings.virtual_games)
            new = np.where(self._is_learnt[here], new, 1.0)
            change = max(change, float(np.abs(np.log(new / self.gammas[here])).max()))
            self.gammas[here] = new
        return {"games": len(self.learnt), "largest_change": change}

    def measure(self, run: Run) -> dict[str, float]:
        """Return the likelihoods, and how high the moves of the other games rank; keep their ranks."""
        *own, held_out = self._results(run, [*self._parts, self.held_out], RANK)
        learnt, positions = sum(result.positions for result in own), held_out.positions
        if not learnt or not positions:
            raise TengenError("the games have no moves to learn from")
        self._arrays["ranks"] = held_out.ranks
        return {
            "log_likelihood": sum(result.log_likelihood for result in own) / learnt,
            "holdout_log_likelihood": held_out.log_likelihood / positions,
            "holdout_uniform": held_out.uniform / positions,
            "holdout_first": float(held_out.ranks[0] / positions),
            "holdout_five": float(held_out.ranks[:5].sum() / positions),
        }

    @property
    def prediction(self) -> list[float]:
        """How often the move played in the other games was among the first 1, 2, ... of the ranking."""
        ranks = self._arrays["ranks"]
        shares = np.cumsum(ranks[:SHOWN_RANKS]) / max(int(ranks.sum()), 1)
        return [round(float(share), 4) for share in shares]

    def report(self) -> dict[str, Any]:
        games = {"games": len(self.learnt), "holdout_games": len(self.held_out)}
        gammas = {
            name: [float(f"{gamma:.4g}") for gamma in self.gammas[numbers.start : numbers.stop]]
            for name, numbers in self.features.groups.items()
            if name not in ("shape", "large")
        }
        return {**super().report(), **games, "prediction": self.prediction, "gammas": gammas}
