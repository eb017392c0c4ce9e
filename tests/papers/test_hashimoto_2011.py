"""The experiments of Hashimoto et al. 2011: their declarations, and the measurements against arithmetic by hand."""

import json
from typing import Any

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen.games.catalogue import game_from_json
from tengen.games.othello.game import Othello
from tengen.papers.catalogue import find_experiments
from tengen.papers.experiment import SCALES, Match, Measurement, Published
from tengen.papers.hashimoto_2011 import EXPERIMENTS, TABLE_1A, TABLE_1B, TABLE_2A, TABLE_2B
from tengen.papers.hashimoto_claims import DECAYS, FIGURE_1, FIGURE_2
from tengen.papers.measures.bias_terms import mean_terms, random_position
from tengen.papers.measures.deceptive_search import (
    Deceptive,
    deceived,
    simulations_until_right,
    values_of_leaves,
    virtual_child,
)
from tengen.papers.measures.deceptive_tree import RIGHT, TRAP
from tengen.papers.quantities import AGREES, verdict
from tengen.players import parse_player, parse_search
from tengen.search.search import Search

TABLE_1A_PRINTED = """
1	39.2 ± 3.1	24.2 ± 2.7	0.8 ± 0.6
2	52.5 ± 3.2	25.1 ± 2.7	41.3 ± 3.1
3	56.3 ± 3.2	47.8 ± 3.2	54.5 ± 3.1
4	52.7 ± 3.1	58.2 ± 3.1	56.0 ± 3.1
5	51.3 ± 3.2	50.6 ± 3.2	53.0 ± 3.2
6	47.4 ± 3.2	48.0 ± 3.2	51.0 ± 3.2
7	48.2 ± 3.2	50.2 ± 3.2	50.1 ± 3.2
"""
TABLE_1B_PRINTED = """
1	0.0 ± 0.0	0.0 ± 0.0	0.0 ± 0.0
2	1.3 ± 0.7	0.0 ± 0.0	0.0 ± 0.0
3	28.0 ± 2.8	8.0 ± 1.7	0.0 ± 0.0
4	47.5 ± 3.2	31.3 ± 2.9	18.6 ± 2.5
5	49.0 ± 3.2	48.5 ± 3.2	45.8 ± 3.2
6	49.2 ± 3.2	52.0 ± 3.2	46.6 ± 3.2
7	48.2 ± 3.2	50.0 ± 3.2	48.7 ± 3.2
"""
TABLE_2A_PRINTED = "1 51.2 3.2  2 51.9 3.3  3 54.5 3.4  4 55.9 3.5  5 53.8 3.4  6 54.6 3.4"
TABLE_2B_PRINTED = "1 0.0 0.0  2 0.0 0.0  3 4.4 0.3  4 41.6 2.6  5 47.9 3.0  6 49.8 3.1"
TREE_PLAYERS = ("uct:exploration=0.01", "uct:exploration=0.01,backup=accelerated,decay=0.9")


def rows_of(experiment, scale="paper") -> dict[str, Any]:
    return {row.label: row for row in experiment.rows(experiment.settings(scale))}


def players_of(work):
    """Return the descriptions of the players of a work, with their game."""
    if isinstance(work, Match):
        return [work.player, work.opponent], work.game
    players = work.settings.get("players", {"": work.settings.get("player")})
    game = work.settings.get("game")
    return [*players.values()], game_from_json(game) if isinstance(game, dict) else None


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_labels_are_unique_and_every_player_is_valid(experiment, scale):
    rows = experiment.rows(experiment.settings(scale))
    assert len({row.label for row in rows}) == len(rows)
    for row in rows:
        players, game = players_of(row.work)
        for player in players:
            spec = parse_player(player)
            assert str(spec if game is None else spec.on(game))


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_findings_name_rows_and_measurements_have_json_settings_and_unique_names(experiment):
    rows = rows_of(experiment)
    assert {label for finding in experiment.findings for label in finding.labels} <= set(rows)
    measured = [row.work for row in rows.values() if isinstance(row.work, Measurement)]
    named = {work.name: json.dumps(work.settings, sort_keys=True) for work in measured}
    assert all(named[work.name] == json.dumps(work.settings, sort_keys=True) for work in measured)


def test_the_paper_and_its_ids_are_found():
    names = ["table-1a", "table-1b", "table-2a", "table-2b", "figure-1", "figure-2", "bias-terms", "overhead"]
    assert [found.name for found in find_experiments("hashimoto-2011")] == names


@pytest.mark.parametrize(("table", "printed"), [(TABLE_1A, TABLE_1A_PRINTED), (TABLE_1B, TABLE_1B_PRINTED)])
def test_published_values_of_table_1_are_those_printed(table, printed):
    """A printed ± is two standard errors, in some cells rounded down."""
    rows, compared = rows_of(table), 0
    for line in printed.split("\n")[1:-1]:
        k, *cells = line.split("\t")
        for game, cell in zip(("Othello", "Havannah", "Go"), cells, strict=True):
            rate, interval = map(float, cell.split(" ± "))
            published = rows[f"{game}, k = {k}"].published
            assert published.value == rate
            assert 2 * published.error == pytest.approx(interval, abs=0.11)
            compared += 1
    assert compared == 21


@pytest.mark.parametrize(("table", "printed"), [(TABLE_2A, TABLE_2A_PRINTED), (TABLE_2B, TABLE_2B_PRINTED)])
def test_published_values_of_table_2_are_those_printed_with_recomputed_errors(table, printed):
    rows, words = rows_of(table), printed.split()
    for k, rate, _ in zip(words[::3], words[1::3], words[2::3], strict=True):
        published = rows[f"k = {k}"].published
        assert published.value == float(rate)
        assert published.error == pytest.approx((float(rate) * (100 - float(rate)) / 1000) ** 0.5)
    assert len(rows) == 6


