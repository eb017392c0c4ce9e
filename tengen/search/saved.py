"""Trees in files: saved whole, loaded without executing anything, and refused if anything about them is wrong.

A saved tree is one file:

    TENGEN-TREE 1                           the format and its version, then a line feed
    1234                                    the length of the header in bytes, in decimal, then a line feed
    {"game": {...}, "player": {...}, ...}   the header: JSON in UTF-8
    ...                                     the arrays, one after the other, as raw little-endian numbers

The header has
    game, player   the options of the game, and the settings of the search
    start          the picture of the position at which the game began, and who was to play there; null for the usual
    moves          that led from there to the root, in the game's notation
    counts         simulations, and how deep they went
    arrays         for each array: its name, its fields (name, kind of number, shape), how many rows, its SHA-256

`rng` is the random generator's state: a loaded search goes on as the saved one would have. `tree` has a row for every
node, in the order of their making, the root first; `notes`, `priors` and `proofs` belong to backups, priors and the
solver, and are there if these are. What the fields mean stands in tree.py, backup.py, priors.py and solver.py.
"""

import hashlib
import json
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.files import replacing
from tengen.games.catalogue import game_from_json, game_to_json
from tengen.games.game import Game, Position
from tengen.search.config import SearchConfig
from tengen.search.search import Search
from tengen.search.tree import NO_CHILD, ROOT

FORMAT, VERSION = "TENGEN-TREE", 1
LONGEST_HEADER = 10_000_000
COUNTS = ("simulations", "clock", "deepest", "depth_sum", "depth_count")


class BadTree(TengenError):
    """A file that holds no tree, or one that cannot be used."""


def save_tree(search: Search, path: str | Path) -> None:
    """Write a search and all it knows to a file: to a new one, which then takes the place of the old."""
    if sys.byteorder != "little":
        raise BadTree("trees are saved on little-endian machines only")
    arrays = _arrays(search, int(search.memory.used[0]))
    header = {
        "game": game_to_json(search.game),
        "player": {key: _plain(value) for key, value in asdict(search.config).items()},
        "start": _start(search.position),
        "moves": [played.notation for played in search.position.history],
        "counts": {name: int(search.memory.work[name]) for name in COUNTS},
        "arrays": [
            {
                "name": name,
                "fields": _layout(array.dtype),
                "rows": len(array),
                "sha256": hashlib.sha256(array.tobytes()).hexdigest(),
            }
            for name, array in arrays.items()
        ],
    }
    text = json.dumps(header).encode()
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.write(f"{FORMAT} {VERSION}\n{len(text)}\n".encode() + text)
        for array in arrays.values():
            file.write(array.tobytes())


def load_tree(path: str | Path, game: Game | None = None) -> Search:
    """The search that a file holds, ready to go on; a game of your own is given, since only ours are known by name."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadTree(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        header, body = _split(content)
        search = _search(header, game)
        _fill(search, header, body)
    except BadTree as error:
        raise BadTree(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadTree(f"{path}: the header does not describe a tree ({error})") from None
    return search


def _plain(value: Any) -> Any:
    """JSON knows no infinity: it is written as a word."""
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def _start(position: Position) -> list[str] | None:
    """Where the game began, if not where its games usually do."""
    first = position.copy()
    while first.history:
        first.undo()
    return None if first == first.game.start() else [first.diagram(), first.to_play]


def _arrays(search: Search, rows: int) -> dict[str, np.ndarray]:
    """All that is saved, as views into the search's memory."""
    memory = search.memory
    kept = {"rng": memory.rng, "tree": memory.tree[:rows]}
    for name in ("notes", "priors", "proofs"):
        array = getattr(memory, name)
        if array.size > 1:
            kept[name] = array[:rows]
    return kept


def _layout(dtype: np.dtype) -> list[list[Any]]:
    """The fields of a row, without the tag that tells our records from each other."""
    if dtype.names is None:
        return [["", dtype.str, []]]
    described = [(name, dtype[name]) for name in dtype.names if not name.startswith("tag_")]
    return [[name, kind.base.str, list(kind.shape)] for name, kind in described]


