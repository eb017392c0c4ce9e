"""Saved trees that are wrong, most of them with a valid checksum.

    header_lies(content)        one entry of the header removed or replaced
    bit_flips(content, count)   one bit of the file flipped, without a new checksum: each must be refused
    array_lies(content)         one number of the tree changed so that a search would go wrong: each must be refused
    array_flips(content, count) one bit of the arrays flipped, with a new checksum: refused, or harmless

Each yields pairs of a name and the content of a file.
"""

import hashlib
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tengen.games.interface import is_legal
from tengen.search.saved import load_tree
from tengen.search.search import Search
from tests.trials.headers import encoded, lies

FORMAT = b"TENGEN-TREE 3"
DIGEST_BYTES = 32

Arrays = dict[str, np.ndarray]


def unpacked(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header of a saved tree and the bytes of its arrays."""
    _, length, rest = content.split(b"\n", 2)
    return json.loads(rest[: int(length)]), rest[int(length) : -DIGEST_BYTES]


def packed(header: Any, body: bytes) -> bytes:
    """Return a saved tree with this header and these arrays, and a valid checksum."""
    text = header if isinstance(header, bytes) else encoded(header)
    content = FORMAT + b"\n%d\n" % len(text) + text + body
    return content + hashlib.sha256(content).digest()


def header_lies(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the tree with one altered entry in its header, and a valid checksum."""
    header, body = unpacked(content)
    for name, changed in lies(header):
        yield name, packed(changed, body)
    for name, settings in NOTABLE_SETTINGS.items():
        yield name, packed({**header, "player": {**header["player"], **settings}}, body)
    yield "not an object", packed([], body)
    yield "not JSON", packed(b"{bad}", body)
    yield "not UTF-8", packed(b'{"game": "\xff"}', body)
    yield "nested header", packed(b"[" * 5000 + b"]" * 5000, body)
    yield "one more byte", packed(header, body + b"\0")
    yield "one byte less", packed(header, body[:-1])


RLGO = {"policy": "rlgo", "epsilon": 0.0, "sigma": 0.0, "tau": 0.0}
"""Settings of a policy that reads a file of weights, without the file."""
NOTABLE_SETTINGS: dict[str, dict[str, Any]] = {
    "most memory": {"memory": 10**6},
    "too much memory": {"memory": 10**12},
    "too many threads": {"threads": 10**6},
    "device as weights": {**RLGO, "weights": "/dev/zero"},
    "folder as weights": {**RLGO, "weights": "/"},
    "invalid path as weights": {**RLGO, "weights": "a\0b"},
    "long path as weights": {**RLGO, "weights": "a" * 100_000},
    "device as urgencies": {"policy": "urgency", "urgencies": "/dev/zero"},
    "folder as urgencies": {"policy": "urgency", "urgencies": "/"},
    "invalid path as urgencies": {"policy": "urgency", "urgencies": "a\0b"},
    "settings that exclude each other": {"threads": 2, "backup": "discounted", "discount": "tree", "decay": 0.9999},
    "prior without its tree policy": {"prior": "even", "prior_weight": 10.0, "prior_on": "both", "tree_policy": "ucb1"},
}


def bit_flips(content: bytes, count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one bit flipped: in every byte up to the end of the header, then in `count` others."""
    chance = random.Random(seed)
    end = len(content) - len(unpacked(content)[1]) - DIGEST_BYTES
    for place in [*range(end), *(chance.randrange(end, len(content)) for _ in range(count)), len(content) - 1]:
        changed = bytearray(content)
        changed[place] ^= 1 << chance.randrange(8)
        yield f"bit of byte {place}", bytes(changed)


def array_flips(content: bytes, count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield the tree with one bit of its arrays flipped, and a valid checksum."""
    header, body = unpacked(content)
    chance = random.Random(seed)
    for number in range(count):
        place, changed = chance.randrange(len(body)), bytearray(body)
        changed[place] ^= 1 << chance.randrange(8)
        yield f"bit of array byte {place}, number {number}", packed(header, bytes(changed))


def array_lies(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the tree with one number changed so that a search would go wrong, and a valid checksum.

    The tree has to be of a game in the package, with two children of the root, one of them not the last node, and with
    a last illegal slot that is illegal everywhere.
    """
    header, body = unpacked(content)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "valid.tree").write_bytes(content)
        search = load_tree(Path(folder) / "valid.tree")
    for name, lie in _array_lies(search).items():
        arrays = _arrays(search, header)
        lie(arrays)
        changed = b"".join(array.tobytes() for array in arrays.values())
        assert changed != body, name
        yield name, packed(header, changed)


def _arrays(search: Search, header: dict[str, Any]) -> Arrays:
    """Copies of the arrays of a search that are saved."""
    return {entry["name"]: getattr(search.memory, entry["name"])[: entry["rows"]].copy() for entry in header["arrays"]}


def _array_lies(search: Search) -> dict[str, Callable[[Arrays], None]]:
    """Changes to the arrays of a search, by name."""
    tree, rows = search.memory.tree, int(search.memory.used[0])
    wide, slots = tree["visits"].shape[1], search.game.move_slots
    visited = int(np.argmax(np.where(tree[0]["wins"] >= 0, tree[0]["visits"], -1)))
    parents = np.flatnonzero((tree["child"][:rows] != 0).any(axis=1))
    leaf = int(np.flatnonzero((tree["child"][:rows] == 0).all(axis=1))[-1])
    with_child = int(np.flatnonzero(tree[0]["child"])[0])
    state = search.position.state
    illegal = next(slot for slot in reversed(range(slots)) if not is_legal(state, slot))
    last_parent = int(parents[-1])

    def put(array: str, field: str, node: int, slot: Any, value: Any) -> Callable[[Arrays], None]:
        def change(arrays: Arrays) -> None:
            if slot is None:
                arrays[array][field][node] = value
            else:
                arrays[array][field][(node, *np.atleast_1d(slot))] = value

        return change

    def both(*changes: Callable[[Arrays], None]) -> Callable[[Arrays], None]:
        def change(arrays: Arrays) -> None:
            for one in changes:
                one(arrays)

        return change

    def open_slot(node: int, slot: int, visits: float) -> Callable[[Arrays], None]:
        return both(put("tree", "visits", node, slot, visits), put("tree", "wins", node, slot, visits))

    def move_child(source: int, target: int) -> Callable[[Arrays], None]:
        child = int(tree[0]["child"][source])
        return both(put("tree", "child", 0, source, 0), put("tree", "child", 0, target, child))

    found = {
        "illegal slot open": open_slot(0, illegal, 0.0),
        "illegal slot visited": open_slot(0, illegal, 1.0),
        "illegal slot of a leaf open": open_slot(leaf, illegal, 0.0),
        "illegal slot of a leaf visited": open_slot(leaf, illegal, 1.0),
        "superko hash of the root": put("tree", "situation", 0, None, 12345),
        "superko hash of a leaf": put("tree", "situation", leaf, None, 12345),
        "child is its own parent": put("tree", "child", last_parent, with_child, last_parent),
        "cycle": put("tree", "child", last_parent, with_child, 1),
        "two parents": put("tree", "child", 0, with_child, rows - 1),
        "child out of range": put("tree", "child", 0, with_child, rows),
        "child far out of range": put("tree", "child", 0, with_child, 2**31 - 1),
        "negative child": put("tree", "child", 0, with_child, -1),
        "very negative child": put("tree", "child", 0, with_child, -(2**31)),
        "lost child": put("tree", "child", 0, with_child, 0),
        "child at an illegal slot": move_child(with_child, illegal),
        "negative total": put("tree", "total", 0, None, -1.0),
        "total is no number": put("tree", "total", leaf, None, np.nan),
        "total too large": put("tree", "total", 0, None, 1e15),
        "scale zero": put("tree", "scale", 0, None, 0.0),
        "scale is no number": put("tree", "scale", 0, None, np.nan),
        "scale negative": put("tree", "scale", leaf, None, -1.0),
        "newest is no number": put("tree", "newest", 0, None, np.nan),
        "newest infinite": put("tree", "newest", 0, None, np.inf),
        "random step even": lambda arrays: arrays["rng"].__setitem__(1, 0),
    }
    if tree[0]["situation"] != 0:
        first, second = (int(slot) for slot in np.flatnonzero(tree[0]["child"])[:2])
        children = int(tree[0]["child"][first]), int(tree[0]["child"][second])
        found["children exchanged"] = both(
            put("tree", "child", 0, first, children[1]), put("tree", "child", 0, second, children[0])
        )
    if wide > slots:
        found["padding open"] = open_slot(0, wide - 1, 0.0)
        found["padding visited"] = open_slot(leaf, wide - 1, 5.0)
        found["child in the padding"] = move_child(with_child, wide - 1)
    bad_numbers = {"nan": np.nan, "infinite": np.inf, "negative": -1.0, "huge": 1e38}
    for name, value in bad_numbers.items():
        found[f"visits {name}"] = put("tree", "visits", 0, visited, value)
        found[f"wins {name}"] = put("tree", "wins", 0, visited, value)
        if search.config.rave:
            found[f"RAVE visits {name}"] = put("tree", "rave_visits", leaf, visited, value)
            found[f"RAVE wins {name}"] = put("tree", "rave_wins", leaf, visited, value)
        if search.memory.priors.size > 1:
            for field in ("value", "weight", "visits", "wins"):
                found[f"{field} of the prior {name}"] = put("priors", field, 0, visited, value)
        if search.memory.notes.size > 1:
            found[f"weight {name}"] = put("notes", "moves", 0, (visited, 0), value)
            found[f"ratio {name}"] = put("notes", "moves", 0, (visited, 1), value)
    if search.memory.notes.size > 1:
        found["lock taken"] = put("notes", "lock", leaf, 0, 1)
        found["weight not a number at an unvisited slot"] = put("notes", "moves", leaf, (wide - 1, 0), np.nan)
    if search.config.backup == "accelerated":
        found["sum of weights too small"] = put("tree", "weight_sum", 0, None, 1e-300)
        found["sum of weights not a number"] = put("tree", "weight_sum", 0, None, np.nan)
        found["sum of ratios too large"] = put("tree", "ratio_sum", 0, None, 1e90)
    if search.memory.proofs.size > 1:
        found["unknown proof of a move"] = put("proofs", "moves", 0, visited, 4)
        found["unknown proof of a node"] = put("proofs", "node", 0, None, 200)
        found["proof of an illegal move"] = put("proofs", "moves", 0, illegal, 3)
    return found
