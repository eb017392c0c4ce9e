"""Streams of analysis in the dialects of the clients, parsed as the clients do."""

import json
import re
import threading
import time

import pytest

from tengen.interfaces.gtp.analysis import parse_wanted
from tengen.interfaces.gtp.cgos import LETTERS, encoded
from tengen.interfaces.gtp.protocol import CommandError
from tengen.interfaces.kata_numbers import lower_bound
from tests.fake_clock import FakeClock
from tests.interfaces.gtp.talk import Talk


def segments(line: str) -> list[dict[str, str]]:
    """Parse the moves of a report as clients do: keys and values, and a variation at the end."""
    found = []
    for segment in line.split("info ")[1:]:
        keys, _, rest = segment.strip().partition(" pv ")
        words = keys.split()
        entry = dict(zip(words[::2], words[1::2], strict=True))
        found.append(entry | {"pv": re.split(r" (?:rootInfo|ownership) ", rest)[0]})
    return found


def stream(talk: Talk, line: str) -> list[str]:
    """Return the lines of a stream that the next line stops at once."""
    talk.conversation.input.put(b"name")
    answer = talk.raw(line)
    assert talk.conversation.input.next() == "name"
    assert answer.startswith("=\n"), answer
    assert answer.endswith("\n\n")
    return answer[2:-2].splitlines()


# --- Arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_arguments_that_clients_send_are_parsed():
    assert parse_wanted(["10"], False).interval == 0.1
    lizgoban = parse_wanted(["b", "interval", "20", "minmoves", "30", "allow", "B", "D4", "1"], False)
    assert (lizgoban.colour, lizgoban.interval, lizgoban.least_moves) == ("b", 0.2, 30)
    assert lizgoban.allowed == ("B", ["D4"])
    sabaki = parse_wanted(["B", "50"], False)
    assert (sabaki.colour, sabaki.interval) == ("B", 0.5)
    kata = parse_wanted(
        ["white", "5", "ownership", "true", "maxmoves", "3", "rootInfo", "true", "pvVisits", "false"], True
    )
    assert (kata.colour, kata.most_moves, kata.ownership, kata.root) == ("white", 3, True, True)
    assert parse_wanted(["interval", "0"], False).interval == 0.01
    assert parse_wanted(["avoid", "w", "A1,pass", "1", "avoid", "b", "C3", "1"], False).avoided == [
        ("w", ["A1", "pass"]),
        ("b", ["C3"]),
    ]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("line", "kata"),
    [
        ("ownership true", False),
        ("ownership maybe", True),
        ("ownership", True),
        ("pvVisits true", True),
        ("movesOwnershipStdev true", True),
        ("speed 5", True),
        ("interval fast", False),
        ("b w", False),
        ("allow b D4", False),
        ("allow b D4 50", False),
        ("allow b D4 1 allow b D5 1", False),
        ("allow b D4 1 avoid b D5 1", False),
        ("minmoves x", False),
    ],
)
def test_an_option_that_is_not_supported_fails(line, kata):
    with pytest.raises(CommandError):
        parse_wanted(line.split(), kata)


@pytest.mark.plain
def test_lower_bounds_are_wilsons():
    assert lower_bound(0.5, 100) == pytest.approx(0.4038, abs=1e-4)  # the textbook's 50 of 100: 40.4 % to 59.6 %
    assert lower_bound(1.0, 1) == pytest.approx(1 / (1 + 1.96**2))
    assert lower_bound(0.0, 10) == 0.0
    assert lower_bound(0.7, 0) == 0.0


# --- Reports ---------------------------------------------------------------------------------------------------------


def test_leela_zeros_format_has_integers_and_ends_each_move_with_its_variation():
    talk = Talk(size=5)
    [line] = stream(talk, "lz-analyze b 10")
    moves = segments(line)
    assert [int(move["order"]) for move in moves] == list(range(len(moves)))
    visits = [int(move["visits"]) for move in moves]
    assert visits == sorted(visits, reverse=True)
    assert min(visits) > 0
    for move in moves:
        assert {*move} == {"move", "visits", "winrate", "prior", "lcb", "order", "pv"}
        assert 0 <= int(move["lcb"]) <= int(move["winrate"]) <= 10_000
        assert move["pv"].split()[0] == move["move"]


