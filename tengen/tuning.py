"""Parameters chosen by games: each game is one observation of a smooth response surface, and the answer has error bars.

The chance to win at parameters u, each scaled to -1 ... 1 between its limits, is modelled as

    p(u) = 1 / (1 + exp(-(a + sum_i b_i u_i + sum_(i<=j) c_ij u_i u_j)))

fitted to all games by maximum a posteriori, with its uncertainty from the curvature there. The next game is played at
the maximum of a surface drawn from that distribution (Thompson sampling): where the best values may still be, games are
played. Studies are kept by optuna in a journal file: a killed run loses its games in progress only.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.storages import JournalStorage

from tengen.arena.match import PlayedGame
from tengen.arena.plans import Conditions, Entrant, Pairing, Plan, seed_of
from tengen.arena.scores import normal_quantile, wilson_interval
from tengen.arena.worker import GameWorker, prepare
from tengen.composed_config import ComposedConfig, entries_of, settings_of
from tengen.errors import TengenError, shortened
from tengen.files import Unwritable
from tengen.parallel import Backend
from tengen.players import PlayerSpec
from tengen.tuning_journal import StudyJournal

FIRST_GAMES_EACH = 8
"""Games at random places for each parameter before the surface is trusted to guide."""
PRIOR_DEVIATIONS = {"level": 2.0, "slope": 1.0, "curve": 1.0, "twist": 0.3}
"""What is thought of the surface before any game: differences of more than some 400 Elo between limits are unlikely,
and what one parameter does depends little on another. Without that, ten parameters would be lost among their pairs."""
DRAWS = 300
"""Surfaces whose maxima make the error bars."""
RECENT = 200
"""The last games, of whose rate a report tells."""


@dataclass(frozen=True)
class Parameter:
    """A number of a player that is to be chosen."""

    name: str
    low: float
    high: float
    is_log: bool = False
    is_whole: bool = False

    @classmethod
    def parse(cls, text: str, config: Any) -> "Parameter":
        """As in bias=0.001..0.1:log, for a key of a player's config."""
        name, _, limits = text.partition("=")
        span, _, scale = limits.partition(":")
        settings, entries = settings_of(config), entries_of(config)
        known = {key: entries[key] for key in settings if type(entries[key].default) in (int, float)}
        if name not in known:
            reason = f"{shortened(name)} is no number of the player"
            if isinstance(config, ComposedConfig) and name in config.known_keys() and name not in settings:
                reason = config.why_without_effect(name)
            raise TengenError(f"{reason}; numbers that can be tuned: {', '.join(known)}")
        try:
            low, high = (float(part) for part in span.split(".."))
        except ValueError:
            raise TengenError(f"{shortened(text)} names no limits: write {name}=low..high, or low..high:log") from None
        least, most = known[name].metadata["low"], known[name].metadata["high"]
        if not (math.isfinite(low) and math.isfinite(high) and least <= low < high <= most):
            raise TengenError(f"{name} is tuned between two numbers from {least:g} to {most:g}, the smaller one first")
        if scale not in ("", "log") or (scale == "log" and low <= 0):
            raise TengenError(f"{shortened(text)}: the scale may be log, if both limits are above 0")
        is_whole = isinstance(known[name].default, int)
        if is_whole and not (low.is_integer() and high.is_integer()):
            raise TengenError(f"{name} is a whole number, and so are its limits")
        return cls(name, low, high, scale == "log", is_whole)

    def value(self, scaled: float) -> float | int:
        """The number at a place from -1 to 1."""
        share = (min(1.0, max(-1.0, scaled)) + 1) / 2
        if self.is_log:
            found = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        else:
            found = self.low + share * (self.high - self.low)
        rounded = round(found) if self.is_whole else float(f"{found:.4g}")
        return type(rounded)(min(self.high, max(self.low, rounded)))

    def scaled(self, value: float) -> float:
        """The place of a number between the limits, from -1 to 1."""
        if self.is_log:
            return 2 * (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low)) - 1
        return 2 * (value - self.low) / (self.high - self.low) - 1

    def distribution(self) -> optuna.distributions.BaseDistribution:
        if self.is_whole:
            return optuna.distributions.IntDistribution(round(self.low), round(self.high), log=self.is_log)
        return optuna.distributions.FloatDistribution(self.low, self.high, log=self.is_log)


def terms_of(points: np.ndarray) -> np.ndarray:
    """1, u_i, and u_i u_j for i <= j, of each point: a row of what the surface's coefficients are multiplied with."""
    count = points.shape[1]
    pairs = [points[:, i] * points[:, j] for i in range(count) for j in range(i, count)]
    return np.column_stack([np.ones(len(points)), points, *pairs])


