"""Saving search trees to files, and loading them.

A saved tree is one file:

    TENGEN-TREE 3                           the format and its version, then a line feed
    1234                                    the length of the header in bytes, in decimal, then a line feed
    {"game": {...}, "player": {...}, ...}   the header: JSON in UTF-8
    ...                                     the arrays, one after the other, as raw little-endian numbers
    ...                                     the SHA-256 of all bytes before it, 32 bytes

The header has
    game, player   the options of the game, and the settings of the search
    start          diagram and side to move of the first position; null for the game's initial position
    moves          moves from there to the root, in the game's notation
    root           SHA-256 of the root's position
    counts         fields of the work record: simulations, their depths, and whether the memory is full
    arrays         for each array: its name, its fields (name, type, shape) and its number of rows

`rng` is the state of the random generator. `tree` has a row for every node in the order of their creation, the root
first; `notes`, `priors` and `proofs` belong to the backup, the prior and the solver, and are present if these are used.
Their fields are described in tree.py, backup.py, priors.py and solver.py.

Loading executes nothing from the file. The checksum detects accidental damage. A file that was altered on purpose may
have a valid checksum, so the settings must be within the limits of the player grammar, and every node is checked
against the position that its moves lead to (inspection.py).
"""

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import IO, Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.files import parse_json, reading, replacing
from tengen.games.catalogue import game_from_json, game_to_json
from tengen.games.game import Game, Position
from tengen.jit import record_of
from tengen.search import inspection
from tengen.search.config import SearchConfig
from tengen.search.search import MOST_SIMULATIONS, Search
from tengen.search.tree import LONGEST_PATH

FORMAT, VERSION = "TENGEN-TREE", 3
LONGEST_HEADER = 1_000_000
MOST_MOVES = 10_000
"""Limit of the moves from the start of the game to the root: each takes the memory of a state."""
DIGEST_BYTES = 32
CHUNK = 1 << 20
"""Bytes per read for the checksum."""
NODES_AT_ONCE = 1000
"""Nodes inspected per kernel call, after which an interrupt is handled."""
COUNTS = {
    "simulations": MOST_SIMULATIONS,
    "clock": 2**53,
    "deepest": LONGEST_PATH,
    "depth_sum": 2**53,
    "depth_count": 2**53,
    "full": 1,
}
"""The saved counts and the largest accepted value of each."""
PARTS = {"game": dict, "player": dict, "start": list, "moves": list, "root": str, "counts": dict, "arrays": list}
"""The parts of a header and their types; `start` may also be null."""
FAULTS = {
    inspection.CHILD: "the child is not a later node, or has two parents",
    inspection.UNREACHED: "some nodes are not below the root",
    inspection.DEEP: f"the child is deeper than {LONGEST_PATH} moves",
    inspection.ENDED: "the move ends the game but has a child",
    inspection.REPEATED: "the move repeats an earlier position but has a child",
    inspection.HASH: "the superko hash does not match the position",
    inspection.MOVE: "the move is not legal in the position",
    inspection.VISITS: "the visits are out of range",
    inspection.WINS: "the wins are not between 0 and the visits",
    inspection.RAVE: "the RAVE statistics are out of range",
    inspection.TOTAL: "the total does not match the visits",
    inspection.WEIGHTS: "the weights of the backup are out of range",
    inspection.LOCKED: "the lock is taken",
    inspection.PRIOR: "the prior is out of range",
    inspection.PROOF: "the proof is none of the known values",
}


class BadTree(TengenError):
    """A file that does not hold a valid saved tree."""


def save_tree(search: Search, path: str | Path) -> None:
    """Write a search to a new file, which then replaces the file at `path`."""
    if sys.byteorder != "little":
        raise BadTree("trees are saved on little-endian machines only")
    moves = [played.notation for played in search.position.history]
    if len(moves) > MOST_MOVES:
        raise BadTree(f"the root comes after {len(moves):,} moves; at most {MOST_MOVES:,} can be saved")
    arrays = _arrays(search, int(search.memory.used[0]))
    header = {
        "game": game_to_json(search.game),
        "player": {key: _plain(value) for key, value in search.config.settings().items()},
        "start": _start(search.position),
        "moves": moves,
        "root": _fingerprint(search.position),
        "counts": {name: int(search.memory.work[name]) for name in COUNTS},
        "arrays": _described(arrays),
    }
    text = json.dumps(header).encode()
    digest = hashlib.sha256()
    with replacing(path) as temporary, temporary.open("wb") as file:
        for part in (f"{FORMAT} {VERSION}\n{len(text)}\n".encode(), text, *map(_bytes_of, arrays.values())):
            digest.update(part)
            file.write(part)
        file.write(digest.digest())


