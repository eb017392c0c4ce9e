"""Saved trees: loaded unchanged, continued identically, and refused with a one-line error if invalid."""

import json
import os
import re
import shutil
from collections.abc import Iterator

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello, TengenError
from tengen.games.interface import is_legal
from tengen.interfaces.cli import app
from tengen.players import parse_search
from tengen.search import inspection, saved
from tengen.search.analysis import analyse
from tengen.search.export import tree_to_dot, tree_to_json
from tengen.search.saved import BadTree, load_tree, save_tree
from tengen.search.search import Search
from tests.interfaces.in_process import output_of
from tests.trials import saved_trees


def searched(player: str, position, simulations: int = 400) -> Search:
    search = Search(parse_search(player + ("," if ":" in player else ":") + "memory=20"), position.game)
    search.set_position(position)
    search.run(simulations)
    return search


def same_tree(one: Search, other: Search) -> bool:
    rows = int(one.memory.used[0])
    return rows == int(other.memory.used[0]) and all(
        getattr(one.memory, name)[:rows].tobytes() == getattr(other.memory, name)[:rows].tobytes()
        for name in ("tree", "notes", "priors", "proofs")
    )


@pytest.mark.parametrize(
    ("player", "position"),
    [
        ("mc-rave:prior=even", Go(5).start().play("C3").play("pass")),
        ("uct:backup=accelerated", Othello(4).start()),
        ("uct:solver=true,first_play=1.1", Havannah(4).start().play("C3")),
        ("uct:backup=discounted,discount=tree,prior=even", Othello(4).start()),
        ("uct:expand=episode,backup=accelerated", Go(5).start()),
        ("mc-rave:backup=accelerated,decay=auto,new_node_visit=true,final_move=eval", Go(5).start()),
        ("tengen", Go(9).start().play("C3")),
        ("uct", Go(5).from_diagram(". . . . .\n. X O . .\n. X O . .\n. . . . .\n. . . . .", "white").play("B1")),
    ],
    ids=[
        "go with priors",
        "accelerated othello",
        "solved havannah",
        "discounted othello",
        "go by episodes",
        "go as in Algorithm 2",
        "go with knowledge",
        "go from a picture",
    ],
)
def test_a_loaded_tree_equals_the_saved_one_and_continues_identically(player, position, tmp_path):
    search = searched(player, position)
    search.save(tmp_path / "a.tree")
    loaded = Search.load(tmp_path / "a.tree")
    assert same_tree(search, loaded)
    assert loaded.position == search.position
    assert [move.notation for move in loaded.position.history] == [move.notation for move in search.position.history]
    assert loaded.simulations == search.simulations
    search.run(200)
    loaded.run(200)
    assert same_tree(search, loaded)


def test_loading_the_tree_of_a_users_game_needs_the_game(tmp_path):
    search = searched("uct", TicTacToe().start())
    save_tree(search, tmp_path / "a.tree")
    assert same_tree(load_tree(tmp_path / "a.tree", TicTacToe()), search)
    with pytest.raises(TengenError, match="unknown game"):
        load_tree(tmp_path / "a.tree")
    with pytest.raises(BadTree, match=r"its game is .*, not Othello"):
        load_tree(tmp_path / "a.tree", Othello())


@pytest.fixture(scope="module")
def good_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("trees") / "good.tree"
    save_tree(searched("mc-rave", Go(5).start(), 100), path)
    return path


def refusal(path, content: bytes) -> str:
    """The one-line error with which a file of this content is refused."""
    path.write_bytes(content)
    with pytest.raises(BadTree) as caught:
        load_tree(path)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 800
    message.encode()  # can be printed
    return message


def refused_or_harmless(path, content: bytes) -> bool:
    """Whether a file of this content is refused; if not, check that its search can continue and be analysed."""
    path.write_bytes(content)
    try:
        search = load_tree(path)
    except BadTree:
        return True
    search.run(100)
    analyse(search, search.position).table()
    tree_to_json(search, depth=50, least_visits=0)
    return False


