"""The kinds of files that a user may hand to a command: a valid one of each, how to damage it, and how it is read.

Write a mutant with `kind.write` and read it with `kind.read`: that returns text or raises TengenError, nothing else.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tengen.arena.exports import write_csv, write_lines, write_records
from tengen.arena.imports import read_store
from tengen.arena.plans import Conditions
from tengen.arena.runner import run_pairings
from tengen.arena.store import Store
from tengen.arena.tables import report, report_json
from tengen.arena.tournament import EXAMPLE, read_tournament
from tengen.errors import TengenError
from tengen.games.go.game import Go
from tengen.games.go.sgf import annotate_sgf, read_sgf, write_sgf
from tengen.games.othello.game import Othello
from tengen.interfaces.cli.train_gammas import line_of as line_of_gammas
from tengen.interfaces.cli.train_urgencies import line_of
from tengen.learning.game_moves import read_moves
from tengen.learning.gamma_settings import GammaSettings
from tengen.learning.gamma_training import MEASURED as MEASURED_OF_GAMMAS
from tengen.learning.gamma_training import GammaTraining
from tengen.learning.stepwise import StepProgress
from tengen.learning.training import Training
from tengen.learning.training_settings import TrainingSettings
from tengen.learning.urgency_settings import BlockSettings
from tengen.learning.urgency_training import MEASURED, UrgencyTraining
from tengen.parallel.in_process import InProcess
from tengen.players import parse_player
from tengen.policies.go.gamma_table import GammaTable, load_gammas
from tengen.policies.go.shape_features import feature_set
from tengen.policies.go.urgency_table import UrgencyTable, load_urgencies, manual_table
from tengen.policies.go.weights import load_weights
from tests.arena.conftest import quick_pairing
from tests.trials.mutations import BINARY, TEXT, Mutator

GAMES = 6


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    file: Path
    """Where a mutant is written; files beside it with the same beginning may be left by a reader."""
    content: bytes
    read: Callable[[Path], str]
    """Read the file as the commands do; returns all that they would show."""
    mutators: tuple[Mutator, ...] = TEXT

    def write(self, content: bytes) -> Path:
        """Write a mutant in the place of the last one and of what reading it has left; return its path."""
        for old in self.file.parent.glob(f"{self.file.name}*"):
            old.unlink()
        self.file.write_bytes(content)
        return self.file


def kinds(folder: Path) -> dict[str, Kind]:
    """Make a valid file of every kind; `folder` also takes what reading them writes."""
    store, lines, table = (folder / f"valid.{ending}" for ending in ("sqlite", "jsonl", "csv"))
    with Store(store) as made:
        run_pairings([quick_pairing(games=GAMES)], made, InProcess())
        made.set_anchors({"a": 1000.0})
        write_lines(made, lines)
        write_csv(made, table)
    games = store.read_bytes()
    return {
        "store": Kind(folder / "m.sqlite", games, _read_results, BINARY),
        "store played into": Kind(folder / "p.sqlite", games, _play_on, BINARY),
        "JSON lines": Kind(folder / "m.jsonl", lines.read_bytes(), _read_results),
        "CSV": Kind(folder / "m.csv", table.read_bytes(), _read_results),
        "tournament": Kind(folder / "m.toml", _tournament(folder), _read_tournament),
        "record": Kind(folder / "m.sgf", _record(), _read_record),
        "weights": Kind(folder / "m.weights", _checkpoint(folder), _read_weights),
        "checkpoint": Kind(folder / "c.weights", _checkpoint(folder), _read_checkpoint),
        "urgencies": Kind(folder / "m.urgencies", _urgencies(folder), _read_urgencies),
        "checkpoint of urgencies": Kind(
            folder / "u.checkpoint", checkpoint_of_urgencies(folder), read_checkpoint_of_urgencies
        ),
        "gammas": Kind(folder / "m.gammas", _gammas(folder), _read_gammas),
        "checkpoint of gammas": Kind(folder / "g.checkpoint", _gamma_checkpoint(folder), _read_gamma_checkpoint),
        **_journals(folder),
    }


def _read_results(path: Path) -> str:
    with read_store(path) as store:
        shown = report(store, store.anchors()) + json.dumps(report_json(store))
        shown += "".join(map(str, store.games(last=2)))
        write_csv(store, path.parent / "out.csv")
        if store.has_records:
            write_lines(store, path.parent / "out.jsonl")
            write_records(store, path.parent / "records")
    return shown + (path.parent / "out.csv").read_text()


def _play_on(path: Path) -> str:
    with Store(path) as store:
        run_pairings([quick_pairing(games=GAMES + 2)], store, InProcess())
        return report(store)


def _tournament(folder: Path) -> bytes:
    (folder / "openings.txt").write_text("E5 C3\nD4 F6\n")
    text = EXAMPLE.replace('gnugo = "gnugo:level=0"\n', 'gnugo = "random"\n').replace("random_moves = 4", "")
    for key in ("openings", "clock", "move_limit", "lines"):
        text = text.replace(f"# {key} =", f"{key} =")
    return text.encode()


def _read_tournament(path: Path) -> str:
    planned = read_tournament(path)
    return json.dumps([[pairing.settings(), pairing.games] for pairing in planned.pairings]) + str(planned.anchors)


def _record() -> bytes:
    position = Go(9).start()
    for number, move in enumerate(("E5", "C3", "G7", "C7", "pass", "G3", "C5", "D4")):
        position.play(move)
        assert len(position.history) == number + 1
    return write_sgf(position, {0: "start", 3: "grün", 5: "a remark"}, "Black", "White", "B+R")


def _read_record(path: Path) -> str:
    try:
        position = read_sgf(path, ko="positional", suicide=False)
    except TengenError:
        position = read_sgf(path)
    numbers = range(1, len(position.history) + 1)
    annotate_sgf(path, dict.fromkeys(numbers, "good"), dict.fromkeys(numbers, 0.5), set(numbers))
    return position.diagram()


SETTINGS = TrainingSettings(size=3)


def _checkpoint(folder: Path) -> bytes:
    path = folder / "valid.weights"
    path.unlink(missing_ok=True)
    Training(SETTINGS, path).save()
    return path.read_bytes()


def _read_weights(path: Path) -> str:
    return load_weights(path).weights.tobytes().hex()


def _read_checkpoint(path: Path) -> str:
    return json.dumps(Training(SETTINGS, path).report())


def _urgencies(folder: Path) -> bytes:
    made, path = manual_table(), folder / "valid.urgencies"
    UrgencyTable(made.urgencies, made.capture, made.escape, {"games": 12, "curve": [0.5, 0.75]}).save(path)
    return path.read_bytes()


def _read_urgencies(path: Path) -> str:
    table = load_urgencies(path)
    policy: bytes = table.compiled(9).tobytes()
    return policy.hex() + json.dumps(table.about)


URGENCY_SETTINGS = BlockSettings(size=5)


def checkpoint_of_urgencies(folder: Path) -> bytes:
    """Return a checkpoint of a training of urgencies with one measurement."""
    path = folder / "learnt.urgencies"
    training = UrgencyTraining(URGENCY_SETTINGS, path)
    training.method.arrays["values"][::3] = 0.125
    point = {"steps": 2, "games": 40_000, "clips": 0, **dict.fromkeys(MEASURED, 0.5)}
    training.progress = StepProgress(steps=2, games=40_000, seconds=1.5, curve=[point])
    training.save()
    return training.checkpoint.read_bytes()


def read_checkpoint_of_urgencies(path: Path) -> str:
    """Continue from a checkpoint, whose name ends with .checkpoint, and write the table."""
    training = UrgencyTraining(URGENCY_SETTINGS, path.with_suffix(""))
    training.save()
    return line_of(training) + json.dumps(training.report()) + load_urgencies(training.path).urgencies.tobytes().hex()


def _gammas(folder: Path) -> bytes:
    gammas, path = np.ones(feature_set("3x3").count), folder / "valid.gammas"
    gammas[::7] = 2.5
    GammaTable("3x3", gammas, {"games": 12}).save(path)
    return path.read_bytes()


def _read_gammas(path: Path) -> str:
    table = load_gammas(path)
    return table.gammas.tobytes().hex() + json.dumps(table.about)


def _gamma_training(path: Path) -> GammaTraining:
    """Begin or continue a training from four short games."""
    games = read_moves(((_record_of(number), 0) for number in range(4)), 5)[0]
    return GammaTraining(GammaSettings(size=5, holdout=2), games, path)


def _record_of(number: int) -> bytes:
    position = Go(5).start().play(number + 7)
    return write_sgf(position)


def _gamma_checkpoint(folder: Path) -> bytes:
    training = _gamma_training(folder / "learnt.gammas")
    training.gammas[::5] = 3.0
    training.state["ranks"][:3] = 5
    point = {"steps": 2, "games": 8, "largest_change": 0.5, **dict.fromkeys(MEASURED_OF_GAMMAS, 0.25)}
    training.progress = StepProgress(steps=2, games=8, seconds=1.5, curve=[point])
    training.save()
    return training.checkpoint.read_bytes()


def _read_gamma_checkpoint(path: Path) -> str:
    """Continue from a checkpoint, whose name ends with .checkpoint, and write the gammas."""
    training = _gamma_training(path.with_suffix(""))
    training.save()
    return line_of_gammas(training) + json.dumps(training.report()) + _read_gammas(training.path)


def _journals(folder: Path) -> dict[str, Kind]:
    """Journals with checksums, and as earlier versions wrote them, without."""
    from tengen.tuning.findings import report
    from tengen.tuning.parameters import Parameter
    from tengen.tuning.study import Task, games_as_csv, open_study, tune
    from tests.test_tuning import Arithmetic

    player = parse_player("mc-rave:simulations=2,memory=1")
    task = Task(player, player, [Parameter.parse("bias=0.0001..1:log", player.config)], Conditions(Othello(4)))
    tune(task, open_study(folder / "valid.journal", task), 12, Arithmetic(), lambda count, played: None)

    def read(path: Path) -> str:
        study = open_study(path, task)
        shown = json.dumps(report(task, study).to_json()) + games_as_csv(study, task.parameters)
        tune(task, study, 13, Arithmetic(), lambda count, played: None)
        return shown

    signed = (folder / "valid.journal").read_bytes()
    unsigned = re.sub(rb',"sha256":"[0-9a-f]{16}"\}\n', b"}\n", signed)
    return {
        "journal": Kind(folder / "m.journal", signed, read),
        "journal without checksums": Kind(folder / "o.journal", unsigned, read),
    }
