"""The simulation loop: sums of visits, RAVE values, superko, expansion, memory and reuse."""

import hashlib

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello, TengenError
from tengen.games.interface import outcome
from tengen.players import parse_player, parse_search
from tengen.search.node_view import NodeView
from tengen.search.search import Search
from tengen.search.simulate import simulate
from tengen.search.tree import CLOSED, NO_CHILD


def searched(player, game, simulations, position=None, memory=50):
    search = Search(parse_search(player).replaced(memory=memory), game)
    search.set_position(position or game.start())
    search.run(simulations)
    return search


def open_visits(search, node):
    row = search.row(node)
    return row.visits[row.wins > CLOSED]


PLAYERS = ["uct", "uct-tuned", "uct-rave", "mc-rave", "fuego-rave", "accelerated-uct"]


@pytest.mark.parametrize(
    ("player", "game"),
    [
        *((player, TicTacToe()) for player in PLAYERS),
        ("uct-rave", Othello(6)),
        ("uct", Havannah(4)),
        ("mc-rave", Go(5)),
        ("mc-rave:backup=accelerated", Go(5)),
    ],
    ids=str,
)
def test_visits_add_up_in_every_tree(player, game):
    """Each simulation that reaches a node selects a move there, except the one that added it."""
    search = searched(player, game, 2000)
    assert open_visits(search, 0).sum() == 2000 == search.row().total
    nodes = int(search.memory.used[0])
    for node in range(nodes):
        row = search.row(node)
        assert open_visits(search, node).sum() == row.total
        for slot in np.flatnonzero(row.child):
            child = int(row.child[slot])
            assert node < child < nodes
            assert row.visits[slot] == search.row(child).total + 1
            assert -1e-3 <= row.wins[slot] <= row.visits[slot] + 1e-3


@pytest.mark.plain
def test_visits_add_up_after_a_few_simulations():
    search = searched("mc-rave", TicTacToe(), 40)
    assert open_visits(search, 0).sum() == 40
    assert search.memory.used[0] <= 41


@pytest.mark.parametrize("first", ["same", "either"])
def test_rave_values_agree_with_recorded_simulations(first):
    """Recomputed from recorded simulations: same side, once each, and first there (of its side, or of either)."""
    game = Go(5, komi=0.5)
    search = Search(parse_search(f"mc-rave:rave_first={first},memory=50,seed=4"), game)
    search.set_position(game.start())
    visits, wins = np.zeros(search.row().visits.size), np.zeros(search.row().visits.size)
    for _ in range(300):
        simulate(search.algorithm, search.memory, 1)
        work = search.memory.work
        last = int(search.memory.states[1].passes)
        line = [int(move) for move in work.line[: _length(search)]]
        assert last == 2 or len(line) >= 75
        result = float(outcome(search.memory.states[1]))
        for u, move in enumerate(line):
            earlier = line[:u] if first == "either" else line[:u][u % 2 :: 2]
            if u % 2 == 0 and move != 0 and move not in earlier:
                visits[move] += 1
                wins[move] += result
    on_board = game.points()
    np.testing.assert_array_equal(search.row().rave_visits[on_board], visits[on_board])
    np.testing.assert_allclose(search.row().rave_wins[on_board], wins[on_board])


def _length(search):
    """The moves of the last simulation: played one after the other until the board is the one it ended with."""
    position = Go(5, komi=0.5, ko="simple").start()
    for count, move in enumerate(search.memory.work.line, 1):
        position.play(int(move))
        if position.is_over:
            return count
    return count


