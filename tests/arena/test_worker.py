"""Preparation of players before games."""

import shutil

import pytest

from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.worker import prepare
from tengen.errors import TengenError
from tengen.games.go.game import Go


def pairing(first: str, second: str) -> Pairing:
    return Pairing(Entrant.of(first), Entrant.of(second), Conditions(Go(5)), 2)


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/bin:/usr/games") is None, reason="GNU Go is not installed")
def test_players_with_and_without_settings_of_a_search_are_made_ready():
    prepare([pairing("gnugo:level=0", "random"), pairing("gnugo:level=1,resign=false", "mogo")])


def test_an_engine_that_is_missing_is_an_error_before_the_first_game():
    with pytest.raises(TengenError, match="no-such-engine"):
        prepare([pairing("gtp:command=no-such-engine", "random")])
