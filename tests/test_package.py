"""The package as users get it: its public names, its type marker, and the files of the source distribution."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tengen

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PROGRAMS = [path for path in EXAMPLES if "__main__" in path.read_text()]
"""The other examples define games; the tests of games import them."""


def test_every_public_name_can_be_imported():
    for name in dir(tengen):
        assert getattr(tengen, name) is not None
    with pytest.raises(AttributeError, match="module 'tengen' has no attribute 'Chess'"):
        _ = tengen.Chess


def test_the_wheel_has_the_marker_of_a_typed_package_and_the_data():
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    packed = {
        Path(file.distribution_path).as_posix() for file in wheel.WheelBuilder(str(ROOT)).recurse_included_files()
    }
    assert {"tengen/py.typed", "tengen/__main__.py", "tengen/data/problems.tst"} <= packed
    assert all(name.startswith("tengen/") for name in packed)


def test_there_are_examples():
    assert {"connect_four.py", "hex.py"} <= {path.name for path in EXAMPLES}
    assert {"tic_tac_toe.py", "board_and_record.py"} <= {path.name for path in PROGRAMS}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_example_runs_as_a_program(path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_source_distribution_has_every_tracked_file():
    sdist = pytest.importorskip("hatchling.builders.sdist", reason="hatchling is not installed")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.split("\0") if name and (ROOT / name).exists()}
    assert {"tests/test_package.py", "scripts/system-programs"} <= tracked
    packed = {Path(file.relative_path).as_posix() for file in sdist.SdistBuilder(str(ROOT)).recurse_included_files()}
    assert tracked - packed == set()