@pytest.mark.parametrize("game", [TicTacToe(), Havannah(3)], ids=str)
def test_with_new_node_visits_a_tree_is_that_of_algorithm_2(game):
    """BACKUP of [GellySilver2011, Algorithm 2] in plain Python, for the moves and results of recorded simulations."""
    search = Search(parse_search("mc-rave:new_node_visit=true,memory=20,seed=5"), game)
    search.set_position(game.start())
    tree: dict[tuple[int, ...], np.ndarray] = {(): np.zeros((4, search.row().visits.size))}
    for _ in range(200):
        simulate(search.algorithm, search.memory, 1)
        line, black_wins = played_line(search), float(outcome(search.memory.states[1]))
        steps = range(len(line))
        last = next((t for t in steps if tuple(line[:t]) not in tree), len(line) - 1)
        tree.setdefault(tuple(line[:last]), np.zeros((4, search.row().visits.size)))
        for t in range(last + 1):
            visits, wins, rave_visits, rave_wins = tree[tuple(line[:t])]
            result = black_wins if t % 2 == 0 else 1.0 - black_wins
            visits[line[t]] += 1
            wins[line[t]] += result
            for u in steps[t::2]:
                if line[u] not in line[t:u:2]:
                    rave_visits[line[u]] += 1
                    rave_wins[line[u]] += result
    assert len(tree) == search.nodes > 100
    assert tree[()][0].sum() == 200
    for moves, statistics in tree.items():
        node = 0
        for move in moves:
            node = int(search.row(node).child[move])
        row = search.row(node)
        assert row.total == statistics[0].sum() > 0
        is_open = row.wins > CLOSED
        found = np.array([row.visits, row.wins, row.rave_visits, row.rave_wins])
        np.testing.assert_array_equal(found[:, is_open], statistics[:, is_open])


def played_line(search):
    """The moves of the last simulation, in a game that does not repeat positions."""
    position = search.position.copy()
    line: list[int] = []
    while not position.is_over:
        line.append(int(search.memory.work.line[len(line)]))
        position.play(line[-1])
    return line


@pytest.mark.parametrize("player", ["uct", "uct:backup=accelerated", "uct-rave:prior=even", "uct:memory=1"])
def test_with_new_node_visits_a_node_counts_the_simulation_that_added_it(player):
    """So it has the visits of the move to it, less one if that was the first move of the playout from its parent."""
    search = searched(f"{player}{',' if ':' in player else ':'}new_node_visit=true", Othello(6), 2000)
    for node in range(int(search.memory.used[0])):
        child, view = search.row(node).child, NodeView(search.memory, node)
        below = {slot: NodeView(search.memory, int(child[slot])) for slot in np.flatnonzero(child)}
        missing = [view.visits()[slot] - after.simulations for slot, after in below.items()]
        assert view.simulations > 0
        assert sum(missing) in ((0,) if node == 0 else (0, 1))
        assert set(missing) <= {0, 1}


def test_with_new_node_visits_a_node_at_the_threshold_counts_the_simulation_that_added_it():
    search = searched("mc-rave:expand=threshold,expand_visits=3,new_node_visit=true", Othello(6), 2000)
    tree = search.memory.tree[: search.nodes]
    nodes, slots = np.nonzero(tree["child"])
    assert (tree["total"][tree["child"][nodes, slots]] == tree["visits"][nodes, slots] - 2).all()
    assert len(nodes) == search.nodes - 1 > 100


@pytest.mark.parametrize("decay", [0.99, 0.9])
def test_with_new_node_visits_a_discounted_node_has_the_weight_of_the_move_to_it(decay):
    player = f"discounted-uct:discount=tree,decay={decay},new_node_visit=true"
    search = searched(player, TicTacToe(), 500)
    row, now = search.row(), int(search.memory.work.clock)
    for slot in np.flatnonzero(row.child):
        below = search.row(int(row.child[slot]))
        assert below.total * decay ** (now - below.newest) == pytest.approx(row.visits[slot] * row.scale, rel=1e-5)


@pytest.mark.parametrize("player", ["uct", "uct:solver=true,exploration=1"])
def test_a_first_move_of_a_playout_that_repeats_a_position_is_not_counted(player):
    game = Go(2, komi=0.5)
    search = searched(f"{player}{',' if ':' in player else ':'}new_node_visit=true,seed=3", game, 500)
    assert illegal_lines(search, game.start())[0] == 0
    assert (search.memory.tree["total"][: search.nodes] == 0).any()


def test_new_node_visits_have_no_effect_with_whole_episodes():
    with pytest.raises(TengenError, match="new_node_visit has no effect unless expand=first or expand=threshold"):
        parse_search("uct:expand=episode,new_node_visit=true")


def test_the_same_seed_gives_the_same_tree_and_another_seed_another():
    def fingerprint(seed):
        search = searched(f"mc-rave:seed={seed}", Go(9), 3000)
        return hashlib.sha256(search.memory.tree[: search.memory.used[0]].tobytes()).hexdigest()

    assert fingerprint(1) == fingerprint(1)
    assert fingerprint(1) != fingerprint(2)


