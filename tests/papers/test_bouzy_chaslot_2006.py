"""The experiments of Bouzy and Chaslot 2006: published values, players, and what the measurements compute."""

import math

import numpy as np
import pytest

from tengen.games.catalogue import game_to_json
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.learning.urgency_games import entropies
from tengen.learning.urgency_settings import BlockSettings, UrgencySettings
from tengen.learning.urgency_workers import start_states
from tengen.papers.bouzy_chaslot_2006 import EXPERIMENTS, FIGURE_1, FIGURE_3, TABLE_1, TABLE_2
from tengen.papers.experiment import SCALES, SMOKE, Match, Measurement, Settings
from tengen.papers.indigo_matches import MANUAL, games_on, mc, program_1a
from tengen.papers.measures.pruning_course import course_of_pruning, left_key, moves_left
from tengen.papers.measures.randomness import entropy_of_counts, first_move_entropy, move_counts
from tengen.papers.measures.tree_size import BRANCHING, LENGTH, LOG_SIZE, played_game
from tengen.papers.quantities import MARGIN, RATE
from tengen.papers.trained_urgencies import TrainedTable, train_tables
from tengen.papers.urgency_learning import EXPERIMENT_1A, EXPERIMENT_1B, EXPERIMENT_2
from tengen.players import parse_player
from tengen.policies.go.urgency_table import load_urgencies, manual_table
from tengen.rng import seeded
from tengen.search.move_statistics import MoveStatistics


def published(experiment):
    return {row.label: row.published.value for row in experiment.rows(SMOKE) if row.published is not None}


def estimated(quantity, results):
    found = quantity.estimate(results)
    assert found is not None
    return found


# --- Declarations -----------------------------------------------------------------------------------------------------


def test_published_values_are_those_of_the_paper():
    assert published(TABLE_1) == {
        "Othello 8x8, played": 58,
        "Othello 8x8, random": 58,
        "Go 19x19, played": 360,
        "Go 19x19, random": 360,
    }
    assert published(TABLE_2) == {
        "9x9": 8,
        "9x9: won": 68,
        "13x13": 40,
        "13x13: won": 93,
        "19x19": 100,
        "19x19: won": 97,
    }
    assert published(EXPERIMENT_1B) == {
        "RLPR from Zero v Zero": 180,
        "RLPR from Zero v Manual": -50,
        "RLPR from Manual v Zero": 180,
        "RLPR from Manual v Manual": 50,
        "MC(RLPR) from Manual v MC(Manual)": -20,
    }
    assert published(EXPERIMENT_2) == {"9x9": 3, "19x19": -30, "9x9, the package's table": 3}
    without = [found for found in EXPERIMENTS if not published(found)]
    assert [found.name for found in without] == ["figure-1", "figure-3", "amaf", "experiment-1a"]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda found: found.name)
def test_rows_are_consistent_and_their_players_parse(experiment, scale, tmp_path):
    rows = experiment.rows(experiment.settings(scale, folder=tmp_path / "a folder, with a comma"))
    labels = [row.label for row in rows]
    assert len(set(labels)) == len(labels)
    assert {label for finding in experiment.findings for label in finding.labels} <= set(labels)
    matches = {row.work for row in rows if isinstance(row.work, Match)}
    assert all(match.games % 2 == 0 for match in matches)
    assert all(match.move_limit == 1000 for match in matches if scale != "smoke")
    measured = {row.work for row in rows if isinstance(row.work, Measurement)}
    players = [text for match in matches for text in (match.player, match.opponent)]
    players += [work.settings[key] for work in measured for key in ("player", "policy") if key in work.settings]
    assert all(parse_player(text) for text in players)
    assert {row.quantity for row in rows if isinstance(row.work, Match)} <= {MARGIN, RATE}


def test_at_500_games_for_each_move_mc_is_indigo():
    assert parse_player(mc(MANUAL, Settings(simulations=500))).config == parse_player("indigo").config


def test_larger_boards_have_fewer_games_but_at_least_two():
    settings = TABLE_2.settings("paper")
    assert [games_on(size, settings) for size in (9, 13, 19)] == [1000, 300, 80]
    assert [games_on(size, SMOKE) for size in (9, 13, 19)] == [2, 2, 2]


@pytest.mark.parametrize(
    "experiment", [FIGURE_3, EXPERIMENT_1A, EXPERIMENT_1B, EXPERIMENT_2], ids=lambda found: found.name
)
def test_the_tables_in_the_rows_are_those_that_are_trained(experiment, tmp_path, monkeypatch):
    trained = []
    for module in ("indigo_matches", "urgency_learning"):
        monkeypatch.setattr(f"tengen.papers.{module}.train_tables", lambda tables, *_: trained.extend(tables))
    settings = experiment.settings("quick", folder=tmp_path)
    experiment.prepare(settings, tmp_path, 1)
    described = str([row.work for row in experiment.rows(settings)])
    assert trained
    assert all(table.option(tmp_path) in described for table in trained)
    assert described.count(".urgencies") == sum(described.count(str(table.path(tmp_path))) for table in trained)


def test_scales_with_other_trainings_have_other_files(tmp_path):
    paths = {program_1a(EXPERIMENT_1A.settings(scale)).path(tmp_path).name for scale in SCALES}
    assert paths == {"1a-9x9-1x20000.urgencies", "1a-9x9-10x20000.urgencies"}


