"""Estimated time of an experiment, for `tengen reproduce --list`.

The figures are processor times on one core of a 2-core x86 guest (AMD EPYC, 2.6 GHz), from `tengen bench` and stored
games. A short run of uniform playouts compares the present machine with that one.
"""

import math
import time
from collections.abc import Callable

from tengen.benchmarks.rows import playout_work
from tengen.composed_config import settings_of
from tengen.engines.gnugo import GnuGoConfig
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.papers.experiment import Experiment, Match, Measurement, Settings
from tengen.papers.reproduction import distinct
from tengen.players import PlayerSpec, parse_player
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig
from tengen.search.flat_config import AmafConfig, FlatConfig

PLAYOUTS_PER_SECOND = 231_000
"""Uniform playouts of 9x9 Go on the machine of these figures."""
SIMULATION_SECONDS = 1.0e-7
"""A simulation with uniform playouts, for each move of the rest of a game: 6 microseconds on 9x9."""
POLICY_FACTORS = {"uniform": 1.0, "mogo": 1.8, "urgency": 2.0, "rlgo": 20.0}
"""The time of a simulation with a playout policy, relative to uniform playouts."""
GNUGO_SECONDS = ((10, 0.37), (8, 0.2), (5, 0.05), (0, 0.01))
"""Least level and seconds per move on 9x9."""
MOVES_ON_9 = 60
GNUGO_GROWTH = 1.3
"""The exponent by which GNU Go's time for a move grows with the length of games: 0.01, 0.02 and 0.07 s at level 0."""
MOVE_SECONDS = 0.002
"""Everything else about a move."""


def machine_factor(seconds: float = 0.2, now: Callable[[], float] = time.process_time) -> float:
    """Return how much longer the present machine takes, by uniform playouts for a short time."""
    work = playout_work(Go(9))
    work(1)  # compile
    began, done = now(), 0
    while now() - began < seconds:
        work(500)
        done += 500
    return PLAYOUTS_PER_SECOND * (now() - began) / done


def seconds_of(experiment: Experiment, settings: Settings) -> float:
    """Return the estimated processor time of a whole run, without preparations, on the machine of these figures."""
    rows = experiment.rows(settings)
    games = sum(match.games * _game_seconds(match) for match in distinct(rows, Match))
    return games + sum(measured.parts * measured.seconds for measured in distinct(rows, Measurement))


def _game_seconds(match: Match) -> float:
    """Return the time of a game: half of its moves are each player's."""
    moves = 2.0 * match.game.moves_to_go(match.game.start())
    players = (parse_player(text) for text in (match.player, match.opponent))
    return moves / 2 * sum(_move_seconds(player, match.game, moves) for player in players)


def _move_seconds(player: PlayerSpec, game: Game, moves: float) -> float:
    """Return the time of one move of a player, in a game of so many moves."""
    config = player.on(game).config
    if isinstance(config, GnuGoConfig):
        seconds = next(seconds for level, seconds in GNUGO_SECONDS if config.level >= level)
        return float(seconds * (moves / MOVES_ON_9) ** GNUGO_GROWTH)
    if not isinstance(config, SearchConfig | FlatConfig | AmafConfig):
        return MOVE_SECONDS
    simulation = SIMULATION_SECONDS * moves * POLICY_FACTORS.get(config.policy, 2.0)
    return MOVE_SECONDS + simulation * _simulations(settings_of(config), moves)


def _simulations(settings: dict[str, object], moves: float) -> float:
    """Return the simulations per move; those of a flat player with a number per candidate move, for all of them."""
    limit = settings.get("simulations")
    limit = limit if isinstance(limit, int) and limit else None
    most = settings.get("most_games")
    if not isinstance(most, int) or not most:
        return limit or DEFAULT_SIMULATIONS
    candidates = settings.get("preselect") or moves
    assert isinstance(candidates, int | float)
    return min(most * candidates, limit or math.inf)


def needs_of(experiment: Experiment) -> list[str]:
    """Return the programs that an experiment needs besides the package."""
    rows = experiment.rows(experiment.settings("quick"))
    players = {text for match in distinct(rows, Match) for text in (match.player, match.opponent)}
    return ["GNU Go"] if any(isinstance(parse_player(text).config, GnuGoConfig) for text in players) else []