@dataclass(frozen=True)
class Rate:
    """A chance to win, and between which limits it is with 95 % confidence."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} % to {100 * self.high:.1f} %)"


@dataclass(frozen=True)
class Surface:
    """What is believed of the response: the coefficients' mean, and their covariance."""

    mean: np.ndarray
    covariance: np.ndarray

    @classmethod
    def fit(cls, points: np.ndarray, results: np.ndarray) -> "Surface":
        """The most likely coefficients by Newton's method, and the inverse of the curvature there (Laplace).

        `points` has a row of scaled parameters for each game, `results` 1, 0.5 or 0.
        """
        terms = terms_of(points)
        precision = np.diag(1 / np.square(_prior_deviations(points.shape[1])))
        mean = np.zeros(terms.shape[1])
        for _ in range(100):
            rates = 1 / (1 + np.exp(-np.clip(terms @ mean, -30, 30)))
            gradient = terms.T @ (results - rates) - precision @ mean
            curvature = terms.T @ (terms * (rates * (1 - rates))[:, None]) + precision
            step = np.linalg.solve(curvature, gradient)
            mean = mean + step
            if float(np.abs(step).max()) < 1e-9:
                break
        return cls(mean, np.linalg.inv(curvature))

    def rate(self, point: Sequence[float]) -> Rate:
        """The chance to win at a point, with 95 % confidence in what the surface, not the chance, is normal in."""
        terms = terms_of(np.array([point], float))[0]
        middle, spread = float(terms @ self.mean), normal_quantile() * math.sqrt(float(terms @ self.covariance @ terms))
        return Rate(*(1 / (1 + math.exp(-height)) for height in (middle, middle - spread, middle + spread)))

    def best(self, chance: np.random.Generator, drawn: bool = False) -> np.ndarray:
        """Where the surface, or one drawn from what may be, is highest within the limits."""
        coefficients = self.mean
        if drawn:
            coefficients = chance.multivariate_normal(self.mean, self.covariance, method="cholesky")
        count = _dimensions(len(coefficients))
        best = np.zeros(count)
        points = chance.uniform(-1, 1, (1024, count))
        for spread in (0.0, 0.2, 0.04, 0.008):
            if spread:
                points = np.clip(best + chance.normal(0, spread, (256, count)), -1, 1)
            points = np.vstack([best, points])
            best = points[int((terms_of(points) @ coefficients).argmax())]
        return best


def _prior_deviations(count: int) -> list[float]:
    """What each coefficient of the surface of so many parameters may be before any game, in the order of `terms_of`."""
    pairs = ["curve" if i == j else "twist" for i in range(count) for j in range(i, count)]
    return [PRIOR_DEVIATIONS[kind] for kind in ["level", *["slope"] * count, *pairs]]


def _dimensions(coefficients: int) -> int:
    """Parameters of a surface with so many coefficients: n where (n + 1)(n + 2) / 2 is their number."""
    return round((math.sqrt(8 * coefficients + 1) - 3) / 2)


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
        raise TengenError(f"{param_name} is not among the parameters that are tuned")


def _finished(study: optuna.Study) -> list[optuna.trial.FrozenTrial]:
    """The games that have a result, in the order in which they began."""
    return study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,))


def observations(study: optuna.Study, parameters: list[Parameter]) -> tuple[np.ndarray, np.ndarray]:
    """The games so far: where they were played, scaled, and their results."""
    finished = _finished(study)
    points = [[parameter.scaled(trial.params[parameter.name]) for parameter in parameters] for trial in finished]
    return np.array(points, float).reshape(-1, len(parameters)), np.array([trial.value for trial in finished], float)


def games_as_csv(study: optuna.Study, parameters: list[Parameter]) -> str:
    """The games so far, for other programs: a line each, with its number, the values played at, and the result."""
    names = [parameter.name for parameter in parameters]
    lines = [["game", *names, "points"]]
    for trial in _finished(study):
        lines.append([str(trial.number), *(f"{trial.params[name]:g}" for name in names), f"{trial.value:g}"])
    return "".join(",".join(line) + "\n" for line in lines)


@dataclass(frozen=True)
class Task:
    """What is tuned: a player's parameters, against an opponent, under some conditions."""

    player: PlayerSpec
    opponent: PlayerSpec
    parameters: list[Parameter]
    conditions: Conditions

    def __post_init__(self) -> None:
        names = [parameter.name for parameter in self.parameters]
        if twice := {name for name in names if names.count(name) > 1}:
            raise TengenError(f"{', '.join(sorted(twice))} is to be tuned twice")

    def settings(self) -> dict[str, Any]:
        """All that the games of a study have in common, in terms that JSON has."""
        return {
            "player": str(self.player),
            "opponent": str(self.opponent),
            "parameters": [[one.name, one.low, one.high, one.is_log, one.is_whole] for one in self.parameters],
            "conditions": self.conditions.to_json(),
        }

    def entrant(self, values: dict[str, Any]) -> Entrant:
        return Entrant("tuned", self.player.with_settings(**values))

    def plan(self, number: int, values: dict[str, Any]) -> Plan:
        """The game of a trial; colours alternate."""
        tuned, opponent = self.entrant(values), Entrant("opponent", self.opponent)
        black, white = (tuned, opponent) if number % 2 == 0 else (opponent, tuned)
        seed = seed_of(self.conditions.seed, "tuning", number)
        return Plan(
            str(number),
            "tuned v opponent",
            number,
            black,
            white,
            self.conditions,
            self.conditions.opening(number),
            seed,
        )