def test_a_file_cut_short_anywhere_is_refused(good_file, tmp_path):
    content = good_file.read_bytes()
    header = content.index(b"}]}") + 3
    for length in [*range(0, 40), header // 2, header - 1, header, header + 1, len(content) // 2, len(content) - 1]:
        refusal(tmp_path / "short.tree", content[:length])


def test_every_flipped_bit_is_refused(good_file, tmp_path):
    content = good_file.read_bytes()
    _, length, _ = content.split(b"\n", 2)
    start = content.index(b"{")
    names = set()
    for name, changed in saved_trees.bit_flips(content, count=300):
        message = refusal(tmp_path / "flipped.tree", changed)
        assert int(name.split()[-1]) < start or "checksum is wrong" in message
        names.add(name)
    assert len(names) > start + int(length) + 290


@pytest.mark.long
def test_a_changed_header_is_refused_or_harmless(good_file, tmp_path):
    """Harmless changes are valid values that the tree does not depend on, such as the time per move."""
    refused, harmless = 0, set()
    for name, changed in saved_trees.header_lies(good_file.read_bytes()):
        if refused_or_harmless(tmp_path / "lie.tree", changed):
            refused += 1
            refusal(tmp_path / "lie.tree", changed)
        else:
            harmless.add(name)
    assert refused > 800
    places = {name.partition(" ")[0] for name in harmless if name != "most memory"}
    assert {place.partition(".")[0] for place in places} <= {"player", "counts", "game"}
    assert places & {"game.size", "player.memory", "player.threads", "player.tree_policy", "moves", "root"} == set()


def altered(good_file, change) -> bytes:
    """The file with its header and its arrays' bytes changed by a function, and a valid checksum."""
    header, body = saved_trees.unpacked(good_file.read_bytes())
    changed = bytearray(body)
    change(header, changed)
    return saved_trees.packed(header, bytes(changed))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda header, body: header.pop("game"), "its header lacks 'game'"),
        (lambda header, body: header.update(game={"name": "chess"}), "unknown game 'chess'"),
        (lambda header, body: header["game"].update(size=99), "from 1 to 25"),
        (lambda header, body: header["game"].pop("komi"), r"its game is .*, not Go"),
        (lambda header, body: header["game"].update(komi=0.5, ko="simple"), "superko hash"),
        (lambda header, body: header.update(moves=["Z99"]), "Z99|z99"),
        (lambda header, body: header.update(moves=["C3", "C3"]), "C3"),
        (lambda header, body: header.update(moves=["C3"]), "do not lead to the position of its root"),
        (lambda header, body: header.update(moves=["pass"] * 10_001), "at most 10,000"),
        (lambda header, body: header.update(moves=[3]), "moves in its header are not valid"),
        (lambda header, body: header.update(start=["...\n...\n...", "black"]), "the board"),
        (lambda header, body: header.update(start=["x", "black", "white"]), "not valid"),
        (lambda header, body: header["player"].update(speed=9), "unknown setting 'speed'"),
        (lambda header, body: header["player"].pop("seed"), "its player lacks 'seed'"),
        (lambda header, body: header["player"].update(memory="all"), "memory is a whole number, not 'all'"),
        (lambda header, body: header["player"].update(memory=10**7), "memory is from 1 to 1e\\+06"),
        (lambda header, body: header["player"].update(threads=0), "threads is from 1 to 256, not '0'"),
        (lambda header, body: header["player"].update(threads=10**6), "threads is from 1 to 256"),
        (lambda header, body: header["player"].update(exploration=float("nan")), "exploration is from 0"),
        (lambda header, body: header["player"].update(tree_policy="magic"), "unknown tree policy 'magic'"),
        (lambda header, body: header["player"].update(saved_trees.RLGO, weights="/dev/zero"), "not a regular file"),
        (lambda header, body: header["counts"].update(simulations=-1), "simulations"),
        (lambda header, body: header["counts"].update(simulations=2**23 + 1), "simulations"),
        (lambda header, body: header.update(arrays=[]), "number of nodes"),
        (lambda header, body: header["arrays"][1].update(rows=10**9), "number of nodes"),
        (lambda header, body: header["arrays"][1].update(rows=-1), "number of nodes"),
        (lambda header, body: header["arrays"][1].update(rows=header["arrays"][1]["rows"] - 1), "longer or shorter"),
        (lambda header, body: header["arrays"][1]["fields"].pop(), "layout"),
        (lambda header, body: body.extend(b"x"), "longer or shorter"),
    ],
)
def test_an_altered_file_with_a_valid_checksum_is_refused_for_what_is_wrong(good_file, tmp_path, change, why):
    assert re.search(why, refusal(tmp_path / "bad.tree", altered(good_file, change)))


