"""Searches of many trees at once, on the CPU: each tree is that of `Search`; waves, reuse, superko and errors."""

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello
from tengen.errors import TengenError
from tengen.jit.devices import Processor
from tengen.players import parse_search
from tengen.plugins import load_plugin
from tengen.policies.go.urgency import URGENCIES
from tengen.policies.playout import BadPlayout
from tengen.search.many import USABLE_MEMORY, ManySearch, bytes_per_tree
from tengen.search.search import Search
from tests.search.whole_trees import differences, on_compact_states, on_usual_states
from tests.test_plugins import registered, written  # noqa: F401 - a fixture

TREES = 3


def many_search(player, game, trees=TREES, **options):
    many = ManySearch(parse_search(player, game), game, trees, device="cpu", **options)
    for tree in range(trees):
        many.reseed(tree, tree + 1)
    return many


def searches(player, game, trees=TREES):
    """Return searches with the seeds of the trees of `many_search`."""
    found = [Search(parse_search(player, game).replaced(memory=50), game) for _ in range(trees)]
    for tree, search in enumerate(found):
        search.reseed(tree + 1)
    return found


def run_many(many, positions, simulations):
    for tree, position in enumerate(positions):
        many.set_position(tree, position)
    many.start(range(len(positions)), simulations)
    many.finish()


OVER_SEVERAL_MOVES = [
    ("uct:solver=true", TicTacToe()),
    ("mc-rave:new_node_visit=true,final_move=eval", TicTacToe()),
    *(
        pytest.param(*one, marks=pytest.mark.long)
        for one in [
            ("uct", Othello(6)),
            ("accelerated-uct:decay=0.99", Go(5)),
            ("discounted-uct:decay=0.9,discount=tree,prior=even", Go(5)),
            ("mc-rave:policy=mogo,prior=mogo", Go(9)),
            ("uct:expand=episode,prior=grandfather", Havannah(4)),
            ("fuego-rave:expand=threshold,expand_visits=3", Go(13)),
            ("tengen", Go(9)),
        ]
    ),
]


@pytest.mark.parametrize(("player", "game"), OVER_SEVERAL_MOVES, ids=str)
def test_each_tree_is_that_of_a_search_over_several_moves(player, game, monkeypatch):
    """With the subtree reused after each move, as far as the tree has it."""
    on_usual_states(monkeypatch)
    player = f"{player}{',' if ':' in player else ':'}simulations=6000"  # memory for whole episodes too
    many, singles = many_search(player, game), searches(player, game)
    positions = [game.start() for _ in range(TREES)]
    reused = 0
    for _ in range(3):
        run_many(many, positions, 300)
        for tree, (search, position) in enumerate(zip(singles, positions, strict=True)):
            search.set_position(position)
            reused += search.nodes > 1
            search.run(300)
            assert differences(many.fetch_tree(tree), search) == []
            assert many.search(tree).best_move() == search.best_move()
            position.play(search.best_move())
    assert reused > TREES


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "game"),
    [("mc-rave:rave_first=either", Go(9)), ("uct", Havannah(4)), ("mc-rave:policy=mogo,prior=mogo", Go(9))],
    ids=str,
)
def test_each_tree_is_that_of_a_search_on_compact_states(player, game, monkeypatch):
    """From three positions of a random game."""
    player = f"{player}{',' if ':' in player else ':'}simulations=300,reuse=false"
    many = many_search(player, game)
    on_compact_states(monkeypatch, many.config, game)
    singles, rng = searches(player, game), np.random.default_rng(1)
    positions = [game.start()]
    while len(positions) < TREES:
        positions.append(positions[-1].copy())
        for _ in range(10):
            positions[-1].play(int(rng.choice(positions[-1].legal_move_numbers())))
    run_many(many, positions, 300)
    for tree, (search, position) in enumerate(zip(singles, positions, strict=True)):
        search.set_position(position)
        search.run(300)
        assert differences(many.fetch_tree(tree), search) == []


