"""Time controls and clocks, by hand arithmetic."""

import pytest

from tengen.games.clock import Clock, TimeControl
from tengen.games.game import BadNotation


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("600", TimeControl(600)),
        ("10m", TimeControl(600)),
        ("0.5s", TimeControl(0.5)),
        ("250ms", TimeControl(0.25)),
        ("1h+5x10s", TimeControl(3600, period=10, periods=5)),
        ("0+3x30", TimeControl(0, period=30, periods=3)),
        ("1m + 25/5m", TimeControl(60, period=300, stones=25)),
        ("1M+2S", TimeControl(60, increment=2)),
    ],
)
def test_a_text_describes_a_time_control(text, control):
    assert TimeControl.parse(text) == control
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    "text", ["", "fast", "-5", "1m+", "5x10", "1m+0x10s", "1m+0/10s", "0", "1e9h", "nan", "inf", "9" * 400]
)
def test_an_invalid_time_control_is_refused_in_one_line(text):
    with pytest.raises(BadNotation) as caught:
        TimeControl.parse(text)
    assert "\n" not in str(caught.value)


def test_absolute_time_runs_out():
    clock = Clock(TimeControl(10))
    assert clock.spend(4)
    assert clock.most == 6
    assert clock.spend(6)
    assert not clock.spend(0.001)


def test_byo_yomi_periods_are_restored_unless_they_are_used_up():
    clock = Clock(TimeControl(10, period=5, periods=3))
    assert clock.most == 25
    assert clock.spend(12)  # all of the main time, and 2 s of the first period
    assert clock.in_overtime
    assert (clock.main_left, clock.periods_left, clock.period_left) == (0, 3, 5)
    assert clock.spend(5)  # just within
    assert clock.periods_left == 3
    assert clock.spend(7)  # one period lost
    assert (clock.periods_left, clock.most) == (2, 10)
    assert not clock.spend(10.5)


def test_a_canadian_period_restarts_when_its_moves_are_made():
    clock = Clock(TimeControl(0, period=10, stones=3))
    assert clock.spend(4)
    assert (clock.period_left, clock.stones_left) == (6, 2)
    assert clock.spend(3)
    assert clock.spend(3)
    assert (clock.period_left, clock.stones_left) == (10, 3)
    assert not clock.spend(11)


def test_fischer_time_grows_after_each_move():
    clock = Clock(TimeControl(3, increment=2))
    assert clock.spend(3)
    assert clock.most == 2
    assert clock.spend(0.5)
    assert clock.most == 3.5
    assert not clock.spend(4)


def test_set_left_sets_the_remaining_time():
    clock = Clock(TimeControl(60, period=30, stones=5))
    clock.set_left(12.5)
    assert clock.most == 42.5
    clock.set_left(20, stones=4)
    assert (clock.in_overtime, clock.most, clock.stones_left) == (True, 20, 4)
    byo_yomi = Clock(TimeControl(60, period=30, periods=5))
    byo_yomi.set_left(20, stones=2)
    assert byo_yomi.most == 50


def test_a_copy_is_independent():
    clock = Clock(TimeControl(10))
    other = clock.copy()
    other.spend(4)
    assert clock.most == 10
