"""Saved trees: they come back as they were, go on as they would have, and a bad file is refused in one sentence."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello, TengenError
from tengen.interfaces.cli import app
from tengen.players import parse_search
from tengen.search.export import tree_to_dot, tree_to_json
from tengen.search.saved import BadTree, load_tree, save_tree
from tengen.search.search import Search


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
        ("uct:solver=true,first_play=1.1", Havannah(3).start().play("C3")),
        ("uct", Go(5).from_diagram(". . . . .\n. X O . .\n. X O . .\n. . . . .\n. . . . .", "white").play("B1")),
    ],
    ids=["go with priors", "accelerated othello", "solved havannah", "go from a picture"],
)
def test_a_saved_tree_comes_back_and_goes_on_as_it_would_have(player, position, tmp_path):
    search = searched(player, position)
    save_tree(search, tmp_path / "a.tree")
    loaded = load_tree(tmp_path / "a.tree")
    assert same_tree(search, loaded)
    assert loaded.position == search.position
    assert [move.notation for move in loaded.position.history] == [move.notation for move in search.position.history]
    assert loaded.simulations == search.simulations
    search.run(200)
    loaded.run(200)
    assert same_tree(search, loaded)


def test_a_tree_with_the_older_key_of_a_weight_by_variance_is_loaded(tmp_path):
    search = searched("mc-rave:prior=rlgo,prior_weight=variance", Go(9).start(), 50)
    save_tree(search, tmp_path / "new.tree")
    assert load_tree(tmp_path / "new.tree").config == search.config

    def rename(header, body):
        header["player"].update(prior_weight=10.0, prior_experience="variance")

    (tmp_path / "old.tree").write_bytes(rewritten(tmp_path / "new.tree", rename))
    loaded = load_tree(tmp_path / "old.tree")
    assert loaded.config == search.config
    assert same_tree(loaded, search)


def test_a_game_of_ones_own_is_named_when_its_tree_is_loaded(tmp_path):
    search = searched("uct", TicTacToe().start())
    save_tree(search, tmp_path / "a.tree")
    assert same_tree(load_tree(tmp_path / "a.tree", TicTacToe()), search)
    with pytest.raises(TengenError, match="there is no game"):
        load_tree(tmp_path / "a.tree")
    with pytest.raises(BadTree, match="another game"):
        load_tree(tmp_path / "a.tree", Othello())


@pytest.fixture(scope="module")
def good_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("trees") / "good.tree"
    save_tree(searched("mc-rave", Go(5).start(), 100), path)
    return path


def test_a_file_cut_short_anywhere_is_refused(good_file, tmp_path):
    content = good_file.read_bytes()
    header = content.index(b"}]}") + 3
    for length in [*range(0, 40), header // 2, header - 1, header, header + 1, len(content) // 2, len(content) - 1]:
        (tmp_path / "short.tree").write_bytes(content[:length])
        with pytest.raises(BadTree) as caught:
            load_tree(tmp_path / "short.tree")
        assert "\n" not in str(caught.value)


def rewritten(good_file, change) -> bytes:
    """The file with its header changed by a function, which returns the body's bytes."""
    _, _, rest = good_file.read_bytes().partition(b"\n")
    length, _, rest = rest.partition(b"\n")
    header, body = json.loads(rest[: int(length)]), bytearray(rest[int(length) :])
    change(header, body)
    text = json.dumps(header).encode()
    return b"TENGEN-TREE 1\n" + str(len(text)).encode() + b"\n" + text + bytes(body)


def put_child(index: int):
    """Make the root's first child another node, with a right checksum."""
    import hashlib

    def change(header, body):
        search = searched("mc-rave", Go(5).start(), 1)
        dtype = search.memory.tree.dtype
        rows = np.frombuffer(bytes(body[16:]), dtype).copy()
        slot = int(np.flatnonzero(rows[0]["child"])[0])
        rows["child"][0, slot] = index
        body[16:] = rows.tobytes()
        header["arrays"][1]["sha256"] = hashlib.sha256(rows.tobytes()).hexdigest()

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda header, body: header.pop("game"), "header"),
        (lambda header, body: header.update(game={"name": "chess"}), "no game"),
        (lambda header, body: header.update(game={"name": "go", "size": 99}), "from 1 to 25"),
        (lambda header, body: header.update(moves=["Z99"]), "Z99|z99"),
        (lambda header, body: header.update(moves=["C3", "C3"]), "C3"),
        (lambda header, body: header["player"].update(speed=9), "not known here: speed"),
        (lambda header, body: header["player"].update(memory="all"), "memory"),
        (lambda header, body: header["player"].update(tree_policy="magic"), "magic"),
        (lambda header, body: header.update(arrays=[]), "header"),
        (lambda header, body: header["arrays"][1].update(rows=10**9), "do not fit"),
        (lambda header, body: header["arrays"][1].update(rows=-1), "do not fit"),
        (lambda header, body: header["arrays"][1]["fields"].pop(), "another layout"),
        (lambda header, body: body.extend(b"x"), "another length"),
        (lambda header, body: body.__setitem__(500, body[500] ^ 1), "checksum"),
        (put_child(10**6), "do not form a tree"),
        (put_child(-5), "do not form a tree"),
    ],
)
def test_a_changed_file_is_refused_for_what_is_wrong(good_file, tmp_path, change, why):
    (tmp_path / "bad.tree").write_bytes(rewritten(good_file, change))
    with pytest.raises(TengenError, match=why) as caught:
        load_tree(tmp_path / "bad.tree")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no saved tree"),
        (b"(;GM[1]SZ[9])", "no saved tree"),
        (b"TENGEN-TREE 2\n5\n{}", "only version 1"),
        (b"TENGEN-TREE 1\nfive\n{}", "length of its header"),
        (b"TENGEN-TREE 1\n2\n[]", "does not describe"),
        (b"TENGEN-TREE 1\n5\n{bad}", "no JSON"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content, why):
    (tmp_path / "foreign").write_bytes(content)
    with pytest.raises(BadTree, match=why):
        load_tree(tmp_path / "foreign")


def test_a_missing_file_and_a_missing_folder_are_told(tmp_path, good_file):
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
    for child in tree["children"]:
        if "children" in child:
            assert sum(grandchild["visits"] for grandchild in child["children"]) == child["visits"] - 1
    assert all(0 <= child["value"] <= 1 for child in tree["children"])
    assert json.loads(json.dumps(tree)) == tree
    drawing = tree_to_dot(search, depth=1, least_visits=0)
    assert drawing.count("->") == len(tree["children"])


def test_the_command_makes_grows_and_shows_a_tree(tmp_path):
    def tengen(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", "from tengen.interfaces.cli import main; main()", "tree", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    file = str(tmp_path / "a.tree")
    assert "300 simulations" in tengen(
        file, "--new", "mc-rave:simulations=300,memory=20", "--size", "5", "--after", "C3"
    )
    assert "500 simulations" in tengen(file, "--grow", "200")
    assert load_tree(file).simulations == 500
    assert json.loads(tengen(file, "--json", "--least-visits", "0"))["moves_before"] == ["C3"]
    assert tengen(file, "--dot", "-").startswith("digraph")


def test_the_command_tells_of_a_foreign_file_in_one_line(tmp_path, capsys):
    (tmp_path / "x").write_text("nonsense")
    with pytest.raises(TengenError, match="no saved tree"):
        app(["tree", str(tmp_path / "x")], standalone_mode=False)