def _split(content: bytes) -> tuple[dict[str, Any], memoryview]:
    """The header and what follows it."""
    first, _, rest = content.partition(b"\n")
    if not first.startswith(FORMAT.encode() + b" ") or len(first) > 40:
        raise BadTree("this is no saved tree")
    if first != f"{FORMAT} {VERSION}".encode():
        raise BadTree(f"this tree has the format {first.decode('ascii', 'replace')!r}; only version {VERSION} is known")
    length, _, rest = rest.partition(b"\n")
    if not length.isdigit() or len(length) > 12:
        raise BadTree("the file is cut short or damaged: the length of its header is missing")
    size = int(length)
    if size > LONGEST_HEADER or size > len(rest):
        raise BadTree("the file is cut short or damaged: it ends in its header")
    try:
        header = json.loads(rest[:size])
    except ValueError:
        raise BadTree("the file is damaged: its header is no JSON") from None
    if not isinstance(header, dict):
        raise BadTree("the header does not describe a tree")
    return header, memoryview(rest)[size:]


def _search(header: dict[str, Any], game: Game | None) -> Search:
    """An empty search as the header describes it, at the root's position."""
    if game is None:
        game = game_from_json(header["game"])
    elif game_to_json(game) != header["game"]:
        raise BadTree(f"the tree is of another game than {game}")
    settings = dict(header["player"])
    known = {entry.name: entry for entry in fields(SearchConfig)}
    if unknown := sorted(set(settings) - set(known)):
        raise BadTree(f"its search has settings that are not known here: {', '.join(unknown)}")
    for name, value in settings.items():
        kind = type(known[name].default)
        settings[name] = kind(value) if kind is float else value
        if type(settings[name]) is not kind:
            raise BadTree(f"its search has a {name} that is no {kind.__name__}")
    search = Search(SearchConfig(**settings), game)
    start = header["start"]
    position = game.start() if start is None else game.from_diagram(*start)
    for move in header["moves"]:
        position.play(move)
    search.set_position(position)
    return search


def _fill(search: Search, header: dict[str, Any], body: memoryview) -> None:
    """Put the file's arrays into a search, after every check that can be made."""
    described = {entry["name"]: entry for entry in header["arrays"]}
    rows = int(described["tree"]["rows"])
    if not 1 <= rows <= search.capacity:
        raise BadTree(f"{rows:,} nodes do not fit into {search.config.memory} megabytes")
    targets = _arrays(search, rows)
    if list(described) != list(targets):
        raise BadTree(f"it has the arrays {', '.join(described)}, but its search needs {', '.join(targets)}")
    if sum(target.nbytes for target in targets.values()) != len(body):
        raise BadTree("the file is cut short or damaged: its arrays have another length than its header says")
    loaded, at = {}, 0
    for name, target in targets.items():
        entry = described[name]
        if entry["fields"] != _layout(target.dtype) or entry["rows"] != len(target):
            raise BadTree(f"its array '{name}' has another layout than trees have here")
        part = body[at : at + target.nbytes]
        at += target.nbytes
        if hashlib.sha256(part).hexdigest() != entry["sha256"]:
            raise BadTree(f"the file is damaged: the checksum of its array '{name}' is wrong")
        loaded[name] = np.frombuffer(part, target.dtype)
    _check_tree(loaded["tree"])
    for name, target in targets.items():
        target[:] = loaded[name]
    search.memory.used[0] = rows
    for name in COUNTS:
        search.memory.work[name] = int(header["counts"][name])


def _check_tree(tree: np.ndarray) -> None:
    """Every child must be a later node, and have one parent: only then may kernels follow it."""
    child = tree["child"]
    nodes, slots = np.nonzero(child != NO_CHILD)
    children = child[nodes, slots]
    if ((children <= nodes) | (children >= len(tree))).any() or (np.bincount(children, minlength=1) > 1).any():
        raise BadTree("the file is damaged: its nodes do not form a tree")
    for name in ("visits", "wins", "rave_visits", "rave_wins", "total", "scale"):
        if not np.isfinite(tree[name]).all():
            raise BadTree(f"the file is damaged: its {name} are no numbers")
    if tree["total"][ROOT] < 0:
        raise BadTree("the file is damaged: its visits are negative")