@pytest.mark.parametrize("ko", ["positional", "situational", "simple"])
def test_superko_hashes_of_the_game_are_used(ko):
    """On two by two points everything is captured again and again; the histories of the trees differ in length."""
    game, player = Go(2, komi=0.5, ko=ko), "uct:exploration=3,simulations=400"
    many, singles = many_search(player, game), searches(player, game)
    lines: list[list[str]] = [["A1", "B2", "A2"], ["A1", "pass"], ["A1", "B2", "A2", "B1"]]
    positions = [game.start() for _ in lines]
    for position, line in zip(positions, lines, strict=True):
        for move in line:
            position.play(move)
    for _ in range(2):
        run_many(many, positions, 200)
        for tree, (search, position) in enumerate(zip(singles, positions, strict=True)):
            search.set_position(position)
            search.run(200)
            assert differences(many.fetch_tree(tree), search) == []
            if not position.is_over:
                position.play(search.best_move())


# --- Memory ----------------------------------------------------------------------------------------------------------

GAME, PLAYER = TicTacToe(), "uct:solver=true,simulations=50,reuse=false"


def test_more_trees_than_there_is_memory_for_are_searched_in_waves_with_the_same_results():
    whole, in_waves = many_search(PLAYER, GAME, trees=7), many_search(PLAYER, GAME, trees=7, at_once=3)
    assert (whole.at_once, in_waves.at_once) == (7, 3)
    positions = [GAME.start() for _ in range(7)]
    for tree, position in enumerate(positions):
        for move in range(tree):
            if not position.is_over:
                position.play(position.legal_moves()[move % 2])
    for simulations in (20, 0, 15):
        run_many(whole, positions, simulations)
        run_many(in_waves, positions, simulations)
        for tree in range(7):
            ours, theirs = whole.search(tree), in_waves.search(tree)
            assert ours.simulations == theirs.simulations
            assert list(ours.memory.rng) == list(theirs.memory.rng)
            assert ours.moves() == theirs.moves()
        found = differences(whole.fetch_tree(6), in_waves.fetch_tree(6))
        assert found == ["clock"], "the trees of several waves share a clock, of which only differences count"
    with pytest.raises(TengenError, match=r"^tree 0 is not in memory any more: 3 of 7 trees fit at once$"):
        in_waves.fetch_tree(0)


def test_a_subset_of_the_trees_may_be_searched_in_any_order():
    alone, together = many_search(PLAYER, GAME, trees=5), many_search(PLAYER, GAME, trees=5)
    positions = [GAME.start() for _ in range(5)]
    run_many(alone, positions, 30)
    for tree, position in enumerate(positions):
        together.set_position(tree, position)
    for chosen in ([4, 1], [3, 0, 2]):
        together.start(chosen, 30)
        together.finish()
    assert [differences(alone.fetch_tree(tree), together.fetch_tree(tree)) for tree in range(5)] == [[]] * 5


def test_a_tree_is_continued_until_its_position_is_set_again_or_it_is_forgotten():
    many = many_search("uct:simulations=100,reuse=false", GAME, trees=1)
    many.set_position(0, GAME.start())
    found = []
    for change in (None, None, many.forget, None, lambda tree: many.set_position(tree, GAME.start())):
        if change:
            change(0)
        many.start([0], 10)
        many.finish()
        found.append(many.search(0).simulations)
    assert found == [10, 20, 10, 20, 10]


def test_searches_that_are_not_read_go_on_all_the_same():
    many = many_search("uct:simulations=100,reuse=false", GAME, trees=1)
    many.set_position(0, GAME.start())
    many.start([0], 10)
    many.finish(read=False)
    with pytest.raises(TengenError, match=r"^tree 0 was not searched: call start and finish first$"):
        many.search(0)
    many.start([0], 10)
    many.finish()
    assert many.search(0).simulations == 20


def test_all_nodes_of_a_fetched_tree_can_be_read():
    many = many_search("uct:simulations=300", GAME, trees=2)
    run_many(many, [GAME.start()] * 2, 300)
    best = many.search(1).best_move()
    assert many.search(1).variation(best, 9) == [best]
    line = many.fetch_tree(1).variation(best, 9)
    assert len(line) > 2
    position = GAME.start()
    for move in line:
        position.play(move)


