"""Tables of urgencies: named ones, and files, of which valid ones are read and all others refused in one sentence."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from tengen import Go
from tengen.errors import TengenError
from tengen.players import PolicyConfig
from tengen.policies.go import urgency_table as tables
from tengen.policies.go.pattern_classes import pattern_classes
from tengen.policies.go.urgency import MOST_URGENCY
from tengen.policies.go.urgency_table import (
    LARGEST,
    SMALLEST,
    UNIT,
    BadUrgencies,
    UrgencyTable,
    load_urgencies,
    manual_table,
    urgency_table,
    zero_table,
)
from tests.interfaces.in_process import tengen
from tests.trials import urgency_files, weights_files


def random_table(seed: int = 1) -> UrgencyTable:
    """Urgencies of all sizes that a file may have."""
    powers = np.random.default_rng(seed).uniform(-8.9, 8.9, pattern_classes().count)
    return UrgencyTable(10**powers, 3.5, 0.25, {"games": 3})


@pytest.fixture
def path(tmp_path):
    """A file of hand-made urgencies: small, since many of them are equal."""
    made = manual_table()
    UrgencyTable(made.urgencies, made.capture, made.escape, {"games": 3}).save(tmp_path / "a.urgencies")
    return tmp_path / "a.urgencies"


def refusal(path) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises(BadUrgencies) as caught:
        load_urgencies(path)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 500
    assert path.name in message
    return message


# --- Valid files -----------------------------------------------------------------------------------------------------


def test_a_loaded_table_equals_the_saved_one(tmp_path):
    made = random_table()
    made.save(tmp_path / "a.urgencies")
    loaded = load_urgencies(tmp_path / "a.urgencies")
    assert loaded.urgencies.dtype == np.float64
    assert (loaded.urgencies == made.urgencies.astype("<f4")).all()
    assert (loaded.capture, loaded.escape, loaded.about) == (3.5, 0.25, {"games": 3})
    assert [file.name for file in tmp_path.iterdir()] == ["a.urgencies"]


def test_the_file_is_a_line_of_json_and_compressed_floats(path):
    content = path.read_bytes()
    header = json.loads(content.partition(b"\n")[0])
    assert (header["format"], header["version"], header["patterns"]) == ("tengen urgencies", 1, "3x3")
    assert (urgency_files.numbers_of(content) == manual_table().urgencies.astype("<f4")).all()


@pytest.mark.parametrize("limit", [SMALLEST, LARGEST])
def test_a_saved_table_at_the_limits_is_read(limit, tmp_path):
    UrgencyTable(np.full(pattern_classes().count, limit), LARGEST, 0.0).save(tmp_path / "a.urgencies")
    loaded = load_urgencies(tmp_path / "a.urgencies")
    assert loaded.urgencies[0] == np.float32(limit)
    assert loaded.compiled(9).chains.max() >> np.uint64(32) <= MOST_URGENCY


# --- Damaged files ---------------------------------------------------------------------------------------------------


def test_every_flipped_bit_is_refused(path):
    content = path.read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        refusal(path)


@pytest.mark.long
def test_every_flipped_bit_of_every_byte_is_refused(path):
    content = path.read_bytes()
    for place in range(8 * len(content)):
        changed = bytearray(content)
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        refusal(path)


def test_every_truncated_file_is_refused(path):
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        refusal(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "not a file of urgencies"),
        (b"\n", "not a file of urgencies"),
        (b"\x80\x04pickle" * 100, "not a file of urgencies"),
        (b"[1]\n", "not a file of urgencies"),
        (b'{"format": "tengen weights"}\n', "not a file of urgencies"),
        (b'{"format":' + b"[" * 100_000 + b"\n", "not a file of urgencies"),
        (b'{"format": "tengen urgencies"}\n', "version 'None' of the format; the supported version is 1"),
        (b'{"format": "tengen urgencies", "version": 1}\n', "its header lacks 'patterns'"),
    ],
)
def test_other_files_are_refused_with_the_reason(path, content, complaint):
    path.write_bytes(content)
    assert complaint in refusal(path)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"version": 2}, "version '2' of the format; the supported version is 1"),
        ({"version": True}, "version 'True' of the format"),
        ({"patterns": "5x5"}, "its patterns are '5x5'; only 3x3 and diamond are known"),
        ({"classes": 8153}, "states '8153' classes of patterns; 3x3 patterns have 8,154"),
        ({"classes": 8154.0}, "states '8154.0' classes"),
        ({"classes": None}, "states 'None' classes"),
        ({"about": [1]}, "about in its header is not an object"),
        ({"capture": -1}, "capture in its header must be a number from 0 to 1e+09, not '-1'"),
        ({"capture": float("nan")}, "capture in its header must be a number"),
        ({"capture": True}, "capture in its header must be a number"),
        ({"escape": 1e10}, "escape in its header must be a number"),
        ({"escape": "1"}, "escape in its header must be a number"),
    ],
)
def test_a_wrong_header_with_a_valid_checksum_is_refused_with_the_reason(path, changes, complaint):
    line, _, raw = path.read_bytes().partition(b"\n")
    path.write_bytes(weights_files.signed({**json.loads(line), **changes}, raw))
    assert complaint in refusal(path)


@pytest.mark.parametrize("key", ["version", "patterns", "classes", "capture", "escape", "about", "sha256"])
def test_a_header_without_a_key_is_refused(path, key):
    line, _, raw = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    del header[key]
    path.write_bytes(weights_files.signed(header, raw))
    assert ("version 'None'" if key == "version" else f"lacks '{key}'") in refusal(path)


def test_every_altered_header_is_refused_or_valid(path):
    """Valid are other descriptions, unknown entries, and other urgencies of captures and escapes."""
    accepted, refused = set(), 0
    for name, content in weights_files.header_lies(path.read_bytes()):
        path.write_bytes(content)
        try:
            load_urgencies(path)
            accepted.add(name)
        except BadUrgencies:
            refusal(path)
            refused += 1
    assert refused > 100
    numbers = {f"{key} {value}" for key in ("capture", "escape") for value in ("zero", "fraction")}
    assert {name for name in accepted if not name.startswith("about")} == numbers | {"unknown entry"}


def test_urgencies_out_of_range_are_refused(path):
    for _, content in list(urgency_files.number_lies(path.read_bytes())):
        path.write_bytes(content)
        assert "its urgencies are not all between 1e-09 and 1e+09" in refusal(path)


def test_wrong_data_with_a_valid_checksum_are_refused_with_the_reason(path):
    for name, content, complaint in list(urgency_files.data_lies(path.read_bytes())):
        path.write_bytes(content)
        assert complaint in refusal(path), name


def test_what_is_no_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for name in ("fifo", ".", "none.urgencies"):
        with pytest.raises(BadUrgencies, match="cannot be read"):
            load_urgencies(tmp_path / name)


# --- Named tables ----------------------------------------------------------------------------------------------------


def policy_of(urgencies: object, size: int = 9):
    return PolicyConfig(policy="urgency", urgencies=str(urgencies)).make_part("policy", Go(size))


def test_the_zero_table_has_one_urgency_and_none_for_chains():
    made = policy_of("zero")
    assert set(made.table >> np.uint64(32)) == set(made.table & np.uint64(2**32 - 1)) == {0, UNIT}
    assert made.chains.tolist() == [0, 0]


def test_the_chains_of_a_table_are_packed_for_the_colour_that_moves():
    made = manual_table().compiled(9)
    capture, escape = round(UNIT * manual_table().capture), round(UNIT * manual_table().escape)
    assert capture != escape
    assert made.chains.tolist() == [escape | capture << 32, capture | escape << 32]


def test_a_table_with_large_urgencies_keeps_their_proportions_below_the_largest_of_a_kernel():
    made = zero_table()
    made.urgencies[:] = 50_000.0
    made.urgencies[5] = 100_000.0
    found = UrgencyTable(made.urgencies, 100_000.0).compiled(9)
    whole = set((found.table & np.uint64(2**32 - 1)).tolist())
    assert whole == {0, MOST_URGENCY // 2, MOST_URGENCY}
    assert found.chains.tolist() == [MOST_URGENCY << 32, MOST_URGENCY]


def test_a_changed_file_is_read_again(path):
    before = policy_of(path)
    made = zero_table()
    made.save(path)
    os.utime(path, ns=(1, 1))
    assert (policy_of(path).table != before.table).any()


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A folder with learnt tables for 9x9 and 19x19, in the place of the package's."""
    for size in (9, 19):
        UrgencyTable(np.full(pattern_classes().count, float(size)), about={"size": size}).save(
            tmp_path / f"rlpr-{size}.urgencies"
        )
    monkeypatch.setattr(tables, "SHIPPED", tmp_path)