def test_a_tree_after_other_moves_is_refused_even_with_their_root(tmp_path):
    """Only the superko hash and the legality of the moves can detect this, and each of them does."""
    for game, why in ((Go(5), "superko hash"), (Go(5, ko="simple"), "not legal"), (Othello(4), "not legal")):
        path = tmp_path / "a.tree"
        searched("uct", game.start(), 100).save(path)
        other = game.start().play("C3" if game.name == "go" else game.start().legal_moves()[0])
        searched("uct", other, 1).save(tmp_path / "other.tree")
        header, body = saved_trees.unpacked(path.read_bytes())
        there, _ = saved_trees.unpacked((tmp_path / "other.tree").read_bytes())
        header.update(moves=there["moves"], root=there["root"])
        assert why in refusal(path, saved_trees.packed(header, body))


TREES = {
    "go with priors": ("mc-rave:prior=even", Go(5).start().play("C3")),
    "accelerated othello": ("uct:backup=accelerated", Othello(4).start()),
    "solved havannah": ("uct:solver=true,first_play=1.1", Havannah(4).start().play("C3")),
    "discounted go": ("uct:backup=discounted,solver=true", Go(5).start().play("C3")),
}


@pytest.mark.parametrize("name", TREES)
def test_an_altered_tree_is_refused(name, tmp_path):
    path = tmp_path / "a.tree"
    searched(*TREES[name]).save(path)
    refused = [refusal(path, changed) for _, changed in saved_trees.array_lies(path.read_bytes())]
    assert len(refused) > 30
    assert all("tree is not valid at node" in message or "random generator" in message for message in refused)


@pytest.mark.long
@pytest.mark.parametrize("name", TREES)
def test_a_flipped_bit_in_the_tree_with_a_valid_checksum_is_refused_or_harmless(name, tmp_path):
    path = tmp_path / "a.tree"
    searched(*TREES[name]).save(path)
    found = [refused_or_harmless(path, changed) for _, changed in saved_trees.array_flips(path.read_bytes(), 150)]
    assert {True, False} == set(found)


def test_a_child_that_repeats_a_position_is_refused(tmp_path):
    path = tmp_path / "a.tree"
    search = searched("uct", Go(3).start(), 3000)
    search.save(path)
    tree = search.memory.tree[: search.memory.used[0]].copy()
    node, slot = next(moves_forbidden_by_superko(search))
    taken = int(np.flatnonzero(tree["child"][node])[0])
    tree["child"][node, slot], tree["child"][node, taken] = tree["child"][node, taken], 0
    header, body = saved_trees.unpacked(path.read_bytes())
    changed = body[:16] + tree.tobytes()
    assert "repeats an earlier position" in refusal(path, saved_trees.packed(header, changed))


def moves_forbidden_by_superko(search: Search) -> Iterator[tuple[int, int]]:
    """(Node with children, move there that is closed only because it repeats a position)."""
    tree = search.memory.tree[: search.memory.used[0]]
    positions = {0: search.position}
    for node, slot in zip(*np.nonzero(tree["child"]), strict=True):
        positions[int(tree["child"][node, slot])] = positions[int(node)].copy().play(int(slot))
    for node in np.unique(np.nonzero(tree["child"])[0]):
        for slot in np.flatnonzero(tree["wins"][node, : search.game.move_slots] < 0):
            position = positions[int(node)]
            if is_legal(position.state, slot) and not position.is_legal(int(slot)):
                yield int(node), int(slot)