def test_the_values_are_those_of_the_search_for_the_side_to_move():
    talk = Talk(size=5)
    talk.ask("play b C3")
    [line] = stream(talk, "kata-analyze w 10")
    found = talk.engine.glimpse()
    assert found is not None
    assert found.position.to_play == "white"
    for read, move in zip(segments(line), [move for move in found.moves if move.visits > 0], strict=True):
        assert read["move"] == move.move
        assert int(read["visits"]) == move.visits
        assert float(read["winrate"]) == pytest.approx(move.value, abs=1e-5)
        assert float(read["utility"]) == pytest.approx(2 * float(read["winrate"]) - 1, abs=1e-4)


def test_sabakis_format_has_a_decimal_point_in_every_number():
    [line] = stream(Talk(size=5), "analyze b 10")
    moves = segments(line)
    assert moves
    for move in moves:
        for key in {*move} - {"move", "visits", "order", "pv"}:
            assert re.fullmatch(r"-?\d+\.\d+", move[key]), (key, move[key])
    assert {"winrate", "scoreLead", "prior", "lcb", "utility"} <= {*moves[0]}


def test_ownership_comes_after_all_moves_row_by_row_from_the_top():
    talk = Talk(size=5, komi=0.5)
    for stone in ("A1", "B1", "C1", "D1", "E1", "A2", "C2", "E2", "A3", "B3", "C3", "D3", "E3"):
        talk.ask(f"play b {stone}")
    [line] = stream(talk, "kata-analyze b 10 ownership true rootInfo true")
    moves, _, owned = line.partition(" ownership ")
    owners = [float(word) for word in owned.split()]
    assert len(owners) == 25
    assert owners[10:] == [1.0] * 15  # the three lower rows live
    assert " rootInfo visits " in moves
    talk.ask("play b pass")
    [line] = stream(talk, "kata-analyze w 10 ownership true")
    assert [float(word) for word in line.partition(" ownership ")[2].split()][10:] == [-1.0] * 15


def test_each_move_can_have_its_own_ownership():
    [line] = stream(Talk(size=5), "kata-analyze b 10 maxmoves 2 movesOwnership true")
    owned = re.findall(r"movesOwnership((?: -?[\d.e-]+){25})(?= info|$)", line)
    assert len(owned) == 2


def test_minmoves_and_maxmoves_limit_the_number_of_moves():
    talk = Talk(size=5)
    [line] = stream(talk, "lz-analyze b 10 maxmoves 3")
    assert len(segments(line)) == 3
    [line] = stream(Talk(size=5), "lz-analyze b 10 minmoves 25")
    assert len(segments(line)) >= 25


def test_excluded_moves_are_not_reported_and_their_tree_is_not_reused():
    talk = Talk(size=5)
    [line] = stream(talk, "lz-analyze b 10 allow b C3,D4 1 minmoves 9")
    assert {move["move"] for move in segments(line)} <= {"C3", "D4"}
    [line] = stream(talk, "lz-analyze b 10 avoid b C3,pass 1 minmoves 30")
    named = {move["move"] for move in segments(line)}
    assert len(named) == 24
    assert named.isdisjoint({"C3", "pass"})
    [line] = stream(talk, "lz-analyze b 10 avoid w C3 1 minmoves 30")
    assert "C3" in {move["move"] for move in segments(line)}
    everything = ",".join(f"{column}{row}" for column in "ABCDE" for row in range(1, 6))
    assert "no legal move" in talk.refusal(f"lz-analyze b avoid b {everything},pass 1")