def load_tree(path: str | Path, game: Game | None = None) -> Search:
    """Load a search from a file, ready to continue; raise BadTree if the file is not a valid saved tree.

    `game` is needed for a game that is not part of the package.
    """
    try:
        with reading(path) as file:
            return _loaded(file, game)
    except BadTree as error:
        raise BadTree(f"{shortened(path, 160)}: {error}") from None
    except TengenError as error:
        raise BadTree(str(error)) from None


def _loaded(file: IO[bytes], game: Game | None) -> Search:
    """Load the search in an open file."""
    size = os.fstat(file.fileno()).st_size
    length = _header_length(file)
    text = file.read(length)
    arrays_at = file.tell()
    _check_digest(file, size)
    try:
        header = _header(text)
        search = _search(header, game)
        targets = _targets(search, header["arrays"], size - DIGEST_BYTES - arrays_at)
        search.set_position(_root(header, search.game))
        file.seek(arrays_at)
        _fill(search, targets, file)
        _set_counts(search, header["counts"])
    except TengenError as error:
        raise BadTree(str(error)) from None
    except MemoryError:
        raise BadTree("not enough memory on this machine for its setting 'memory'") from None
    _inspect(search)
    return search


# --- Shared by saving and loading ------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """Return a setting as a JSON value: infinity becomes a string."""
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def _start(position: Position) -> list[str] | None:
    """Return the diagram and side to move of the first position; None for the game's initial position."""
    first = position.copy()
    while first.history:
        first.undo()
    return None if first == first.game.start() else [first.diagram(), first.to_play]


def _fingerprint(position: Position) -> str:
    """Return a SHA-256 that identifies a position."""
    return hashlib.sha256(position.game.key(position.state)).hexdigest()


def _arrays(search: Search, rows: int) -> dict[str, np.ndarray]:
    """Return the arrays that are saved, as views into the search's memory, for a tree of `rows` nodes."""
    memory = search.memory
    kept = {"rng": memory.rng, "tree": memory.tree[:rows]}
    for name in ("notes", "priors", "proofs"):
        array = getattr(memory, name)
        if array.size > 1:
            kept[name] = array[:rows]
    return kept