def test_the_golden_tree():
    """For a fixed seed: detects any change of a formula, rule or random number."""
    search = searched("uct:exploration=0.5,seed=7", Othello(6), 2000)
    row = search.row()
    found = {search.game.format_move(int(slot)): int(row.visits[slot]) for slot in np.flatnonzero(row.wins >= 0)}
    assert found == GOLDEN_OTHELLO
    search = searched("mc-rave:seed=7,bias=0.1", TicTacToe(), 500)
    assert [int(visits) for visits in search.row().visits[:9]] == GOLDEN_TIC_TAC_TOE


GOLDEN_OTHELLO = {"b3": 476, "c2": 500, "d5": 780, "e4": 244}
GOLDEN_TIC_TAC_TOE = [4, 17, 4, 13, 447, 13, 1, 0, 1]


def illegal_lines(search, position):
    """The number of moves in a tree that the rules of the whole game forbid, and of all moves."""
    forbidden = checked = 0
    waiting = [(0, position.copy())]
    while waiting:
        node, reached = waiting.pop()
        row = search.row(node)
        for slot in np.flatnonzero((row.visits > 0) & (row.wins > CLOSED)):
            checked += 1
            if not reached.is_legal(int(slot)):
                forbidden += 1
            elif row.child[slot] != NO_CHILD:
                waiting.append((int(row.child[slot]), reached.copy().play(int(slot))))
    return forbidden, checked


@pytest.mark.long
@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_no_line_of_the_tree_repeats_a_position_that_superko_forbids(ko):
    """On two by two points everything is captured again and again; under simple ko, the tree repeats positions."""
    game = Go(2, komi=0.5, ko=ko)
    position = game.start().play("A1").play("B2").play("A2")
    forbidden, checked = illegal_lines(searched("uct:exploration=3,seed=2", game, 2000, position), position)
    assert forbidden == 0
    assert checked > 100
    lawless = Go(2, komi=0.5, ko="simple").start().play("A1").play("B2").play("A2")
    search = searched("uct:exploration=1,seed=2", lawless.game, 2000, lawless)
    assert illegal_lines(search, position)[0] > 0


def test_nodes_are_added_only_at_the_threshold_of_visits():
    search = searched("uct:expand=threshold,expand_visits=5", Go(5), 3000)
    assert 1 < search.memory.used[0] < 700
    for node in range(int(search.memory.used[0])):
        row = search.row(node)
        has_child = row.child != NO_CHILD
        assert (row.visits[has_child] >= 5).all()
    root = search.row()
    assert (root.visits[(root.wins > CLOSED) & (root.child == NO_CHILD)] < 5).all()


def test_a_whole_episode_adds_a_node_for_every_state():
    search = searched("uct:expand=episode", TicTacToe(), 1)
    work = search.memory.work
    assert 5 <= work.depth <= 9
    assert (
        search.memory.used[0] == work.depth
    )  # the root, and one for every state except the last, in which the game is over
    assert (search.memory.tree["total"][: search.memory.used[0]] == 1).all()


def test_a_search_continues_with_a_full_tree_and_reports_it():
    search = searched("mc-rave", Go(9), 3000, memory=1)
    assert search.is_full
    assert search.memory.used[0] == search.memory.tree.size
    assert search.memory.tree.nbytes <= 1_000_000
    assert open_visits(search, 0).sum() == 3000


@pytest.mark.parametrize(
    "player", ["mc-rave", "accelerated-uct", "uct:solver=true", "uct:prior=even", "discounted-uct"]
)
def test_subtree_reuse_keeps_all_rows_below_the_moves_played(player):
    game = Go(5)
    search = searched(player, game, 4000)
    position = game.start()
    nodes = [0]
    for _ in range(2):
        row = search.row(nodes[-1])
        slot = int(np.where(row.wins > CLOSED, row.visits, -1).argmax())
        position.play(slot)
        nodes.append(int(row.child[slot]))
    before = describe(search, nodes[-1])
    search.set_position(position)
    assert describe(search, 0) == before
    assert len(before) == search.memory.used[0] > 10
    search.run(1000)
    assert search.row().total > 0