def test_analysis_continues_until_the_next_line_and_reports_at_the_interval():
    """On a clock with 1 ms per simulation: a report every 0.1 s, until a line arrives after 0.45 s."""
    now = FakeClock(pace=1e-3, tick=1e-6)
    talk = Talk(size=5, now=now)
    player, lines = talk.player_by(now), talk.conversation.input
    now.at(0.45, lambda: lines.put(b""))  # an empty line is enough
    answer = talk.raw("9 lz-analyze 10")
    assert answer.startswith("=9\ninfo move ")
    totals = [sum(int(move["visits"]) for move in segments(line)) for line in answer.splitlines() if line[:4] == "info"]
    assert totals == pytest.approx([100, 200, 300, 400], abs=5)
    assert 450 <= player.search.simulations < 480, "the current slice ends, and no other starts"
    assert lines.next() == ""


@pytest.mark.long
def test_a_solved_position_is_reported_once_and_waits_for_the_next_line():
    """On a clock with almost no time per simulation, so that no report is due before the position is solved."""
    now = FakeClock(pace=1e-9)
    talk = Talk("uct:solver=true,memory=20", game="othello", size=4, now=now)
    player, lines = talk.player_by(now), talk.conversation.input

    def send_a_line() -> None:
        while "info move" not in "".join(talk.written):
            time.sleep(0.01)
        time.sleep(0.1)  # the time of several reports, if any were written
        lines.put(b"stop")

    client = threading.Thread(target=send_a_line, daemon=True)
    client.start()
    answer = talk.raw("kata-analyze b 5")
    client.join()
    assert [line[:9] for line in answer.splitlines()] == ["=", "info move", ""]
    assert player.search.is_solved
    assert lines.next() == "stop"


def test_analysis_does_not_change_the_position():
    talk = Talk(size=5)
    talk.all("play b C3", "play w pass", "play b pass")
    before = talk.ask("showboard")
    stream(talk, "lz-analyze w 10")
    stream(talk, "lz-analyze b 10")
    assert talk.ask("showboard") == before


def test_a_player_without_a_search_does_not_support_analysis():
    assert "does not support analysis" in Talk("random", size=5).refusal("lz-analyze b 10")


# --- Moves with analysis ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["lz-genmove_analyze b 10", "kata-genmove_analyze b 10", "genmove_analyze b 10"])
def test_a_move_with_analysis_is_not_stopped_by_input_and_ends_with_the_move(command):
    talk = Talk("mc-rave:simulations=200,memory=20", size=5)
    talk.conversation.input.put(b"name")
    answer = talk.raw(command)
    *reports, last = answer[2:-2].splitlines()
    assert answer.startswith("=\n")
    assert reports
    assert all(line.startswith("info move ") for line in reports)
    assert sum(int(move["visits"]) for move in segments(reports[-1])) == 200
    [played] = talk.session.position.history
    assert last == f"play {played.notation}"


def test_a_generated_move_can_be_restricted_to_allowed_moves():
    talk = Talk(size=5)
    assert talk.raw("lz-genmove_analyze b 10 allow b A5,B5 1").splitlines()[-2] in ("play A5", "play B5")


def test_genmove_analyze_is_refused_when_the_game_is_over():
    talk = Talk(size=5)
    talk.all("play b pass", "play w pass")
    assert "the game is over" in talk.refusal("lz-genmove_analyze b")
    assert "the game is over" in talk.refusal("cgos-genmove_analyze b")


def test_the_computer_go_server_gets_a_line_of_json_and_the_move():
    talk = Talk(size=5)
    talk.ask("play b C3")
    sign, described, played, *_ = talk.raw("cgos-genmove_analyze w").splitlines()
    assert sign == "="
    found = json.loads(described)
    assert {*found} == {"winrate", "score", "visits", "moves", "ownership"}
    assert found["visits"] == 50
    assert len(found["ownership"]) == 25
    assert {*found["ownership"]} <= {*LETTERS}
    best = found["moves"][0]
    assert {"move", "winrate", "score", "visits", "pv"} <= {*best}
    assert not best["pv"].startswith(best["move"])
    assert played == f"play {best['move']}"


@pytest.mark.plain
def test_ownership_is_encoded_from_the_opponent_to_the_side_to_move():
    assert [encoded(owner) for owner in (-2, -1, -0.5, 0, 0.5, 1, 2)] == ["A", "A", "Q", "f", "u", "+", "+"]
