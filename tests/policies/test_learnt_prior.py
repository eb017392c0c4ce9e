"""The prior by learnt gammas, against arithmetic with the features of the moves."""

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go
from tengen.errors import TengenError
from tengen.players import parse_player
from tengen.policies.go.gamma_table import GammaTable, load_gammas, shipped_gammas
from tengen.policies.go.shape_features import feature_set
from tengen.search.tree import CLOSED
from tests.games.go import reference
from tests.policies.test_move_features import features_by_point
from tests.policies.test_priors import facts, played_positions, root_of

SETTINGS = "prior_weight=3,prior_on=both,learnt_wins=4,learnt_power=0.75,learnt_losses=2"


def random_gammas(patterns: str, path: Path) -> np.ndarray:
    gammas = np.random.default_rng(2).lognormal(sigma=0.7, size=feature_set(patterns).count)
    GammaTable(patterns, gammas).save(path)
    return load_gammas(path).gammas


@pytest.mark.parametrize("patterns", ["3x3", pytest.param("diamond", marks=pytest.mark.long)])
def test_moves_get_wins_and_losses_by_their_probability(patterns, tmp_path):
    path, checked = tmp_path / "some.gammas", 0
    gammas = random_gammas(patterns, path)
    for position in played_positions(9, 90, seed=3, every=8):
        game = position.game
        row, said = root_of(f"mc-rave:policy=mogo,prior=learnt,gammas={path},{SETTINGS}", position)
        features = features_by_point(game, position.tactical_state(), patterns)
        strengths = {point: math.prod(float(gammas[number]) for number in own) for point, own in features.items()}
        board, colour, ko, _ = facts(position)
        assert set(strengths) == set(reference.sensible_moves(board, colour, ko))
        for slot in np.flatnonzero(row.wins > CLOSED):
            if slot == 0:
                assert (said.value[slot], said.weight[slot]) == (0.5, 3)
                continue
            share = (strengths[game.row_and_column(int(slot))] / sum(strengths.values())) ** 0.75
            experience = 1 + 4 * share + 2 * (1 - share)
            assert said.weight[slot] == pytest.approx(3 * experience, rel=1e-4)
            assert said.value[slot] == pytest.approx((0.5 + 4 * share) / experience, rel=1e-4)
            assert row.visits[slot] == row.rave_visits[slot] == said.weight[slot]
            checked += 1
    assert checked > 300


def test_the_gammas_of_the_package_prefer_to_capture():
    """Black to move can capture C3 at D3."""
    assert shipped_gammas()["go-9"] == ("go", 9)
    position = Go(9).start()
    position.set_up_stones(["C2", "D2", "B3", "C4"], ["C3"], [], to_play="black")
    row, said = root_of("mc-rave:policy=mogo,prior=learnt", position)
    values = {position.game.format_move(int(slot)): said.value[slot] for slot in np.flatnonzero(row.wins > CLOSED)}
    assert max(values, key=lambda move: values[move]) == "D3"


@pytest.mark.parametrize(
    ("size", "name"), [(9, "go-9"), *(pytest.param(size, "go", marks=pytest.mark.long) for size in (5, 13))]
)
def test_searches_with_the_gammas_of_the_package_play_on_any_board(size, name):
    game = Go(size)
    player = parse_player(f"mc-rave:policy=mogo,prior=learnt,gammas={name},simulations=20,memory=5").make(game)
    position = game.start()
    for _ in range(6):
        position.play(player.choose(position))
    assert len(position.history) == 6


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "some.gammas"
    position, player = Go(9).start(), f"mc-rave:policy=mogo,prior=learnt,gammas={path}"
    GammaTable("3x3", np.ones(feature_set("3x3").count)).save(path)
    even = root_of(player, position)[1].value[:110].copy()
    random_gammas("3x3", path)
    assert not np.array_equal(root_of(player, position)[1].value[:110], even)


def test_wrong_gammas_and_other_games_are_refused_in_one_sentence(tmp_path):
    path = tmp_path / "a"
    shutil.copy(Path(__file__), path)
    for name, complaint in (
        ("none", r"^unknown gammas 'none'.*; choose from: .*go-9, .*or a file that exists$"),
        (path, r"this is not a file of gammas$"),
        (tmp_path, r"cannot be read: Is a directory$"),
    ):
        with pytest.raises(TengenError, match=complaint):
            parse_player(f"mc-rave:prior=learnt,gammas={name}").make(Go(9))
    with pytest.raises(TengenError, match="the prior learnt is for go, not for tic-tac-toe"):
        parse_player("uct:prior=learnt,memory=2").make(TicTacToe())
