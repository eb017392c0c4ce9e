"""A player that only plays by a default policy, without any search."""

from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.clock import Clock
from tengen.games.game import Game, Position
from tengen.games.interface import is_candidate
from tengen.games.player import Player
from tengen.policies.playout import named_in_errors, play_out
from tengen.rng import below, seeded

TRIES = 100
"""Policies know only simple ko: instead of a move that superko forbids, others are drawn, so often."""


class PolicyPlayer(Player):
    """Plays the move with which a playout of its policy begins."""

    def __init__(self, config: Any, game: Game):
        self.config, self.game, self._policy_name = config, game, config.policy
        self.policy = config.make_part("policy", game)
        self._states = np.zeros(1, config.state_record(game))
        self._line = np.zeros(game.longest_playout + 2, np.uint16)
        self._rng = seeded(config.seed)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.game}, {self.config}>"

    def choose_number(self, position: Position, clock: Clock | None = None) -> int:
        """Return the number of the move to play, at once."""
        if position.is_over:
            raise TengenError("the game is over, so there is no move to choose")
        forbidden = None
        for _ in range(TRIES):
            self._states[0] = position.state_as(self._states.dtype)
            if forbidden is not None:
                self.game.forbid(self._states[0], forbidden)
            with named_in_errors(self._policy_name):
                play_out(self.policy, self._states[0], self._rng, self._line, 0)
            move = int(self._line[0])
            if position.is_legal(move):
                return move
            forbidden = move
        moves = [int(move) for move in position.legal_move_numbers()]
        passing = self.game.untracked_move
        candidates = [move for move in moves if move != passing and is_candidate(position.state, move)]
        choices = candidates or ([passing] if passing in moves else moves)
        return choices[int(below(self._rng, len(choices)))]

    def new_game(self, seed: int | None = None) -> None:
        """Begin the random numbers anew, if a seed is given."""
        if seed is not None:
            self._rng = seeded(seed)
