"""The memory of a search: freed after a game with a large tree, and when another player replaces it."""

import weakref

import pytest

from tengen import Go
from tengen.players import parse_player
from tengen.search import search as search_module
from tengen.search.search import Search
from tengen.search.search_player import SearchPlayer
from tests.interfaces.gtp.talk import Talk

PLAYERS = ["mc-rave:simulations=400", "uct:simulations=400,threads=2", "accelerated-uct:simulations=400,prior=even"]


def player_of(text: str) -> SearchPlayer:
    made = parse_player(f"{text},memory=50").make(Go(5, 0.5))
    assert isinstance(made, SearchPlayer)
    return made


@pytest.fixture
def keep_little(monkeypatch):
    """Lower the limit above which a tree counts as large."""
    monkeypatch.setattr(search_module, "KEPT_BYTES", 50_000)


def rows_of(search: Search) -> list[weakref.ref]:
    memory = search.memory
    return [weakref.ref(rows) for rows in (memory.tree, memory.notes, memory.priors, memory.proofs)]


@pytest.mark.usefixtures("keep_little")
@pytest.mark.parametrize("text", PLAYERS)
def test_a_new_game_frees_the_memory_of_a_large_tree(text):
    player = player_of(text)
    player.choose(player.game.start())
    before = rows_of(player.search)
    player.new_game(seed=7)
    assert [rows() for rows in before] == [None] * 4
    assert player.search.simulations == 0
    assert not player.analysis(player.game.start()).moves[0].visits


@pytest.mark.usefixtures("keep_little")
@pytest.mark.parametrize("text", [text for text in PLAYERS if "threads" not in text])
def test_after_its_memory_is_freed_a_player_plays_like_a_new_one(text):
    used, fresh = player_of(text), player_of(text)
    used.choose(used.game.start())
    for player in (used, fresh):
        player.new_game(seed=7)
    found, expected = (player.analyse(player.game.start()).moves for player in (used, fresh))
    assert [(move.move, move.visits, move.value) for move in found] == [
        (move.move, move.visits, move.value) for move in expected
    ]


def test_the_memory_of_a_small_tree_is_kept():
    player = player_of(PLAYERS[0])
    player.choose(player.game.start())
    tree = player.search.memory.tree
    player.new_game()
    assert player.search.memory.tree is tree


def test_a_tree_that_has_shrunk_counts_as_large_as_it_was(monkeypatch):
    player, position = player_of(PLAYERS[0]), Go(5, 0.5).start()
    position.play(player.choose(position))
    largest = int(player.search.memory.used[0])
    player.search.set_position(position)
    assert player.search.memory.used[0] < largest
    tree = player.search.memory.tree
    monkeypatch.setattr(search_module, "KEPT_BYTES", largest * player.search.bytes_per_node)
    player.new_game()
    assert player.search.memory.tree is tree
    monkeypatch.setattr(search_module, "KEPT_BYTES", largest * player.search.bytes_per_node - 1)
    player.new_game()
    assert player.search.memory.tree is not tree


@pytest.fixture
def searches(monkeypatch):
    """Return all searches that are created and not yet deleted."""
    alive: weakref.WeakSet[Search] = weakref.WeakSet()

    class Counted(Search):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            alive.add(self)

    monkeypatch.setattr("tengen.search.search_player.Search", Counted)
    return alive


@pytest.mark.long
def test_an_engine_whose_settings_and_board_change_has_one_tree(searches):
    talk = Talk("uct:simulations=20,memory=20")
    for change in range(20):
        talk.all(f"boardsize {(5, 7)[change % 2]}", "clear_board", f"tengen-player exploration {change / 20}")
        talk.all("genmove b", "genmove w")
        assert len(searches) == 1
    talk.ask("tengen-player exploration 1")
    assert len(searches) == 0


@pytest.mark.usefixtures("keep_little")
def test_an_engine_frees_the_memory_of_a_large_tree_when_the_board_is_cleared(searches):
    talk = Talk("uct:simulations=400,memory=20")
    talk.all("boardsize 5", "genmove b")
    [search] = searches
    before = rows_of(search)
    talk.ask("clear_board")
    assert [rows() for rows in before] == [None] * 4
    assert [*searches] == [search]
