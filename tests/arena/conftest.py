"""Shared by the tests of the arena: quick games and a stub engine."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.games.othello.game import Othello
from tengen.parallel.in_process import InProcess

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'engines' / 'stub_engine.py'}"


@pytest.fixture
def here() -> InProcess:
    return InProcess()


def quick_pairing(games: int = 6, **conditions: Any) -> Pairing:
    """Two random players of the smallest Othello."""
    given = {"game": Othello(4), "random_moves": 2, **conditions}
    return Pairing(Entrant.of("random", "a"), Entrant.of("random:seed=2", "b"), Conditions(**given), games)