# --- Errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda many: many.start([0], 5), "tree 0 has no position: call set_position first"),
        (lambda many: many.search(0), "tree 0 was not searched: call start and finish first"),
        (lambda many: many.fetch_tree(0), "tree 0 was not searched: call start and finish first"),
        (lambda many: many.start([], -1), "simulations must be from 0 to 8,388,608, not -1"),
        (lambda many: many.start([], 10**7), "simulations must be from 0 to 8,388,608, not 10000000"),
    ],
)
def test_a_call_out_of_order_is_one_sentence(act, sentence):
    with pytest.raises(TengenError) as raised:
        act(many_search(PLAYER, GAME))
    assert str(raised.value) == sentence


def test_a_search_must_be_finished_before_the_next_begins():
    many = many_search(PLAYER, GAME)
    many.set_position(0, GAME.start())
    many.start([0], 5)
    for act in (lambda: many.start([0], 5), lambda: many.fetch_tree(0)):
        with pytest.raises(TengenError, match=r"^a search is under way: call finish first$"):
            act()
    many.finish()
    assert many.search(0).simulations == 5
    with pytest.raises(TengenError, match="cannot be searched here"):
        many.search(0).run(1)


def test_only_as_many_trees_as_fit_are_in_memory(monkeypatch):
    config = parse_search(PLAYER, GAME)
    room = 3.5 * bytes_per_tree(config, GAME) / USABLE_MEMORY
    monkeypatch.setattr(Processor, "free_bytes", lambda self: int(room))
    assert many_search(PLAYER, GAME, trees=7).at_once == 3


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        (
            "uct:simulations=100",
            "3 trees of 302 nodes need 0.0 GB, and the device has memory for 0: use fewer"
            " trees or simulations, or reuse=false",
        ),
        (
            "uct:simulations=100,reuse=false",
            "3 trees of 102 nodes need 0.0 GB, and the device has memory for 0: use fewer trees or simulations",
        ),
        ("uct:threads=2", "many trees are searched with one thread each: use threads=1, not 2"),
    ],
)
def test_searches_that_are_not_possible_are_one_sentence(monkeypatch, player, sentence):
    monkeypatch.setattr(Processor, "free_bytes", lambda self: 1000)
    with pytest.raises(TengenError) as raised:
        many_search(player, GAME)
    assert str(raised.value) == sentence


BAD_POLICY = """
import tengen as tg

@tg.playout_policy("bad")
def bad(policy, state, rng):
    return 3
"""


def test_an_illegal_move_of_a_playout_policy_is_told_with_its_name_and_the_search_can_go_on(tmp_path):
    load_plugin(written(tmp_path, BAD_POLICY))
    many = many_search("uct:policy=bad,simulations=50", GAME)
    for tree in range(TREES):
        many.set_position(tree, GAME.start())
    for _ in range(2):
        with pytest.raises(BadPlayout, match=r"^the playout policy picked an illegal move \(policy=bad\)$"):
            many.start(range(TREES), 30)


def test_the_memory_of_temporary_arrays_is_left_to_the_device(monkeypatch):
    """The policy urgency has a scratch buffer; without one, a device with the same memory holds the trees."""
    threads = 2**33 // URGENCIES.itemsize
    monkeypatch.setattr("tengen.jit.devices.Processor.bytes_for_local", lambda self, size: threads * size)
    with pytest.raises(TengenError, match=f"^{TREES} trees of 62 nodes need .* and the device has memory for "):
        many_search("uct:policy=urgency,simulations=20", Go(5))
    assert many_search("uct:simulations=20", Go(5)).at_once == TREES


def test_a_tree_without_a_position_is_an_error_before_any_search_begins():
    many = many_search(PLAYER, GAME, at_once=1)
    many.set_position(0, GAME.start())
    with pytest.raises(TengenError, match=r"^tree 1 has no position: call set_position first$"):
        many.start(range(2), 5)
    many.start([0], 5)
    many.finish()
    assert many.search(0).simulations == 5


def test_more_trees_than_fit_cannot_be_prepared():
    many = many_search(PLAYER, GAME, at_once=2)
    for tree in range(TREES):
        many.set_position(tree, GAME.start())
    with pytest.raises(TengenError, match=r"^3 trees cannot be prepared: 2 fit at once$"):
        many.prepare(range(3))
