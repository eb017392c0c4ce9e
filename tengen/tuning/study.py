"""A study: its task, the games so far, and the next ones. Optuna stores it in a journal file."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.storages import JournalStorage

from tengen.arena.match import PlayedGame
from tengen.arena.plans import Conditions, Entrant, Pairing, Plan, seed_of
from tengen.arena.worker import GameWorker, prepare
from tengen.errors import TengenError, shortened
from tengen.files import Unwritable
from tengen.parallel import Backend
from tengen.players import PlayerSpec
from tengen.tuning.journal import StudyJournal
from tengen.tuning.parameters import Parameter
from tengen.tuning.surface import Surface

FIRST_GAMES_EACH = 8
"""Games at random values, per parameter, before the surface is used."""


@dataclass(frozen=True)
class Task:
    """The task of a study: a player, its parameters, the opponent, and the conditions of the games."""

    player: PlayerSpec
    opponent: PlayerSpec
    parameters: list[Parameter]
    conditions: Conditions

    def __post_init__(self) -> None:
        names = [parameter.name for parameter in self.parameters]
        if twice := {name for name in names if names.count(name) > 1}:
            raise TengenError(f"{', '.join(sorted(twice))} is given twice")

    def settings(self) -> dict[str, Any]:
        """Return all that the games of a study have in common, as JSON values."""
        return {
            "player": str(self.player),
            "opponent": str(self.opponent),
            "parameters": [[one.name, one.low, one.high, one.is_log, one.is_whole] for one in self.parameters],
            "conditions": self.conditions.to_json(),
        }

    def entrant(self, values: dict[str, Any]) -> Entrant:
        return Entrant("tuned", self.player.with_settings(**values))

    def plan(self, number: int, values: dict[str, Any]) -> Plan:
        """Return the game of a trial; colours alternate."""
        tuned, opponent = self.entrant(values), Entrant("opponent", self.opponent)
        black, white = (tuned, opponent) if number % 2 == 0 else (opponent, tuned)
        return Plan(
            id=str(number),
            pairing="tuned v opponent",
            number=number,
            black=black,
            white=white,
            conditions=self.conditions,
            opening=self.conditions.opening(number),
            seed=seed_of(self.conditions.seed, "tuning", number),
        )


class SurfaceSampler(optuna.samplers.BaseSampler):
    """Chooses the parameters of the next game, for optuna."""

    def __init__(self, parameters: list[Parameter], seed: int):
        self.parameters, self.seed = parameters, seed

    def infer_relative_search_space(
        self, study: optuna.Study, trial: optuna.trial.FrozenTrial
    ) -> dict[str, optuna.distributions.BaseDistribution]:
        return {parameter.name: parameter.distribution() for parameter in self.parameters}

    def sample_relative(
        self,
        study: optuna.Study,
        trial: optuna.trial.FrozenTrial,
        search_space: dict[str, optuna.distributions.BaseDistribution],
    ) -> dict[str, Any]:
        chance = np.random.default_rng(seed_of(self.seed, "parameters", trial.number))
        points, results = observations(study, self.parameters)
        if len(results) < FIRST_GAMES_EACH * len(self.parameters):
            point = chance.uniform(-1, 1, len(self.parameters))
        else:
            point = Surface.fit(points, results).best(chance, drawn=True)
        return {parameter.name: parameter.value(place) for parameter, place in zip(self.parameters, point, strict=True)}

    def sample_independent(
        self,
        study: optuna.Study,
        trial: optuna.trial.FrozenTrial,
        param_name: str,
        param_distribution: optuna.distributions.BaseDistribution,
    ) -> Any:
        raise TengenError(f"{param_name} is not a parameter of this study")


def _finished(study: optuna.Study) -> list[optuna.trial.FrozenTrial]:
    """Return the games with a result, in the order in which they were started."""
    return study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,))


def observations(study: optuna.Study, parameters: list[Parameter]) -> tuple[np.ndarray, np.ndarray]:
    """Return the scaled parameters of the games so far, and their results."""
    finished = _finished(study)
    points = [[parameter.scaled(trial.params[parameter.name]) for parameter in parameters] for trial in finished]
    return np.array(points, float).reshape(-1, len(parameters)), np.array([trial.value for trial in finished], float)


def games_as_csv(study: optuna.Study, parameters: list[Parameter]) -> str:
    """Return the games so far as CSV: number, values of the parameters, and result."""
    names = [parameter.name for parameter in parameters]
    lines = [["game", *names, "points"]]
    for trial in _finished(study):
        lines.append([str(trial.number), *(f"{trial.params[name]:g}" for name in names), f"{trial.value:g}"])
    return "".join(",".join(line) + "\n" for line in lines)


def open_study(path: Path, task: Task, say: Callable[[str], None] = lambda message: None) -> optuna.Study:
    """Open or create the study of a file. Raises TengenError if it is damaged or has another task.

    The players' kernels are compiled first, so that no study is created for players that cannot play. `say` is called
    with a message for the user if an unfinished line was removed from the end of the file, or if the file was written
    by an earlier version, without checksums.
    """
    prepare([Pairing(Entrant("tuned", task.player), Entrant("opponent", task.opponent), task.conditions, 1)])
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    journal = StudyJournal(path)
    if journal.torn:
        say(f"{path} ended in an unfinished line, whose {journal.torn:,} bytes were removed")
    if journal.unsigned:
        say(f"{path} was written without checksums by an earlier version: its {journal.unsigned:,} lines are unchecked")
    try:
        study = optuna.create_study(
            storage=JournalStorage(journal),
            study_name="tuning",
            sampler=SurfaceSampler(task.parameters, task.conditions.seed),
            direction="maximize",
            load_if_exists=True,
        )
        _claim(study, task, path)
        _check_games(study, task)
        for trial in study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,)):
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)  # a game that was killed
    except TengenError:
        raise
    except Exception as error:  # optuna executes lines without checking them
        raise TengenError(
            f"{shortened(path, 160)} is not a study that can be continued: {shortened(error, 160)}"
        ) from None
    return study


def _claim(study: optuna.Study, task: Task, path: Path) -> None:
    """Store the task of a new study, or check that an existing one has the same."""
    known, mark = study.user_attrs.get("settings"), _fingerprint(task.settings())
    if known is None:
        study.set_user_attr("settings", mark)
        study.set_user_attr("task", json.dumps(task.settings()))
    elif known != mark:
        raise TengenError(f"{shortened(path, 160)} is a study with another task or other settings: choose another file")


def _check_games(study: optuna.Study, task: Task) -> None:
    """Check that every finished game has values of all parameters within their limits, and a result."""
    for trial in _finished(study):
        for parameter in task.parameters:
            value = trial.params.get(parameter.name)
            if not isinstance(value, int | float) or not parameter.low <= value <= parameter.high:
                raise TengenError(f"game {trial.number} has {shortened(value)} for {parameter.name}")
        if trial.value not in (0.0, 0.5, 1.0):
            raise TengenError(f"game {trial.number} has the result {shortened(trial.value)}")


def _fingerprint(settings: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def tune(
    task: Task, study: optuna.Study, games: int, backend: Backend, watch: Callable[[int, PlayedGame | None], None]
) -> None:
    """Play until the study has `games` games; call `watch` with their number and the game that has just ended."""
    complete = len(observations(study, task.parameters)[1])
    watch(complete, None)

    def missing() -> Iterator[Plan]:
        for _ in range(games - complete):
            trial = study.ask({parameter.name: parameter.distribution() for parameter in task.parameters})
            yield task.plan(trial.number, trial.params)

    for count, done in enumerate(backend.run(GameWorker, missing()), complete + 1):
        number = done.task.number
        if done.error:
            study.tell(number, state=optuna.trial.TrialState.FAIL)
            raise TengenError(f"a game failed: {shortened(done.error.strip().splitlines()[-1], 200)}")
        try:
            study.tell(number, result_of(done.result))
        except Unwritable as error:
            raise TengenError(f"game {number} was not saved (all games before it were): {error}") from None
        watch(count, done.result)


def result_of(played: PlayedGame) -> float:
    """Return the tuned player's result."""
    if played.winner == "draw":
        return 0.5
    return float((played.black if played.winner == "black" else played.white) == "tuned")