# --- Trained tables ---------------------------------------------------------------------------------------------------


def test_a_table_is_trained_once_and_found_again(tmp_path):
    table = TrainedTable("tiny", BlockSettings(size=5, games=4), steps=1)
    train_tables([table], tmp_path, workers=1)
    first = table.path(tmp_path).read_bytes()
    assert load_urgencies(table.path(tmp_path)).about["trained"] == 4
    train_tables([table], tmp_path, workers=1)
    assert table.path(tmp_path).read_bytes() == first


# --- The size of the tree ---------------------------------------------------------------------------------------------


def test_a_game_of_havannah_has_one_legal_move_less_after_each_move():
    found = played_game(3, player="random", game=game_to_json(Havannah(4)))
    moves = int(found["moves"])
    assert moves >= 6
    assert found["choices"] == sum(37 - t for t in range(moves))
    assert found["logarithms"] == pytest.approx(sum(math.log10(37 - t) for t in range(moves)))


def test_the_size_is_a_power_of_the_means():
    results = [
        {"moves": 10.0, "choices": 90.0, "logarithms": 9.0},
        {"moves": 30.0, "choices": 310.0, "logarithms": 30.0},
    ]
    assert estimated(BRANCHING, results).value == pytest.approx(10)
    assert estimated(LENGTH, results).value == 20
    found = estimated(LOG_SIZE, results)
    assert found.value == pytest.approx(20)
    # By hand: d/dL = 1 - 1/ln 10, d/dC = 1/(10 ln 10); deviations are ±10 in L and ±110 in C; n (n - 1) = 2.
    residual = 10 * (1 - 1 / math.log(10)) + 110 / (10 * math.log(10))
    assert found.high - found.value == pytest.approx(1.959964 * residual, rel=1e-5)
    assert LOG_SIZE.estimate([]) is None
    assert estimated(LOG_SIZE, results[:1]).high == math.inf


# --- Progressive pruning ----------------------------------------------------------------------------------------------


def test_a_pruned_move_is_left_until_it_had_its_games():
    moves = [
        MoveStatistics(number=1, visits=300, value=0.5),
        MoveStatistics(number=2, visits=300, value=0.5),
        MoveStatistics(number=3, visits=120, value=0.5, pruned=True),
        MoveStatistics(number=4, visits=100, value=0.5, pruned=True),
    ]
    assert [moves_left(moves, games) for games in (1, 99, 100, 119, 120, 300)] == [4, 4, 3, 3, 2, 2]


def test_pruning_leaves_fewer_moves_and_plays_fewer_games():
    settings = Settings(samples=1, simulations=200)
    work = FIGURE_1.rows(settings)[0].work
    assert isinstance(work, Measurement)
    found = course_of_pruning(0, **work.settings)
    assert found["full"] == 200 * found["moves"] == found["games: repeated"]
    for player in work.settings["players"]:
        left = [found[left_key(player, games)] for games in work.settings["checkpoints"]]
        assert left[0] == found["moves"]
        assert left == sorted(left, reverse=True)
        assert found[f"loss: {player}"] >= 0
        assert found[f"agrees: {player}"] == (found[f"loss: {player}"] == 0)
    games = [found[f"games: {player}"] for player in work.settings["players"]]
    assert games[0] < games[1] < games[2] <= found["full"]  # by r_d


# --- Randomness -------------------------------------------------------------------------------------------------------


def test_the_entropy_of_counts_is_corrected():
    assert entropy_of_counts(np.array([7, 0, 0])) == 0
    assert entropy_of_counts(np.array([5, 5, 5, 5])) == pytest.approx(math.log(4) + 3 / 40)


@pytest.mark.parametrize("weights", [np.ones(50), np.arange(1.0, 41.0), 0.8 ** np.arange(30)])
def test_the_estimated_entropy_is_near_the_true_one(weights):
    shares = weights / weights.sum()
    truth = -(shares * np.log(shares)).sum()
    drawn = np.random.default_rng(1).multinomial(300, shares, size=400)
    plain = np.mean([-(f[f > 0] / 300 * np.log(f[f > 0] / 300)).sum() for f in drawn])
    corrected = np.mean([entropy_of_counts(counts) for counts in drawn])
    assert abs(corrected - truth) < 0.015
    assert abs(corrected - truth) < abs(plain - truth) / 2


def test_the_entropy_of_manual_is_that_of_its_probabilities():
    table, settings = manual_table(), UrgencySettings()
    exact, uniform, positions = entropies(table.compiled(9), start_states(settings, 2), seeded(1), 1, 1)
    counts = move_counts(f"urgency:{MANUAL}", Go(9).start(), 20_000, seed=1)
    assert (positions, uniform) == (1, pytest.approx(math.log(81)))
    assert entropy_of_counts(counts) == pytest.approx(exact, abs=0.01)


def test_zero_is_uniform_and_a_greedy_policy_has_no_entropy():
    found = first_move_entropy(0, policy="urgency:urgencies=zero", samples=20_000, positions="")
    assert found["entropy"] == pytest.approx(found["uniform"], abs=0.01)
    assert first_move_entropy(0, policy="rlgo:epsilon=0", samples=200, positions="")["entropy"] == 0
