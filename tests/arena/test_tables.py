"""Results as text, and the live view of a run."""

import io
import json
import math
import re

import pytest
from rich.console import Console

from tengen.arena.limits import MOST_GAMES
from tengen.arena.live import LiveView
from tengen.arena.runner import Run
from tengen.arena.scores import Margins, Tally
from tengen.arena.sprt import Sprt, Verdict
from tengen.arena.store import Store
from tengen.arena.tables import (
    cross_rows,
    match_lines,
    parse_anchors,
    report,
    signed,
    sprt_line,
    standings,
    standings_rows,
    text_table,
)
from tengen.errors import TengenError
from tests.arena.conftest import quick_pairing
from tests.arena.test_store import game

NAMES = {"a v b": ("a", "b"), "a v c": ("a", "c"), "b v c": ("b", "c")}


def test_standings_put_the_strongest_first_and_say_who_beat_whom():
    tallies = {"a v b": Tally(2, 0, 8), "a v c": Tally(6, 1, 3), "b v c": Tally(9, 0, 1, Margins(10, 42.0, 300.0))}
    found = standings(tallies, NAMES)
    assert found.players == ["b", "a", "c"]
    assert found.totals["b"] == Tally(17, 0, 3, Margins(10, 42.0, 300.0))
    header, rows = cross_rows(found)
    assert header == ["", "player", "1", "2", "3"]
    assert rows == [
        ["1", "b", "·", "8/10", "9/10"],
        ["2", "a", "2/10", "·", "6.5/10"],
        ["3", "c", "1/10", "3.5/10", "·"],
    ]
    table = text_table(*standings_rows(found)).splitlines()
    assert re.fullmatch(r"1  b +\+\d+ +[+-]\d+ to \+\d+ +20 +17 +85.0 % +\+4.2", table[1])


def test_players_without_games_stand_last_and_have_no_rating():
    found = standings({"a v b": Tally(1, 0, 2), "a v c": Tally(), "b v c": Tally()}, NAMES)
    assert found.players == ["b", "a", "c"]
    assert found.rating("c") is None
    assert standings({"a v b": Tally()}, NAMES).players == ["a", "b"]
    assert found.to_json()[2]["elo"] is None


def test_a_match_is_reported_in_a_few_lines():
    lines = match_lines("x v y", Tally(75, 0, 25, Margins(100, 150.0, 1225.0)), (Tally(40, 0, 10), Tally(35, 0, 15)))
    assert lines == [
        "x v y: 100 games, 75 won, 0 drawn, 25 lost",
        "  rate 75.0 % (65.7 % to 82.5 % with 95 % confidence)",
        "  Elo +191 (+113 to +269), likelihood of superiority 100.0 %",
        "  as Black 80.0 %, as White 70.0 %",
        "  mean margin +1.50 ± 0.32 (standard error) in 100 counted games",
    ]


def test_a_sequential_test_is_reported_in_one_line():
    assert "still open" in sprt_line(Sprt(0, 10), 1.5, Verdict.OPEN)
    assert "decided: better by 10 Elo" in sprt_line(Sprt(0, 10), 3.0, Verdict.UPPER)
    assert "decided: not better than 0 Elo" in sprt_line(Sprt(0, 10), -3.0, Verdict.LOWER)


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [(-0.2, 0, "+0"), (-0.0, 0, "+0"), (-0.004, 2, "+0.00"), (-0.6, 0, "-1"), (0.0, 1, "+0.0"), (-math.inf, 0, "-inf"),
     (math.inf, 2, "+inf"), (None, 0, "-")],
)  # fmt: skip
def test_no_number_is_shown_as_minus_zero(number, digits, text):
    assert signed(number, digits) == text


def test_the_margin_of_a_draw_is_zero_from_both_sides():
    drawn = Tally(0, 1, 0, Margins(1, 0.0, 0.0))
    assert json.dumps(drawn.reversed().to_json()["margin"]) == "0.0"


def test_a_report_of_an_empty_store_says_so():
    with Store() as store:
        assert report(store) == "There are no games yet."


def test_anchors_need_a_known_player_and_a_valid_rating():
    with Store() as store:
        store.add_pairing(quick_pairing())
        assert parse_anchors(["a=1800", "b=-5.5"], store) == {"a": 1800, "b": -5.5}
        for wrong in ("z=3", "a=x", "a", "a=nan", "a=inf", "a=1e6"):
            with pytest.raises(TengenError):
                parse_anchors([wrong], store)


def shown(terminal: bool, total: int = 4) -> str:
    """The output of the live view of a short run."""
    text = io.StringIO()
    console = Console(file=text, force_terminal=terminal, width=120)
    with LiveView([quick_pairing(games=4)], {}, Sprt(0, 100), console=console) as view:
        run = Run(total=total, before=0)
        view(run, None)
        for number, winner in enumerate(["black", "black", "white"]):
            run.played += 1
            view(run, game(number, winner))
        run.failures.append((quick_pairing().plan(3), "lightning"))
        view(run, None)
        run.played += 1
        view(run, game(3, "draw", 0.0))
    return text.getvalue()


def test_a_terminal_shows_progress_standings_and_last_games():
    seen = shown(terminal=True)
    for words in ("4/4", "player", "test of 0 against 100 Elo", "lightning", "#3 b (b) v a (w): draw, 9 moves"):
        assert words in seen


def test_without_a_terminal_plain_lines_are_printed():
    [line] = shown(terminal=False).splitlines()
    assert re.match(r"4/4 games, [\d.]+ per second, 0:00 left, win rate 37.5 % \(.* to .*\), 1 failed", line)
    assert "\x1b" not in line


def test_a_match_without_a_number_of_games_shows_no_total():
    seen = shown(terminal=True, total=MOST_GAMES)
    assert "4/?" in seen
    assert str(MOST_GAMES) not in seen.replace(",", "")
    assert " left" not in seen
