"""Whole games on a GPU, and the cache of its kernels."""

import os
import subprocess
import sys

import pytest

from tengen.arena.many_games import ManyGames
from tests.arena.test_many_games import NOT_REUSED, games_of, pairing, results

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(
    "played", [NOT_REUSED, pairing("uct:simulations=50", "mc-rave:simulations=50", 20)], ids=["no reuse", "reuse"]
)
def test_games_are_those_of_the_cpu(played):
    assert results(games_of(ManyGames(device="gpu"), played)) == results(games_of(ManyGames(device="cpu"), played))


SEARCH = """
from tengen import Othello
from tengen.players import parse_search
from tengen.search.many import ManySearch

game = Othello(4)
many = ManySearch(parse_search("uct:simulations=20", game), game, trees=2)
for tree in range(2):
    many.set_position(tree, game.start())
many.start(range(2), 20)
many.finish()
print(many.search(0).simulations)
"""


def test_a_second_process_finds_the_kernels_in_the_cache(tmp_path):
    environment = {**os.environ, "TENGEN_CACHE": str(tmp_path / "cache"), "TENGEN_QUIET": ""}
    command = [sys.executable, "-c", SEARCH]
    found = [subprocess.run(command, capture_output=True, text=True, check=True, env=environment) for _ in range(2)]
    assert [one.stdout for one in found] == ["20\n", "20\n"]
    assert ["compiling search_tree for the GPU" in one.stderr for one in found] == [True, False]
