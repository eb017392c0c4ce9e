"""Files of weights: valid ones are read, all others refused."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tengen import Go
from tengen.errors import TengenError
from tengen.policies.go.shape_weights import shape_prior, weights_for
from tengen.policies.go.weights import SHIPPED, BadWeights, ShapeWeights, load_weights
from tengen.policies.go.windows import shape_set
from tests.policies.test_shapes import random_weights
from tests.trials import weights_files


def test_loaded_weights_equal_the_saved_ones(tmp_path):
    made = random_weights(5, "rectangles", inversion=False)
    ShapeWeights(made.shapes, made.weights, {"games": 3}).save(tmp_path / "a.weights")
    loaded = load_weights(tmp_path / "a.weights")
    assert (loaded.weights == made.weights).all()
    assert (loaded.shapes.size, loaded.shapes.features, loaded.shapes.colour_inversion) == (5, "rectangles", False)
    assert loaded.about == {"games": 3}
    assert [file.name for file in tmp_path.iterdir()] == ["a.weights"]


def test_the_file_is_a_line_of_json_and_raw_numbers(tmp_path):
    made = random_weights(4)
    made.save(tmp_path / "a.weights")
    header, _, body = (tmp_path / "a.weights").read_bytes().partition(b"\n")
    assert json.loads(header)["weights"] == made.shapes.weights
    assert (np.frombuffer(body, "<f4") == made.weights).all()


def altered(path, change):
    header, _, body = path.read_bytes().partition(b"\n")
    described = json.loads(header)
    change(described)
    path.write_bytes(json.dumps(described).encode() + b"\n" + body)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda path: path.write_bytes(b""), "not a file of weights"),
        (lambda path: path.write_bytes(b"\x80\x04pickle" * 100), "not a file of weights"),
        (lambda path: path.write_bytes(b'{"format": "tree"}\n'), "not a file of weights"),
        (lambda path: path.write_bytes(b"[1]\n"), "not a file of weights"),
        (lambda path: path.write_bytes(b'{"format":' + b"[" * 100_000 + b"\n"), "not a file of weights"),
        (lambda path: altered(path, lambda header: header.update(version=1)), "only 2 is read"),
        (lambda path: altered(path, lambda header: header.update(about={"games": 4})), "checksum is wrong"),
        (lambda path: altered(path, lambda header: header.pop("sha256")), "lacks 'sha256'"),
        (lambda path: altered(path, lambda header: header.update(size="9")), "has the wrong type"),
        (lambda path: altered(path, lambda header: header.update(size=40)), "from 1 to 25"),
        (lambda path: altered(path, lambda header: header.update(features="circles")), "unknown features 'circles'"),
        (lambda path: altered(path, lambda header: header.update(size=5)), "it needs"),
        (lambda path: path.write_bytes(path.read_bytes()[:-4]), "it needs"),
        (lambda path: path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\1"), "checksum is wrong"),
    ],
)
def test_an_invalid_file_is_refused_with_the_reason(tmp_path, damage, complaint):
    path = tmp_path / "a.weights"
    random_weights(4).save(path)
    damage(path)
    with pytest.raises(BadWeights, match=complaint):
        load_weights(path)


def test_weights_that_are_not_finite_are_refused(tmp_path):
    made = random_weights(4)
    made.weights[7] = np.nan
    made.save(tmp_path / "a.weights")
    with pytest.raises(BadWeights, match="not all finite numbers"):
        load_weights(tmp_path / "a.weights")


def test_a_changed_header_is_refused_or_harmless(tmp_path):
    """Harmless changes are those of `about`, and unknown entries."""
    path, valid = tmp_path / "a.weights", random_weights(4)
    ShapeWeights(valid.shapes, valid.weights, {"variance": [0.1] * 8}).save(path)
    refused, harmless = 0, set()
    for name, content in weights_files.header_lies(path.read_bytes()):
        path.write_bytes(content)
        try:
            load_weights(path)
        except BadWeights as error:
            refused += 1
            message = str(error)
            message.encode()
        else:
            harmless.add(name)
            message = ""
        assert "\n" not in message
        assert len(message) < 800
    assert refused > 80
    assert all(name.startswith("about") or name == "unknown entry" for name in harmless)


def test_weights_above_the_limit_are_refused(tmp_path):
    path = tmp_path / "a.weights"
    random_weights(4).save(path)
    for _, content in weights_files.number_lies(path.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(BadWeights, match="its weights are not all"):
            load_weights(path)


@pytest.mark.parametrize(
    "variance", [[10**400] * 8, [1e-300] * 8, [float("nan")] * 8, [-1.0] * 8, [0.1] * 7, "0.1", [[0.1]] * 8]
)
def test_invalid_variances_are_refused(variance):
    made = random_weights(4)
    with pytest.raises(TengenError, match="no variances"):
        shape_prior(ShapeWeights(made.shapes, made.weights, {"variance": variance}), by_variance=True)


def test_a_device_a_fifo_and_an_invalid_name_are_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in ("/dev/zero", str(tmp_path / "fifo"), str(tmp_path), "a\0b", "a" * 100_000):
        with pytest.raises(BadWeights, match="cannot be read"):
            weights_for(path, Go(4))


def test_unreadable_and_unwritable_files_are_refused(tmp_path):
    with pytest.raises(BadWeights, match="not a regular file"):
        load_weights(Path("/dev/zero"))
    (tmp_path / "deep").write_bytes(b"[" * 100_000 + b"\n")
    with pytest.raises(BadWeights, match="not a file of weights"):
        load_weights(tmp_path / "deep")
    with pytest.raises(TengenError, match="cannot be read: No such file"):
        load_weights(tmp_path / "none.weights")
    with pytest.raises(TengenError, match="cannot be written"):
        random_weights(4).save(tmp_path / "no folder" / "a.weights")


def test_the_weight_of_a_stone_is_its_local_and_common_weight_together():
    made = ShapeWeights(shape_set(3), np.zeros(shape_set(3).weights, np.float32))
    made.weights[0] = 0.5  # the common weight of a stone
    first_local = made.shapes.common_weights
    made.weights[first_local : first_local + 3] = [1, 2, 3]  # corner, edge, centre
    assert made.stone_weights().tolist() == [[1.5, 2.5, 1.5], [2.5, 3.5, 2.5], [1.5, 2.5, 1.5]]


@pytest.mark.parametrize("size", [9, 13])
def test_the_shipped_weights_value_stones_as_those_of_rlgo_do(size):
    """The corner has the least weight, and points on the third and fourth lines the greatest."""
    weights = load_weights(SHIPPED / f"rlgo-{size}.weights")
    stones = weights.stone_weights()[: size // 2 + 1, : size // 2 + 1]
    assert weights.shapes.weights == {9: 63_303, 13: 152_999}[size]
    assert stones.argmin() == 0
    assert stones[0].max() < stones[2, 2:].min()
    assert stones[2, 2] > stones[1, 1] > stones[0, 0] > 0
    row, column = np.unravel_index(stones.argmax(), stones.shape)
    assert {row, column} <= {2, 3, 4}
    assert np.abs(stones - stones.T).max() == 0
    assert len(weights.about["variance"]) == 8
    assert weights.about["progress"]["games"] == 1_000_000