def _described(arrays: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """Return the header's entry for each array."""
    return [{"name": name, "fields": _layout(array.dtype), "rows": len(array)} for name, array in arrays.items()]


def _layout(dtype: np.dtype) -> list[list[Any]]:
    """Return the name, type and shape of each field of a row, without the record's tag."""
    if dtype.names is None:
        return [["", dtype.str, []]]
    described = [(name, dtype[name]) for name in dtype.names if not name.startswith("tag_")]
    return [[name, kind.base.str, list(kind.shape)] for name, kind in described]


def _bytes_of(array: np.ndarray) -> Any:
    """The bytes of an array, for reading from or writing to a file without a copy."""
    return array.view(np.uint8).data


# --- The file --------------------------------------------------------------------------------------------------------


def _header_length(file: IO[bytes]) -> int:
    """Read the two lines before the header; return the header's length."""
    first = file.readline(41)
    name, _, version = first.rstrip(b"\n").partition(b" ")
    if name != FORMAT.encode() or not first.endswith(b"\n"):
        raise BadTree("this is not a saved tree")
    if version != str(VERSION).encode():
        raise BadTree(
            f"this tree has version {shortened(version.decode('ascii', 'replace'))} of the format; "
            f"only version {VERSION} is read"
        )
    length = file.readline(13)
    if not length[:-1].isdigit() or not length.endswith(b"\n") or int(length) > LONGEST_HEADER:
        raise BadTree("the file is damaged: the length of its header is not valid")
    return int(length)


def _check_digest(file: IO[bytes], size: int) -> None:
    """Raise BadTree unless the file ends with the checksum of all preceding bytes."""
    digest, left = hashlib.sha256(), size - DIGEST_BYTES
    file.seek(0)
    while left > 0 and (chunk := file.read(min(CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    if left != 0 or file.read(DIGEST_BYTES) != digest.digest():
        raise BadTree("the file is damaged or cut short: its checksum is wrong")


def _header(text: bytes) -> dict[str, Any]:
    """Parse the header and check that it has all its parts, each of the right type."""
    header = parse_json(text)
    if not isinstance(header, dict):
        raise BadTree("its header is not an object")
    _check_names("its header", header, PARTS)
    for name, kind in PARTS.items():
        if type(header[name]) is not kind and not (name == "start" and header[name] is None):
            raise BadTree(f"the part {name!r} of its header is not valid: {shortened(header[name])}")
    return header


def _check_names(what: str, found: Any, known: Any) -> None:
    """Raise BadTree unless an object of the header has exactly the known names."""
    if missing := [name for name in known if name not in found]:
        raise BadTree(f"{what} lacks {shortened(missing[0])}")
    if unknown := [name for name in found if name not in known]:
        raise BadTree(f"{what} has an unknown entry {shortened(unknown[0])}")


# --- The search ------------------------------------------------------------------------------------------------------


def _search(header: dict[str, Any], game: Game | None) -> Search:
    """Make the search that the header describes, without its position and its tree."""
    wanted = game_from_json(header["game"]) if game is None else game
    if json.loads(json.dumps(game_to_json(wanted))) != header["game"]:
        raise BadTree(f"its game is {shortened(json.dumps(header['game']), 160)}, not {wanted}")
    return Search(_config(header["player"]), wanted)


def _config(settings: dict[str, Any]) -> SearchConfig:
    """Check the settings of a header against the limits of the player grammar; return them as a config."""
    config = SearchConfig.from_stored(settings)
    if missing := [name for name in config.settings() if name not in settings]:
        raise BadTree(f"its player lacks {shortened(missing[0])}")
    return config


def _root(header: dict[str, Any], game: Game) -> Position:
    """Return the position of the root, after the moves of the header."""
    start, moves = header["start"], header["moves"]
    if len(moves) > MOST_MOVES:
        raise BadTree(f"it has {len(moves):,} moves before its root; at most {MOST_MOVES:,} are read")
    if not all(isinstance(text, str) for text in [*(start or []), *moves]) or (start is not None and len(start) != 2):
        raise BadTree("the start or the moves in its header are not valid")
    try:
        position = game.start() if start is None else game.from_diagram(*start)
        for move in moves:
            position.play(move)
    except TengenError:
        raise
    except Exception as error:  # a game from outside the package may raise anything
        raise BadTree(f"its moves cannot be played: {shortened(error, 160)}") from None
    if _fingerprint(position) != header["root"]:
        raise BadTree("its moves do not lead to the position of its root")
    return position


def _targets(search: Search, described: list[Any], size: int) -> dict[str, np.ndarray]:
    """Return the parts of a search's memory for the arrays of a header, whose total must be `size` bytes."""
    rows = next((entry.get("rows") for entry in described[1:2] if isinstance(entry, dict)), None)
    most = search.capacity
    if type(rows) is not int or not 1 <= rows <= most:
        raise BadTree(f"its number of nodes is {shortened(rows)}; with its memory, from 1 to {most:,} are possible")
    targets = _arrays(search, rows)
    if described != _described(targets):
        raise BadTree(f"its arrays are not the {', '.join(targets)} of its search in this version's layout")
    if sum(target.nbytes for target in targets.values()) != size:
        raise BadTree("the file is damaged: its arrays are longer or shorter than its header says")
    return targets


def _fill(search: Search, targets: dict[str, np.ndarray], file: IO[bytes]) -> None:
    """Read the arrays into the memory of a search."""
    for target in targets.values():
        if file.readinto(_bytes_of(target)) != target.nbytes:  # type: ignore[attr-defined]
            raise BadTree("the file was cut short while it was read")
    search.memory.used[0] = len(targets["tree"])
    if search.memory.rng[1] & 1 == 0:
        raise BadTree("its random generator is not valid: its step is even")


def _set_counts(search: Search, counts: dict[str, Any]) -> None:
    """Check the counts of a header and set them in a search."""
    _check_names("its counts", counts, COUNTS)
    for name, most in COUNTS.items():
        if type(counts[name]) is not int or not 0 <= counts[name] <= most:
            raise BadTree(f"its count {name!r} is {shortened(counts[name])}; from 0 to {most:,} is possible")
        search.memory.work[name] = counts[name]


def _inspect(search: Search) -> None:
    """Raise BadTree unless every node of a tree is valid for the position that its moves lead to.

    Only the rules are needed, so the states are of the position's record type, whatever the search uses.
    """
    memory, config = search.memory, search.config
    states = np.zeros(LONGEST_PATH + 1, search.game.state_record)
    states[0] = search.position.state
    progress = record_of(
        inspection.INSPECTION,
        slots=search.game.move_slots,
        untracked_slot=search.game.untracked_move,
        discounted=config.backup == "discounted",
        accelerated=config.backup == "accelerated",
        shared=config.threads > 1,
    )
    has_parent = np.zeros(memory.used[0], np.uint8)
    while progress.depth >= 0:
        fault = inspection.inspect(memory._replace(states=states), progress, has_parent, NODES_AT_ONCE)
        if fault != inspection.SOUND:
            place = f"node {progress.node:,}" + (f", slot {progress.slot}" if progress.slot >= 0 else "")
            raise BadTree(f"its tree is not valid at {place}: {FAULTS[int(fault)]}")
