"""Files of arrays: round trips, and files that are damaged or do not fit their header."""

import json
import zlib
from typing import Any

import numpy as np
import pytest

from tengen.errors import TengenError
from tengen.learning import array_file
from tengen.learning.array_file import BadArrays, load_arrays, save_arrays
from tests.trials.weights_files import signed

ARRAYS = {
    "values": np.array([[0.5, -1e300, 5e-324], [np.pi, 0.0, -0.0]]),
    "counts": np.array([1, -(2**63), 2**63 - 1]),
    "one": np.array(7.25),
    "none": np.zeros((3, 0)),
}
ABOUT = {"settings": {"komi": 0.1, "name": "grün"}, "curve": [1, None, True]}


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "a.checkpoint"
    save_arrays(made, ABOUT, ARRAYS)
    return made


def test_loaded_arrays_equal_the_saved_ones(path):
    about, arrays = load_arrays(path)
    assert about == ABOUT
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert (arrays[name].dtype, arrays[name].shape) == (array.dtype, array.shape)
        assert arrays[name].tobytes() == array.tobytes()
        arrays[name][...] = 0  # a copy of its own


def test_the_same_arrays_make_the_same_file_and_leave_no_other(path):
    before = path.read_bytes()
    save_arrays(path, *load_arrays(path))
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["a.checkpoint"]


def test_the_file_is_a_line_of_json_and_compressed_numbers(path):
    line, _, raw = path.read_bytes().partition(b"\n")
    header = json.loads(line)
    assert header["format"] == "tengen arrays 1"
    assert header["arrays"] == [
        ["values", "f8", [2, 3]],
        ["counts", "i8", [3]],
        ["one", "f8", []],
        ["none", "f8", [3, 0]],
    ]
    assert zlib.decompress(raw) == b"".join(array.tobytes() for array in ARRAYS.values())


def test_every_flipped_bit_and_every_cut_is_refused(path):
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ (1 << place % 8)]) + content[place + 1 :])
        with pytest.raises(BadArrays):
            load_arrays(path)
        path.write_bytes(content[:place])
        with pytest.raises(BadArrays):
            load_arrays(path)


SHAPES: list[Any] = [
    None, 6, "23", {}, [2, 4], [3], [-2, -3], [-1], [2.5, 3], [2.0, 3.0], ["2", "3"], [True] * 6, [2, None],
    [float("nan")], [float("inf")], [10**9], [10**30], [10**400], [1] * 99 + [6], [[2, 3]],
]  # fmt: skip
"""Shapes that six numbers do not have."""


@pytest.mark.parametrize(
    "listed",
    [
        None, 3, "values", {}, {"af8": 1}, [3], [["values"]], [["values", "f8"]], [["values", "f8", [2, 3], 1]],
        [["values", "f4", [2, 3]]], [["values", ["f8"], [2, 3]]], [["values", None, [2, 3]]],
        *([["values", "f8", shape]] for shape in SHAPES),
        [["values", "f8", [-1]], ["counts", "f8", [7]]],
        [["values", "f8", [7]], ["counts", "f8", [-1]]],
    ],
)  # fmt: skip
def test_a_header_that_does_not_fit_the_numbers_is_refused_in_one_line(listed, path):
    """The file has six numbers, and a valid checksum."""
    save_arrays(path, {}, {"values": ARRAYS["values"]})
    line, _, raw = path.read_bytes().partition(b"\n")
    path.write_bytes(signed({**json.loads(line), "arrays": listed}, raw))
    with pytest.raises(BadArrays, match=r"is damaged: its arrays do not fit its header$"):
        load_arrays(path)


@pytest.mark.parametrize(
    "raw",
    [b"", b"x", zlib.compress(b""), zlib.compress(bytes(47)), zlib.compress(bytes(49)), zlib.compress(bytes(10**7))],
)
def test_other_numbers_than_the_header_states_are_refused(raw, path):
    save_arrays(path, {}, {"values": ARRAYS["values"]})
    path.write_bytes(signed(json.loads(path.read_bytes().partition(b"\n")[0]), raw))
    with pytest.raises(BadArrays, match=r"is damaged: its arrays do not fit its header$"):
        load_arrays(path)


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"[]\n", b'{"format": 1}\n', b"\xff\n", b"{" * 999 + b"\n"])
def test_a_file_of_another_kind_is_refused(content, path):
    path.write_bytes(content)
    with pytest.raises(BadArrays, match=r"is not a checkpoint$"):
        load_arrays(path)


def test_a_missing_and_a_too_large_file_are_refused(path, monkeypatch):
    with pytest.raises(BadArrays, match="cannot be read: No such file"):
        load_arrays(path.with_name("b"))
    monkeypatch.setattr(array_file, "MOST_BYTES", 10)
    with pytest.raises(TengenError, match="larger than the limit of 10 bytes"):
        load_arrays(path)


def test_the_largest_population_can_be_read():
    """4,096 programs of 8,154 classes; numbers that cannot be compressed take their own size."""
    assert array_file.MOST_NUMBERS > 4096 * 8154
    assert 8 * array_file.MOST_NUMBERS < array_file.MOST_BYTES
