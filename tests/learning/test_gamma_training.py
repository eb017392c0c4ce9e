"""Training of gammas: the positions learnt from, results independent of workers and kills, and refused files."""

import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections import Counter
from dataclasses import asdict, replace

import numpy as np
import pytest
from typer.testing import CliRunner

from tengen import Go, parallel
from tengen.errors import TengenError
from tengen.games.go.sgf import write_sgf
from tengen.interfaces.cli import app
from tengen.learning.array_file import load_arrays, save_arrays
from tengen.learning.game_moves import ANOTHER_SIZE, SETUP, UNREADABLE, GameMoves, read_moves
from tengen.learning.gamma_lessons import COUNT, RANK
from tengen.learning.gamma_settings import GammaSettings
from tengen.learning.gamma_training import GammaTraining
from tengen.learning.gamma_workers import GammaTask, GammaWorker
from tengen.parallel.in_process import InProcess
from tengen.players import parse_player
from tengen.policies.go.gamma_table import BadGammas, GammaTable, load_gammas
from tengen.policies.go.learnt_parts import compiled_policy
from tengen.policies.go.shape_features import feature_set
from tests.policies.test_move_features import features_by_point
from tests.trials.urgency_files import numbers_of, with_compressed, with_numbers
from tests.trials.weights_files import signed

SETTINGS = GammaSettings(size=5, holdout=3)
TACTICS = ("capture", "escape", "self_atari", "two_liberties", "nakade")
"""Groups of the playout policy besides the shapes."""


def record(seed: int, size: int = 5) -> bytes:
    """Return the record of a game by MoGo's policy."""
    game = Go(size, ko="simple")
    player, position = parse_player("mogo").make(game), game.start()
    player.new_game(seed)
    while not position.is_over and position.moves_played < 2 * size * size:
        position.play(player.choose(position))
    return write_sgf(position)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("games")
    for number in range(24):
        (made / f"{number:02}.sgf").write_bytes(record(number))
    return made


@pytest.fixture(scope="module")
def games(folder) -> GameMoves:
    return read_moves([(path.read_bytes(), 2) for path in sorted(folder.iterdir())], 5)[0]


def ignore(training: GammaTraining) -> None:
    pass


def train(path, steps: int, games: GameMoves, settings=SETTINGS, backend=None) -> GammaTraining:
    training = GammaTraining(settings, games, path)
    training.run(steps, backend or InProcess(), ignore)
    return training


# --- Games -----------------------------------------------------------------------------------------------------------


def test_moves_are_those_of_the_records_and_equal_games_count_once():
    position = Go(5, ko="simple").start().play("C3").play("pass").play("B2")
    found, refused = read_moves([(write_sgf(position), 1)] * 2, 5)
    assert (len(found), list(found.skipped), refused) == (1, [1], Counter())
    assert list(found.moves) == [position.game.parse_move(move) for move in ("C3", "pass", "B2")]


def test_records_that_cannot_be_used_are_counted_by_reason():
    usual = write_sgf(Go(5).start().play("C3"))
    handicap = Go(7).start().set_up_stones(["C3"], [], [])
    records = [usual, write_sgf(Go(7).start().play("C3")), b"(;GM[1", b"(;SZ[5];B[aa];W[aa])"]
    set_up = [write_sgf(handicap.play("D4"))]
    assert read_moves([(each, 0) for each in records], 5)[1] == {ANOTHER_SIZE: 1, UNREADABLE: 2}
    with pytest.raises(TengenError, match=r"^no games to learn from on 7x7: 1 with stones that were set up$"):
        read_moves([(each, 0) for each in set_up], 7)
    with pytest.raises(TengenError, match=r"^no games to learn from on 9x9: there are no records$"):
        read_moves([], 9)
    assert SETUP.startswith("stones")


def test_features_of_the_moves_played_are_counted_after_the_opening(games):
    expected: Counter[int] = Counter()
    positions = 0
    for number in range(len(games)):
        position = Go(5, ko="simple").start()
        for place, move in enumerate(games.moves[games.starts[number] : games.starts[number + 1]]):
            teams = features_by_point(position.game, position.tactical_state(), "3x3")
            point = position.game.row_and_column(int(move))
            if place >= 2 and move and point in teams:
                expected.update(teams[point])
                positions += 1
            position.play(int(move))
    gammas = np.ones(feature_set("3x3").count)
    result = GammaWorker()(GammaTask(0, 5, "3x3", games, COUNT, gammas))
    assert {int(n): int(result.sums[n]) for n in np.flatnonzero(result.sums)} == dict(expected)
    assert result.positions == positions > 200


