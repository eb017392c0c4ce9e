"""The expected result of playouts by gammas and its derivative, by enumeration of all playouts in plain Python."""

import math

import numpy as np

from tengen import Go
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.games.interface import outcome
from tengen.policies.go.shape_features import feature_set
from tests.policies.test_move_features import features_by_point

Derivative = dict[int, float]


class Playouts:
    """All playouts of a board by the gammas exp(theta)."""

    def __init__(self, size: int, komi: float, theta: np.ndarray):
        self.game, self.theta = Go(size, komi=komi, ko="simple"), theta
        self.kept = feature_set("3x3").kept_in_playouts
        self._known: dict[tuple[object, ...], tuple[float, Derivative]] = {}

    def expected(self, position, played: int = 0) -> tuple[float, Derivative]:
        """Return V, Black's expected result, and its derivative by theta, after `played` moves of a playout.

        V = sum_a P(a) V_a, and dV = sum_a P(a) (psi(a) V_a + dV_a) with psi(a) = phi(a) - sum_b P(b) phi(b).
        """
        if position.state.passes >= 2 or played >= LENGTH_FACTOR * self.game.size**2:
            return float(outcome(position.state)), {}
        state = position.state
        key = (state.colour.tobytes(), *(int(state[name]) for name in ("to_play", "ko", "last_move", "passes")), played)
        if key not in self._known:
            self._known[key] = self._sum(position, played)
        return self._known[key]

    def _sum(self, position, played: int) -> tuple[float, Derivative]:
        teams = features_by_point(self.game, position.tactical_state(), "3x3")
        moves = {at: [number for number in team if self.kept[number]] for at, team in teams.items()}
        if not moves:
            return self.expected(position.copy().play("pass"), played + 1)
        strengths = {at: math.exp(sum(self.theta[number] for number in team)) for at, team in moves.items()}
        total = sum(strengths.values())
        value, derivative, mean = 0.0, Derivative(), Derivative()
        for at, team in moves.items():
            for number in team:
                mean[number] = mean.get(number, 0.0) + strengths[at] / total
        for at, team in moves.items():
            share = strengths[at] / total
            after, change = self.expected(position.copy().play(self.game.point(*at)), played + 1)
            value += share * after
            for number, part in change.items():
                derivative[number] = derivative.get(number, 0.0) + share * part
            for number in team:
                derivative[number] = derivative.get(number, 0.0) + share * after
        for number, part in mean.items():
            derivative[number] = derivative.get(number, 0.0) - value * part
        return value, derivative