def test_a_tree_is_inspected_in_pieces_and_can_be_interrupted_between_them(good_file, monkeypatch):
    monkeypatch.setattr(saved, "NODES_AT_ONCE", 7)
    whole = inspection.inspect
    calls = []

    def counted(memory, progress, has_parent, most):
        calls.append(most)
        return whole(memory, progress, has_parent, most)

    monkeypatch.setattr(inspection, "inspect", counted)
    nodes = int(load_tree(good_file).memory.used[0])
    assert len(calls) == -(-(nodes - 1) // 7) + ((nodes - 1) % 7 == 0)

    def interrupted(memory, progress, has_parent, most):
        if progress.reached > nodes // 2:
            raise KeyboardInterrupt
        return whole(memory, progress, has_parent, most)

    monkeypatch.setattr(inspection, "inspect", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_tree(good_file)


def test_a_search_larger_than_the_memory_is_refused(good_file, monkeypatch):
    def allocate(search):
        raise MemoryError

    monkeypatch.setattr(Search, "_allocate", allocate)
    with pytest.raises(BadTree, match="not enough memory"):
        load_tree(good_file)


@pytest.mark.plain
def test_a_small_tree_is_loaded_and_refused_if_altered(tmp_path):
    path = tmp_path / "a.tree"
    search = searched("uct:backup=accelerated", Othello(4).start(), 12)
    search.save(path)
    assert same_tree(load_tree(path), search)
    content = dict(saved_trees.array_lies(path.read_bytes()))["illegal slot of a leaf visited"]
    assert "not legal" in refusal(path, content)


def test_the_tree_of_a_finished_game_is_loaded(tmp_path):
    search = searched("mc-rave:prior=even", Go(5).start().play("pass").play("pass"), 10)
    search.save(tmp_path / "a.tree")
    assert same_tree(load_tree(tmp_path / "a.tree"), search)


def test_a_tree_of_several_threads_is_loaded(tmp_path):
    search = searched("mc-rave:threads=3,backup=accelerated,solver=true", Go(5).start(), 3000)
    search.save(tmp_path / "a.tree")
    loaded = load_tree(tmp_path / "a.tree")
    assert same_tree(loaded, search)
    assert loaded.run(300) == 300


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a saved tree"),
        (b"(;GM[1]SZ[9])", "not a saved tree"),
        (b"TENGEN-TREE 3", "not a saved tree"),
        (b"TENGEN-TREE 1\n2\n{}", "version '1' of the format; only version 3 is read"),
        (b"TENGEN-TREE 3\nfive\n{}", "length of its header"),
        (b"TENGEN-TREE 3\n99999999999\n{}", "length of its header"),
        (b"TENGEN-TREE 3\n2\n{}", "checksum"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content, why):
    assert why in refusal(tmp_path / "foreign", content)


def test_a_device_a_fifo_and_a_folder_are_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in ("/dev/zero", tmp_path / "fifo", tmp_path):
        with pytest.raises(BadTree, match="cannot be read"):
            load_tree(path)


def test_a_missing_file_and_a_missing_folder_are_refused(tmp_path, good_file):
    with pytest.raises(BadTree, match="cannot be read"):
        load_tree(tmp_path / "nothing")
    with pytest.raises(TengenError, match="cannot be written"):
        save_tree(load_tree(good_file), tmp_path / "no" / "folder")


def test_a_failed_write_leaves_the_old_file(good_file, tmp_path, monkeypatch):
    shutil.copy(good_file, tmp_path / "a.tree")
    before = (tmp_path / "a.tree").read_bytes()
    search = load_tree(good_file)

    def fail(descriptor):
        raise OSError("no space")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(TengenError, match="no space"):
        save_tree(search, tmp_path / "a.tree")
    assert (tmp_path / "a.tree").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.tree"]


def test_the_exported_tree_adds_up(good_file):
    search = load_tree(good_file)
    tree = tree_to_json(search, depth=50, least_visits=0)
    assert tree["visits"] == sum(child["visits"] for child in tree["children"]) == 100
    parents = [child for child in tree["children"] if "children" in child]
    assert parents
    for child in parents:
        assert sum(grandchild["visits"] for grandchild in child["children"]) == child["visits"] - 1
    assert all(0 <= child["value"] <= 1 for child in tree["children"])
    assert json.loads(json.dumps(tree)) == tree
    drawing = tree_to_dot(search, depth=1, least_visits=0)
    assert drawing.count("->") == len(tree["children"])


def test_the_command_creates_grows_and_shows_a_tree(tmp_path):
    file = str(tmp_path / "a.tree")
    new = ("--new", "mc-rave:simulations=300,memory=20", "--size", "5", "--after", "C3")
    assert "300 simulations" in output_of("tree", file, *new)
    assert "500 simulations" in output_of("tree", file, "--grow", "200")
    assert load_tree(file).simulations == 500
    assert json.loads(output_of("tree", file, "--json", "--least-visits", "0"))["moves_before"] == ["C3"]
    assert output_of("tree", file, "--dot", "-").startswith("digraph")


def test_the_command_reports_a_foreign_file_in_one_line(tmp_path, capsys):
    (tmp_path / "x").write_text("nonsense")
    with pytest.raises(SystemExit) as ended:
        app(["tree", str(tmp_path / "x")], standalone_mode=False)
    assert ended.value.code == 1
    assert capsys.readouterr().err == f"tengen: '{tmp_path / 'x'}': this is not a saved tree\n"