def describe(search, node):
    """All rows of a subtree in depth-first order, without their node numbers."""
    rows, waiting = [], [node]
    while waiting:
        node = waiting.pop()
        row, memory = search.row(node), search.memory
        extra = [array[node].tobytes() for array in (memory.notes, memory.priors, memory.proofs) if array.size > 1]
        rows.append((row.visits.tobytes(), row.wins.tobytes(), row.rave_visits.tobytes(), float(row.total), *extra))
        waiting.extend(int(child) for child in row.child if child != NO_CHILD)
    return rows


def test_another_game_or_an_undone_move_starts_a_new_tree():
    game = Go(5)
    search = searched("uct", game, 500)
    position = game.start().play("C3")
    search.set_position(position)
    assert search.simulations > 0
    search.set_position(game.start().play("A1").play("B2"))
    assert search.simulations == 0
    search.run(100)
    search.set_position(game.start())
    assert search.simulations == 0
    setup = game.from_diagram("\n".join(["X . . . ."] + [". . . . ."] * 4))
    search.run(100)
    search.set_position(setup)
    assert search.simulations == 0


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_the_solver_never_tries_a_closed_move(size, seed):
    """Moves are closed as proved, as illegal and by superko; a node with none left is settled, not searched on."""
    game = Go(size, komi=0.5)
    search = searched(f"uct:solver=true,exploration=1,seed={seed}", game, 6000)
    assert illegal_lines(search, game.start())[0] == 0
    used = int(search.memory.used[0])
    has_no_move = ~(search.memory.tree["wins"][:used] > CLOSED).any(axis=1)
    assert has_no_move.any()
    assert (search.memory.proofs["node"][:used][has_no_move] != 0).all()


def test_whole_episodes_repeat_no_position_either():
    game = Go(2, komi=0.5)
    forbidden, checked = illegal_lines(searched("uct:expand=episode,seed=3", game, 500), game.start())
    assert (forbidden, checked > 100) == (0, True)


def test_a_discounted_prior_does_not_keep_the_tree_from_growing():
    search = searched("discounted-uct:prior=even,decay=0.9", Othello(6), 1000)
    assert search.memory.used[0] > 900


def test_a_reused_discounted_tree_is_discounted_further():
    game = Go(5)
    search = searched("discounted-uct:discount=tree,decay=0.99", game, 2000)
    position = game.start().play(int(np.where(search.row().wins > CLOSED, search.row().visits, -1).argmax()))
    search.set_position(position)
    search.run(500)
    assert search.row().total <= 100.0 + 1e-6  # at most 1 / (1 - decay)
    assert search.memory.tree["newest"][: search.memory.used[0]].max() == search.memory.work.clock


def test_a_new_game_with_the_same_seed_grows_the_same_tree():
    """With a prior that reads the path: the last game's path must have no effect."""
    game = TicTacToe()
    search = Search(parse_search("uct:prior=grandfather").replaced(memory=50), game)
    trees = []
    for _ in range(2):
        search.forget()
        search.reseed(9)
        search.set_position(game.start())
        search.run(500)
        trees.append(search.memory.tree[: search.memory.used[0]].tobytes())
    assert trees[0] == trees[1]


def test_after_a_single_simulation_only_legal_moves_are_chosen():
    """Moves that no simulation has tested are tested before they are played."""
    rng = np.random.default_rng(1)
    game = Go(4)
    player = parse_player("uct:simulations=1,memory=5,reuse=false").make(game)
    positions = []
    for _ in range(60):
        position = game.start()
        for _ in range(int(rng.integers(8, 24))):
            if not position.is_over:
                position.play(int(rng.choice(position.legal_move_numbers())))
        positions.append(position)
    unfinished = [position for position in positions if not position.is_over]
    assert len(unfinished) > 20
    assert all(position.is_legal(player.choose(position)) for position in unfinished)


def test_values_that_are_not_numbers_do_not_stop_a_search_with_the_solver():
    """The search used to restart its simulation for ever, since no move was selected and no node proved."""
    search = searched("uct:solver=true,first_play=1.1", TicTacToe(), 50)
    search.row().wins[search.row().wins >= 0] = np.nan
    assert search.run(20) == 20