@pytest.mark.parametrize(("size", "nearest"), [(2, 9), (9, 9), (13, 9), (15, 19), (19, 19), (25, 19)])
def test_the_learnt_table_is_that_of_the_nearest_size(shipped, size, nearest):
    assert tables.urgency_table("rlpr", size).about == {"size": nearest}


def test_without_a_learnt_table_the_error_names_the_command_that_makes_one(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "SHIPPED", tmp_path)
    with pytest.raises(TengenError, match="the package has no learnt urgencies; make them with `tengen train"):
        policy_of("rlpr")


@pytest.mark.parametrize("name", ["manul", "a\0b", "a" * 100_000, ""])
def test_an_unknown_name_is_refused_with_the_known_ones(name):
    with pytest.raises(
        BadUrgencies, match=r"unknown table of urgencies .*: zero, manual, rlpr, rlpr-19, rlpr-9, or a file"
    ):
        tables.urgency_table(name, 9)


# --- The command line ------------------------------------------------------------------------------------------------


def replaced(path: Path, make) -> None:
    path.unlink()
    make(path)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "the file is damaged"),
        (lambda path: path.write_bytes(b""), "not a file of urgencies"),
        (lambda path: replaced(path, Path.mkdir), "Is a directory"),
        (lambda path: replaced(path, os.mkfifo), "not a regular file"),
        (Path.unlink, "unknown table of urgencies"),
    ],
)
def test_a_match_with_a_bad_table_ends_with_status_1_and_one_line(path, damage, complaint):
    damage(path)
    done = tengen("match", f"urgency:urgencies={path}", "random", "--no-keep")
    assert done.returncode == 1
    assert re.fullmatch(rf"tengen: .*{re.escape(complaint)}.*\n", done.stderr)
    assert done.stdout == ""


@pytest.mark.parametrize(("size", "trained_on"), [(9, 9), (13, 9), (15, 19), (19, 19)])
def test_the_table_rlpr_of_a_board_is_the_one_learnt_on_the_nearer_size(size, trained_on):
    table = urgency_table("rlpr", size)
    assert (table.about["method"], table.about["size"]) == ("2", trained_on)
    assert len(np.unique(table.urgencies)) > 1000


def test_a_learnt_table_can_be_named_for_any_board():
    named, nearest = urgency_table("rlpr-9", 19), urgency_table("rlpr", 9)
    assert (named.urgencies == nearest.urgencies).all()
    assert (urgency_table("rlpr", 19).urgencies != named.urgencies).any()