def test_a_cell_has_the_decay_of_its_exponent_and_otherwise_equal_players():
    work = rows_of(TABLE_1A)["Othello, k = 7"].work
    assert (work.games, work.game) == (1000, Othello(8))
    player, opponent = parse_search(work.player), parse_search(work.opponent)
    assert 1 - player.decay == pytest.approx(0.1**7)
    assert player.exploration == 1.0
    assert player.replaced(backup="mean").settings() == opponent.settings()


def test_rave_players_have_no_exploration_term():
    work = rows_of(TABLE_2B)["k = 1"].work
    config = parse_search(work.player)
    assert (config.tree_policy, config.backup, config.decay, config.exploration) == ("fuego-rave", "discounted", 0.9, 0)


def test_the_best_decay_is_confirmed_in_fresh_games():
    rows = rows_of(TABLE_1A, "standard")
    screened, confirmed = rows["Havannah, k = 4"].work, rows["Havannah, k = 4, confirmed"].work
    assert (confirmed.player, confirmed.opponent) == (screened.player, screened.opponent)
    assert (screened.games, screened.seed) == (60, 1)
    assert (confirmed.games, confirmed.seed) == (300, 2)
    assert rows["Havannah, k = 4, confirmed: drawn"].work == confirmed


def test_a_published_range_is_compared_by_its_nearest_value():
    assert [Published(2.2, low=0.9).nearest(ours) for ours in (0.5, 1.5, 3.0)] == [0.9, 1.5, 2.2]
    assert Published(2.2).nearest(0.5) == 2.2


@pytest.mark.parametrize("player", ["uct", "accelerated-uct:decay=1"])
def test_after_one_playout_per_leaf_the_trap_is_ahead(player):
    values = values_of_leaves(0, player=player)
    assert values == {"trap": pytest.approx(2 / 3), "right": pytest.approx(1 / 2)}


def test_the_virtual_child_has_the_value_computed_by_hand():
    values = {decay: virtual_child(0, player=f"accelerated-uct:decay={decay:g}", decay=decay) for decay in DECAYS}
    assert all(value["by_search"] == pytest.approx(value["by_hand"], abs=1e-6) for value in values.values())
    assert values[1.0]["by_hand"] == pytest.approx(3 / 5)
    assert values[0.5]["by_hand"] == pytest.approx((0.4375 * 2 / 3 + 0.5) / (0.4375 + 0.5 + 1))
    assert virtual_child(0, player="uct", decay=1.0)["by_search"] == pytest.approx(3 / 5)


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_the_last_wrong_simulation_is_that_of_single_steps(player):
    search = Search(parse_search(player), Deceptive())
    counted = simulations_until_right(search, seed=5, most=300)
    search.forget()
    search.reseed(5)
    search.set_position(search.game.start())
    last_wrong = 0
    for count in range(1, 301):
        search.run(1)
        moves: list[Any] = search.root().moves([TRAP, RIGHT])
        trap, right = moves
        if not trap.visits or not right.visits or right.value <= trap.value:
            last_wrong = count
    assert 1 < counted == last_wrong + 1 < 300


def test_a_search_that_is_wrong_in_the_second_half_is_unsettled():
    settled = deceived(0, player=TREE_PLAYERS[0], seeds=3, most=4000)
    cut = deceived(0, player=TREE_PLAYERS[0], seeds=3, most=20)
    assert settled["unsettled"] == 0
    assert 0 < cut["unsettled"] <= 1
    assert cut["simulations"] < settled["simulations"]


def test_random_positions_are_reproducible_and_in_progress():
    lengths = set()
    for seed in range(20):
        position = random_position(Othello(4), seed, 20)
        assert not position.is_over
        assert position.state.tobytes() == random_position(Othello(4), seed, 20).state.tobytes()
        lengths.add(len(position.history))
    assert len(lengths) > 5


@pytest.mark.parametrize("backup", ["accelerated", "discounted"])
def test_bias_terms_are_what_the_tree_policy_adds_to_the_values(backup):
    search = Search(parse_search(f"uct:exploration=0.7,decay=0.99,memory=20,backup={backup}"), TicTacToe())
    search.set_position(search.game.start().play("a1"))
    search.run(200)
    mean, by_visits = mean_terms(search)
    moves: list[Any] = [move for move in search.moves() if move.visits > 0]
    in_formula = search.root().selection_values(search.algorithm.tree_policy)
    terms = [in_formula[move.number] - move.value for move in moves]
    assert len(terms) == 8
    assert mean == pytest.approx(np.mean(terms), rel=1e-5)
    assert by_visits == pytest.approx(np.average(terms, weights=[move.visits for move in moves]), rel=1e-5)


def test_figures_state_only_the_values_that_the_paper_prints():
    assert {row.published.note for row in rows_of(FIGURE_1).values() if row.published} == {"2/3", "1/2"}
    assert {row.published.note for row in rows_of(FIGURE_2).values() if row.published} == {"3/5"}


@pytest.mark.parametrize("experiment", [FIGURE_1, FIGURE_2], ids=lambda experiment: experiment.name)
def test_the_published_ratios_of_the_figures_are_reproduced(experiment):
    printed = [row for row in rows_of(experiment, "smoke").values() if row.published]
    assert len(printed) == 2
    for row in printed:
        results = [row.work.function(part, **row.work.settings) for part in range(row.work.parts)]
        assert verdict(row.quantity.estimate(results), row.published) == AGREES
