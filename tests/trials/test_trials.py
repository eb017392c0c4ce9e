"""The trials: damaged files, altered headers, misbehaving engines, fuzzed GTP, interrupts and kills, in full.

`make trials` runs them in about two minutes; the ordinary tests run a sample of each.
"""

import pytest

from tengen import Go
from tengen.errors import TengenError
from tengen.players import parse_search
from tengen.policies.go.urgency_table import load_urgencies
from tengen.policies.go.weights import load_weights
from tengen.search.saved import load_tree, save_tree
from tengen.search.search import Search
from tests.interfaces.test_arena import QUICK, games_of, output_of
from tests.policies.test_shapes import random_weights
from tests.trials import bad_engine, bad_engines, gtp_fuzz, interrupts, saved_trees, weights_files
from tests.trials.kills import killed_again_and_again
from tests.trials.kinds import Kind, kinds
from tests.trials.mutations import BINARY, mutants
from tests.trials.test_damaged_files import NAMES

pytestmark = pytest.mark.trial

MUTANTS = 300
GROWTH = 50
"""Simulations that must succeed with a tree that was accepted in spite of an altered entry or a flipped bit."""


@pytest.fixture(scope="module")
def valid(tmp_path_factory) -> dict[str, Kind]:
    return kinds(tmp_path_factory.mktemp("kinds"))


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> bytes:
    """A saved tree of Go at move 20, with a prior and RAVE statistics."""
    path = tmp_path_factory.mktemp("tree") / "valid.tree"
    position = Go(5, komi=0.5).start()
    search = Search(parse_search("mc-rave:prior=even,memory=2,seed=3"), position.game)
    for _ in range(20):
        search.set_position(position)
        search.run(20)
        position.play(next(move for move in position.legal_moves() if move != "pass"))
    search.set_position(position)
    search.run(300)
    save_tree(search, path)
    saved: bytes = path.read_bytes()
    return saved


def refused(read, path, content) -> bool:
    """Whether a reader refuses a file, in one line."""
    path.write_bytes(content)
    message = ""
    try:
        read(path)
    except TengenError as error:
        message = str(error)
    assert "\n" not in message
    return bool(message)


def load_and_grow(path):
    search = load_tree(path)
    search.run(GROWTH)
    return search


@pytest.mark.parametrize("name", NAMES)
def test_every_mutated_file_is_read_or_refused_in_one_line(name, valid):
    kind = valid[name]
    for _, content in mutants(kind.content, MUTANTS, seed=11, mutators=kind.mutators):
        refused(kind.read, kind.write(content), content)


def test_every_mutated_tree_is_refused(tree, tmp_path):
    for name, content in mutants(tree, MUTANTS, seed=11, mutators=BINARY):
        assert refused(load_and_grow, tmp_path / "m.tree", content), name


def test_every_altered_header_of_a_tree_is_refused_or_harmless(tree, tmp_path):
    told = [refused(load_and_grow, tmp_path / "m.tree", content) for _, content in saved_trees.header_lies(tree)]
    assert len(told) > 573
    assert sum(told) > 0.8 * len(told)


def test_every_altered_array_of_a_tree_is_refused(tree, tmp_path):
    for name, content in saved_trees.array_lies(tree):
        assert refused(load_and_grow, tmp_path / "m.tree", content), name


def test_a_tree_with_a_flipped_bit_and_a_valid_checksum_is_refused_or_can_be_searched(tree, tmp_path):
    for _, content in saved_trees.array_flips(tree, 400, seed=11):
        refused(load_and_grow, tmp_path / "m.tree", content)


def test_every_altered_header_of_weights_is_refused_or_harmless(tmp_path):
    path = tmp_path / "valid.weights"
    random_weights(4).save(path)
    told = [
        refused(load_weights, tmp_path / "m.weights", content)
        for _, content in weights_files.header_lies(path.read_bytes())
    ]
    assert sum(told) > 0.5 * len(told)


def test_every_altered_header_of_urgencies_is_refused_or_harmless(valid, tmp_path):
    lies = weights_files.header_lies(valid["urgencies"].content)
    told = [refused(load_urgencies, tmp_path / "m.urgencies", content) for _, content in lies]
    assert sum(told) > 0.5 * len(told)


def test_every_altered_header_of_a_checkpoint_of_urgencies_is_refused_or_harmless(valid, tmp_path):
    kind = valid["checkpoint of urgencies"]
    told = [refused(kind.read, tmp_path / "m.checkpoint", lie) for _, lie in weights_files.header_lies(kind.content)]
    assert sum(told) > 0.8 * len(told)


@pytest.mark.parametrize("mode", bad_engine.MODES)
def test_a_game_against_a_misbehaving_engine_ends_with_the_expected_reason(mode):
    bad_engines.play("good")
    assert bad_engines.play(mode).faults() == []


def test_every_fuzzed_line_of_gtp_is_answered():
    assert gtp_fuzz.fuzz(30_000, seed=11).faults == []


@pytest.mark.parametrize("player", interrupts.PLAYERS)
def test_an_interrupt_of_a_search_is_a_keyboard_interrupt(player):
    found = interrupts.interrupted_searches(player, count=80, seed=11)
    assert found.keys() <= {"KeyboardInterrupt", interrupts.NOTHING}
    assert found["KeyboardInterrupt"] >= 40


def test_twenty_kills_of_a_tournament_lose_no_game_and_play_none_twice(tmp_path):
    text = QUICK.format(games=40)
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "cup.toml").write_text(text)
    output_of(tmp_path / "whole", "tournament", "cup.toml", "--workers", "2")
    store = killed_again_and_again(tmp_path, text, kills=20, seed=11)
    output_of(tmp_path, "tournament", "cup.toml", "--workers", "2")
    assert len(games_of(store)) == 3 * 40
    assert games_of(store) == games_of(tmp_path / "whole" / "cup.sqlite")