def open_study(path: Path, task: Task, say: Callable[[str], None] = lambda message: None) -> optuna.Study:
    """Return the study of a file, begun if it is not there; raise TengenError if it is damaged or about something else.

    What the players need is compiled before, so that players which cannot play begin no study. `say` is called with a
    sentence for the user if an unfinished line was removed from the end of the file, and if the file was written by an
    earlier version, without checksums.
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
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)  # a game that a kill has ended
    except TengenError:
        raise
    except Exception as error:  # optuna executes lines without checking them
        raise TengenError(f"{shortened(path, 160)} holds no study that can go on: {shortened(error, 160)}") from None
    return study


def _claim(study: optuna.Study, task: Task, path: Path) -> None:
    """Write down what a new study is about, or check that an old one is about the same."""
    known, mark = study.user_attrs.get("settings"), _fingerprint(task.settings())
    if known is None:
        study.set_user_attr("settings", mark)
        study.set_user_attr("task", json.dumps(task.settings()))
    elif known != mark:
        raise TengenError(f"{shortened(path, 160)} holds a study of something else: give this one another file")


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
    """Play games until the study has so many; call `watch` with the number there are, and the game just ended."""
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
            raise TengenError(f"game {number} was not saved, all before it were: {error}") from None
        watch(count, done.result)


def result_of(played: PlayedGame) -> float:
    """The tuned player's result."""
    if played.winner == "draw":
        return 0.5
    return float((played.black if played.winner == "black" else played.white) == "tuned")


@dataclass(frozen=True)
class Choice:
    """The value of a parameter at the surface's maximum on average, and where, with 95 % confidence, that may be."""

    name: str
    value: float
    low: float
    high: float
    default: float


@dataclass(frozen=True)
class Report:
    """What a study has found."""

    games: int
    choices: list[Choice]
    rate: Rate
    """At the values chosen, by the surface. It flatters: the maximum is where the surface's errors are in favour."""
    default_rate: Rate | None
    """At the player's own values, if they are within the limits."""
    recent: Rate
    """Of the last RECENT games, which were played where the maximum was thought to be."""
    player: str
    """The player with the values chosen."""

    def to_json(self) -> dict[str, Any]:
        """A default that is infinite, as that of `first_play`, is null: JSON has no word for it."""
        found = asdict(self)
        for choice in found["choices"]:
            choice["default"] = choice["default"] if math.isfinite(choice["default"]) else None
        return found


def middle_of(maxima: np.ndarray, surface: Surface) -> np.ndarray:
    """The mean of maxima; or, if there lies a valley between them, the one of the highest rate."""
    rates = [surface.rate(one.tolist()).value for one in maxima]
    mean = maxima.mean(axis=0)
    if surface.rate(mean.tolist()).value >= np.mean(rates):
        return np.asarray(mean)
    return np.asarray(maxima[int(np.argmax(rates))])


def report(task: Task, study: optuna.Study) -> Report:
    """The middle of the maxima of surfaces drawn from what may be, with error bars: where 95 % of these maxima are.

    The most likely surface's own maximum lies at some limit of each parameter that hardly matters.
    """
    points, results = observations(study, task.parameters)
    if len(results) < 2:
        raise TengenError("a report needs two games or more")
    surface = Surface.fit(points, results)
    chance = np.random.default_rng(seed_of(task.conditions.seed, "report"))
    maxima = np.array([surface.best(chance, drawn=True) for _ in range(DRAWS)])
    best = middle_of(maxima, surface)
    defaults = [float(getattr(task.player.config, parameter.name)) for parameter in task.parameters]
    choices = [
        Choice(
            parameter.name,
            parameter.value(float(best[i])),
            parameter.value(float(np.quantile(maxima[:, i], 0.025))),
            parameter.value(float(np.quantile(maxima[:, i], 0.975))),
            defaults[i],
        )
        for i, parameter in enumerate(task.parameters)
    ]
    within = all(one.low <= value <= one.high for one, value in zip(task.parameters, defaults, strict=True))
    default_rate = None
    if within:
        place = [parameter.scaled(value) for parameter, value in zip(task.parameters, defaults, strict=True)]
        default_rate = surface.rate(place)
    chosen = str(task.entrant({choice.name: choice.value for choice in choices}).spec)
    last = results[-RECENT:]
    recent = Rate(float(last.mean()), *wilson_interval(float(last.sum()), len(last)))
    return Report(len(results), choices, surface.rate(best.tolist()), default_rate, recent, chosen)
