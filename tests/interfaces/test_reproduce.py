"""`tengen reproduce`: the list, a run, its files and errors."""

import json

from typer.testing import CliRunner

from tengen.interfaces.cli import app
from tengen.papers.catalogue import experiments
from tengen.papers.reports.results_file import read_result


def reproduce(*arguments: str):
    return CliRunner().invoke(app, ["reproduce", *arguments])


def test_the_list_has_every_experiment_with_its_times_and_needs():
    found = reproduce("--list")
    assert found.exit_code == 0
    assert all(name in found.stdout for name in experiments())
    [table_2] = [line for line in found.stdout.splitlines() if line.startswith("gelly-silver-2007/table-2 ")]
    assert table_2.endswith("UCT, RAVE values and prior knowledge (GNU Go)")
    listed = json.loads(reproduce("--list", "--json").stdout)
    assert [one["id"] for one in listed] == list(experiments())
    assert all(0 < one["seconds"]["quick"] <= one["seconds"]["paper"] for one in listed)


def test_a_run_prints_its_table_and_writes_its_files(tmp_path):
    found = reproduce("hashimoto-2011/figure-2", "--scale", "smoke", "--workers", "1", "--folder", str(tmp_path))
    assert found.exit_code == 0, found.output
    assert "hashimoto-2011/figure-2: " in found.stdout
    folder = tmp_path / "hashimoto-2011" / "figure-2"
    assert read_result(folder / "smoke.json")["command"] == "tengen reproduce hashimoto-2011/figure-2 --scale smoke"
    assert {"smoke.md", "smoke.png", "smoke.svg", "smoke.parts.jsonl"} <= {path.name for path in folder.iterdir()}
    again = reproduce("hashimoto-2011/figure-2", "--scale", "smoke", "--json", "--folder", str(tmp_path))
    assert json.loads(again.stdout) == [read_result(folder / "smoke.json")]
    site = reproduce("--site", "--folder", str(tmp_path))
    assert site.stdout.startswith("1 results: ")
    assert "figure-2" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "site" / "index.html").exists()


def test_only_the_rows_that_match_are_run(tmp_path):
    one = ["hashimoto-2011/table-1a", "--scale", "smoke", "--workers", "1", "--folder", str(tmp_path)]
    found = reproduce(*one, "--only", "Othello, k = [12]", "--json")
    assert found.exit_code == 0, found.output
    [result] = json.loads(found.stdout)
    assert [row["label"] for row in result["rows"]] == ["Othello, k = 1", "Othello, k = 2"]
    assert result["findings"] == []
    assert result["command"].endswith("--scale smoke --only 'Othello, k = [12]'")
    assert all(row["samples"] == 2 for row in result["rows"])


def test_mistakes_are_told_in_one_line(tmp_path):
    for arguments, message in (
        (["gelly-silver-2007/tabel-2"], "did you mean gelly-silver-2007/table-"),
        (["hashimoto-2011/figure-2", "--scale", "huge"], "unknown scale 'huge'; choose from: smoke, quick"),
        (["--site", "--folder", str(tmp_path)], "there are no results in"),
        (["hashimoto-2011/figure-2", "--backend", "cloud"], "unknown backend 'cloud'"),
        (["hashimoto-2011/figure-2", "--only", "Chess*"], "no row of hashimoto-2011/figure-2 matches 'Chess*': its "),
        (["gelly-silver-2007/figure-3", "--positions", str(tmp_path / "none")], "cannot be read"),
    ):
        found = reproduce(*arguments, "--folder", str(tmp_path))
        assert found.exit_code == 1
        assert len(found.stderr.strip().splitlines()[-1:]) == 1
        assert message in found.stderr.strip().splitlines()[-1]
