"""The error of Monte-Carlo estimates, against a slow computation of its parts."""

from statistics import mean

import pytest

from tengen.errors import TengenError
from tengen.papers.experiment import Settings
from tengen.papers.labelled_positions import labelled_positions
from tengen.papers.measures.playout_error import error_of, playout_error


def error(part: int, playouts: int, policy: str = "random") -> dict[str, float]:
    return playout_error(part, policy=policy, playouts=playouts, positions="")


def test_the_squared_error_is_that_of_the_mean_to_the_label():
    found = error(3, 40)
    assert found["squared_error"] == (found["mean"] - labelled_positions()[3].black_wins) ** 2
    assert found["squared_bias"] + found["variance"] == pytest.approx(found["squared_error"])
    assert found["mean"] * 40 == pytest.approx(round(found["mean"] * 40))
    assert error(3, 40) == found


def test_the_variance_is_that_of_a_mean_of_results_of_0_and_1():
    found = error(3, 20)
    assert found["variance"] == pytest.approx(found["mean"] * (1 - found["mean"]) / 19)
    assert 0.0 < error(3, 2000)["variance"] < found["variance"] / 50


def test_the_squared_bias_of_few_playouts_is_unbiased():
    """Over positions, the mean squared error falls with the playouts, and the squared bias does not."""
    few, many = ([error(part, playouts) for part in range(60)] for playouts in (4, 2000))
    assert mean(one["squared_error"] for one in few) > mean(one["squared_error"] for one in many) + 0.01
    assert mean(one["squared_bias"] for one in few) == pytest.approx(
        mean(one["squared_bias"] for one in many), abs=0.03
    )


def test_a_measurement_has_a_part_for_each_position():
    assert error_of("mogo", Settings(samples=5)).parts == 200
    assert error_of("mogo", Settings(samples=5), parts=10).parts == 10


def test_a_player_that_searches_has_no_playout_error():
    with pytest.raises(TengenError, match="uct searches"):
        error(0, 1, "uct")
