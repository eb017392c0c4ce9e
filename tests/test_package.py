"""The package as users get it: its public names, its type marker, and the files of the source distribution."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tengen

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PROGRAMS = [path for path in EXAMPLES if "__main__" in path.read_text()]
"""The other examples define games; the tests of games import them."""


def test_all_names_have_a_home_and_are_listed_once():
    assert sorted(tengen.__all__) == sorted(tengen._HOME_OF)
    assert len(set(tengen.__all__)) == len(tengen.__all__)
    assert set(dir(tengen)) == {"__version__", *tengen.__all__}


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


def test_the_version_is_the_same_wherever_it_is_stated():
    version = re.escape(tengen.__version__)
    stated = {
        "CITATION.cff": rf"(?m)^version: {version}$",
        "CHANGELOG.md": rf"\A# Changelog\n[^#]*\n## \[{version}\] - \d{{4}}-\d\d-\d\d\n",
        "docs/install.md": rf"pip install dist/tengen-{version}-py3-none-any\.whl\n",
        "docs/web-protocol.md": rf'"version": "{version}"',
    }
    texts = {name: (ROOT / name).read_text() for name in stated}
    assert [name for name, pattern in stated.items() if not re.search(pattern, texts[name])] == []
    assert "0.1.0" not in texts["docs/install.md"]


def test_the_supported_pythons_are_the_same_wherever_they_are_stated():
    yaml = pytest.importorskip("yaml")
    versions = ["3.11", "3.12", "3.13"]
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    classified = re.findall(r'"Programming Language :: Python :: (\d\.\d+)"', (ROOT / "pyproject.toml").read_text())
    tried = re.search(r"(?m)^SUPPORTED = \((.*)\)$", (ROOT / "scripts/check-distribution").read_text())
    assert classified == versions
    assert tried is not None
    assert re.findall(r"[\d.]+", tried[1]) == versions
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == versions


def test_workflows_and_hooks_call_programs_that_exist():
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    wanted = {words[1] for words in map(str.split, commands) if words[0] == "make"}
    targets = set(re.findall(r"(?m)^([\w-]+):", (ROOT / "Makefile").read_text()))
    assert wanted == {"lint", "test", "check-dist"}
    assert wanted <= targets
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    assert all(hook["entry"].startswith(".venv/bin/") for hook in repository["hooks"])


def test_the_docker_image_is_built_from_files_that_exist():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY") and "--from" not in line]
    sources = [name for names in copied for name in names]
    assert {"tengen", "web", "pyproject.toml", "constraints.txt"} <= set(sources)
    assert [name for name in sources if not (ROOT / name).exists()] == []
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {name.partition("/")[0] for name in sources} == allowed
    assert [line for line in lines if line.startswith("USER ")] == ["USER tengen"]


def test_there_are_examples():
    assert {"connect_four.py", "hex.py"} <= {path.name for path in EXAMPLES}
    programs = {"tic_tac_toe.py", "board_and_record.py", "match_from_python.py", "parameter_sweep.py"}
    assert programs <= {path.name for path in PROGRAMS}


def run(folder: Path, *words: str | Path) -> str:
    """Run a Python program in a folder and return its output."""
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_example_runs_as_a_program(path, tmp_path):
    assert run(tmp_path, path)


def test_the_match_example_prints_the_rate_and_the_interval(tmp_path):
    shown = run(tmp_path, ROOT / "examples" / "match_from_python.py", "--games", "2", "--simulations", "5")
    assert re.search(r"MC-RAVE wins \d+% of the games; 95 % confidence interval: \d+% to \d+%", shown)


def test_the_sweep_example_has_a_line_for_each_value_and_a_plot(tmp_path):
    pytest.importorskip("matplotlib")
    small = ("--values", "0.2", "1", "--games", "2", "--simulations", "5", "--plot", "sweep.png")
    lines = run(tmp_path, ROOT / "examples" / "parameter_sweep.py", *small).splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [["1/2", "exploration=0.2"], ["2/2", "exploration=1"]]
    assert lines[2:] == ["plot: sweep.png"]
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")


def test_the_source_distribution_has_every_tracked_file():
    sdist = pytest.importorskip("hatchling.builders.sdist", reason="hatchling is not installed")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.split("\0") if name and (ROOT / name).exists()}
    assert {"tests/test_package.py", "scripts/system-programs"} <= tracked
    packed = {Path(file.relative_path).as_posix() for file in sdist.SdistBuilder(str(ROOT)).recurse_included_files()}
    assert tracked - packed == set()