def test_with_equal_gammas_ranks_are_half_the_number_of_moves_and_likelihoods_are_uniform(games):
    gammas = np.ones(feature_set("3x3").count)
    result = GammaWorker()(GammaTask(0, 5, "3x3", games, RANK, gammas))
    assert result.log_likelihood == pytest.approx(result.uniform)
    assert result.ranks.sum() == result.positions
    assert result.ranks[13:].sum() == 0 < result.ranks[5]


# --- Training --------------------------------------------------------------------------------------------------------


def test_gammas_predict_moves_of_games_that_were_not_learnt_from(games, tmp_path):
    training = train(tmp_path / "a", 5, games)
    last = training.progress.curve[-1]
    assert last["holdout_log_likelihood"] > last["holdout_uniform"] + 0.5
    assert 0.3 < last["holdout_first"] <= last["holdout_five"] <= 1
    values = [point["log_likelihood"] for point in training.progress.curve]
    assert values == sorted(values)
    assert (len(training.learnt), len(training.held_out)) == (16, 8)
    assert training.prediction[0] == pytest.approx(last["holdout_first"], abs=1e-4)


def test_gammas_for_playouts_are_1_for_all_features_that_the_policy_does_not_have(games, tmp_path):
    training = train(tmp_path / "a", 2, games, replace(SETTINGS, use="playout"))
    groups = training.features.groups
    learnt = [number for name in ("shape", *TACTICS) for number in groups[name]]
    learnt += [groups["last"].start + 1, groups["last"].start + 2]
    assert (np.delete(training.gammas, learnt) == 1).all()
    assert (training.gammas[learnt] != 1).sum() > 100
    assert training.gammas[learnt[-2]] > 1
    assert training.progress.curve[-1]["log_likelihood"] > training.progress.curve[0]["log_likelihood"]
    compiled_policy(load_gammas(tmp_path / "a"))


def test_the_gammas_do_not_depend_on_the_number_of_workers(games, tmp_path):
    with parallel.start("processes", 2) as backend:
        train(tmp_path / "two", 2, games, backend=backend)
    train(tmp_path / "one", 2, games)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_training_in_parts_ends_with_the_same_gammas(games, tmp_path):
    train(tmp_path / "whole", 4, games)
    for steps in (1, 3, 4):
        train(tmp_path / "parts", steps, games)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert load_gammas(tmp_path / "whole").about["steps"] == 4


def test_a_killed_training_continues_from_its_last_checkpoint(folder, tmp_path):
    out, arguments = tmp_path / "killed", [str(folder), "--size", "5", "--holdout", "3", "--no-plot"]
    command = [sys.executable, "-c", "from tengen.interfaces.cli import main; main()", "train", "gammas", *arguments]
    process = subprocess.Popen(
        [*command, "--steps", "1000000", "--out", str(out)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(6000):
            if out.exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.wait()
    records = [(path.read_bytes(), 0) for path in sorted(folder.iterdir())]
    found = read_moves(records, 5)[0]
    steps = GammaTraining(SETTINGS, found, out).progress.steps + 2
    assert steps > 2
    train(out, steps, found)
    train(tmp_path / "whole", steps, found)
    assert out.read_bytes() == (tmp_path / "whole").read_bytes()


def refusal(games: GameMoves, path, settings=SETTINGS) -> str:
    """Return the message with which a training refuses a checkpoint; empty if it does not."""
    try:
        GammaTraining(settings, games, path)
    except TengenError as error:
        return str(error)
    return ""


def test_a_checkpoint_of_other_games_or_settings_is_refused(games, tmp_path):
    train(tmp_path / "a", 1, games)
    assert refusal(games, tmp_path / "a") == ""
    others = games.selected(np.arange(len(games) - 2))
    assert f"is of a training with moves={games.digest!r}" in refusal(others, tmp_path / "a")
    assert "with virtual_games=1.0, not 2.0" in refusal(games, tmp_path / "a", replace(SETTINGS, virtual_games=2.0))
    about, arrays = load_arrays(tmp_path / "a.checkpoint")
    for name, odd in (("gammas", np.nan), ("gammas", 0.0), ("ranks", -1)):
        changed = {key: array.copy() for key, array in arrays.items()}
        changed[name][-1] = odd
        save_arrays(tmp_path / "b.checkpoint", about, changed)
        assert f"is damaged: its {name} are not all from" in refusal(games, tmp_path / "b")


def test_too_few_games_for_a_holdout_are_refused(games, tmp_path):
    few = games.selected(np.arange(4))
    assert refusal(few, tmp_path / "a") == "4 games are too few for a holdout of one in 3 pairs"


# --- The command -----------------------------------------------------------------------------------------------------


def run(*arguments: object):
    return CliRunner().invoke(app, ["train", "gammas", *map(str, arguments)])


def test_the_command_writes_gammas_a_checkpoint_a_report_and_a_picture(folder, tmp_path):
    out = tmp_path / "mine.gammas"
    done = run(folder, "--size", 5, "--holdout", 3, "--steps", 2, "--out", out, "--json")
    assert done.exit_code == 0, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "mine.gammas", "mine.gammas.checkpoint", "mine.gammas.json", "mine.gammas.png",
    ]  # fmt: skip
    report = json.loads(done.stdout)
    assert (report["steps"], report["games"], report["holdout_games"]) == (2, 16, 8)
    assert report["settings"] == {**asdict(SETTINGS), "moves": report["settings"]["moves"]}
    assert len(report["prediction"]) == 20
    assert next(iter(report["gammas"])) == "capture"
    assert out.with_name("mine.gammas.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--size", 2), "--size is from 3 to 25, not '2'"),
        (("--patterns", "large"), "--patterns cannot be 'large'"),
        (("--holdout", 1), "--holdout is from 2 to"),
        (("--size", 9), "no games to learn from on 9x9: 24 with another board size"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options, complaint, folder, tmp_path):
    done = run(folder, *options, "--out", tmp_path / "a")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tengen: {complaint}")
    assert done.stderr.count("\n") == 1


# --- Files of gammas -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("patterns", ["3x3", pytest.param("diamond", marks=pytest.mark.long)])
def test_gammas_are_read_as_they_were_written(patterns, tmp_path):
    gammas = np.float32(np.random.default_rng(1).lognormal(size=feature_set(patterns).count)).astype(float)
    GammaTable(patterns, gammas, {"games": 3}).save(tmp_path / "a")
    found = load_gammas(tmp_path / "a")
    assert (found.patterns, found.about) == (patterns, {"games": 3})
    assert np.array_equal(found.gammas[1:], gammas[1:])
    assert found.gammas[0] == 1


def test_damaged_and_other_files_of_gammas_are_refused_in_one_line(tmp_path):
    path = tmp_path / "a"
    GammaTable("3x3", np.ones(feature_set("3x3").count)).save(path)
    content = path.read_bytes()
    places = range(0, len(content), 17)
    flipped = [content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :] for place in places]
    for other in (b"", b"{}\n", *(content[:place] for place in places), *flipped):
        path.write_bytes(other)
        with pytest.raises(BadGammas) as refused:
            load_gammas(path)
        assert "\n" not in str(refused.value)


def lies(content: bytes):
    """Yield files with a valid checksum and a wrong field or number, and what the error says."""
    header, numbers = json.loads(content.partition(b"\n")[0]), numbers_of(content)
    for odd in (np.nan, np.inf, 0.0, -1.0, 1.001e9, 0.9e-9):
        changed = numbers.copy()
        changed[-1] = odd
        yield with_numbers(content, changed), "not all between"
    yield with_numbers(content, numbers[1:]), "it has 7,513 gammas; it needs 7,514"
    yield with_numbers(content, np.ones(8000)), "more than the 7,514 gammas"
    yield with_compressed(content, zlib.compress(bytes(10**8))), "more than the 7,514 gammas"
    yield with_compressed(content, b"not compressed"), "cannot be decompressed"
    for name, value, complaint in (
        ("version", 2, "have version '2'"),
        ("patterns", "4x4\n", "its patterns are"),
        ("patterns", "diamond", "its groups of features are"),
        ("features", {"shape": 3}, "its groups of features are"),
        ("features", None, "its groups of features are"),
        ("about", [], "about in its header is not an object"),
    ):
        yield signed({**header, name: value}, content.partition(b"\n")[2]), complaint
    for name in ("patterns", "features", "about"):
        rest = {key: value for key, value in header.items() if key != name}
        yield signed(rest, content.partition(b"\n")[2]), f"its header lacks {name}"


def test_files_of_gammas_that_lie_are_refused_in_one_line(tmp_path):
    path = tmp_path / "a"
    GammaTable("3x3", np.ones(feature_set("3x3").count)).save(path)
    for content, complaint in list(lies(path.read_bytes())):
        path.write_bytes(content)
        with pytest.raises(BadGammas) as refused:
            load_gammas(path)
        assert complaint in str(refused.value)
        assert "\n" not in str(refused.value)
