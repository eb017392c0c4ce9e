"""Clocks, rules, parameters, and the extensions for KGS, KataGo's clients, GoGui and gomill."""

import json
import re

import pytest

from tengen.games.clock import TimeControl
from tengen.games.go.game import Go
from tengen.search.time_management import LAG
from tests.fake_clock import FakeClock
from tests.interfaces.gtp.talk import QUICK, Talk

# --- Time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "control"),
    [
        ("time_settings 600 0 0", TimeControl(600)),
        ("time_settings 60 30 5", TimeControl(60, 30, stones=5)),
        ("time_settings 0 10 1", TimeControl(0, 10)),
        ("time_settings 0 1 0", None),
        ("time_settings 0 0 0", None),
        ("time_settings 1.5 0 0", TimeControl(1.5)),
        ("time_settings 2147483647 0 0", TimeControl(1e7)),
        ("kgs-time_settings none", None),
        ("kgs-time_settings absolute 300", TimeControl(300)),
        ("kgs-time_settings byoyomi 300 30 5", TimeControl(300, 30, periods=5)),
        ("kgs-time_settings canadian 300 600 25", TimeControl(300, 600, stones=25)),
        ("kata-time_settings fischer 60.5 2.5", TimeControl(60.5, increment=2.5)),
        ("kata-time_settings byoyomi 0.5 1.5 3", TimeControl(0.5, 1.5, periods=3)),
        ("kata-time_settings none", None),
    ],
)
def test_time_controls_are_parsed(line, control):
    talk = Talk()
    talk.ask(line)
    assert talk.session.control == control
    assert {clock.control for clock in talk.session.clocks.values()} == ({control} if control else set())


@pytest.mark.parametrize(
    "line",
    [
        "kgs-time_settings",
        "kgs-time_settings sudden 5",
        "kgs-time_settings byoyomi 5 5",
        "kgs-time_settings byoyomi 5 5 -1",
        "kata-time_settings fischer 5",
        "kata-time_settings fischer-capped 5 5 5 5",
        "kata-time_settings fischer 0 0",
        "time_settings 1 1 -1",
        "time_settings nan 0 0",
        "time_settings 1e400 0 0",
    ],
)
def test_an_invalid_time_control_is_refused_and_the_old_one_stays(line):
    talk = Talk()
    talk.ask("time_settings 10 0 0")
    talk.refusal(line)
    assert talk.session.control == TimeControl(10)


def test_time_left_sets_main_time_stones_or_periods():
    talk = Talk()
    talk.all("time_settings 60 30 5", "time_left b 20 0", "time_left w 12 3")
    black, white = talk.session.clocks["black"], talk.session.clocks["white"]
    assert black.main_left == 20
    assert (white.main_left, white.period_left, white.stones_left) == (0, 12, 3)
    talk.all("kgs-time_settings byoyomi 60 30 5", "time_left b 25 2", "time_left w 3.5")
    black, white = talk.session.clocks["black"], talk.session.clocks["white"]
    assert (black.main_left, black.period_left, black.periods_left) == (0, 25, 2)
    assert white.main_left == 3.5


def test_time_left_is_accepted_without_settings_and_below_zero():
    talk = Talk()
    talk.ask("time_left b 30 0")
    assert talk.session.clocks["black"].main_left == 30
    talk.all("time_settings 0 1 0", "time_left w 20 4")
    assert talk.session.clocks["white"].stones_left == 4
    talk.ask("time_left b -5 0")
    assert talk.session.clocks["black"].main_left == 0


@pytest.mark.parametrize(
    ("told", "counted", "left"),
    [(2.0, 1.3, 1.3), (1.0, 0.0, 0.0), (1.0, 1.3, 1.0), (5.0, 1.3, 5.0), (1.9, 1.3, 1.9), (0.0, 3.0, 0.0)],
)
def test_whole_seconds_are_less_exact_than_our_own_count(told, counted, left):
    talk = Talk()
    talk.ask("time_settings 10 0 0")
    talk.session.clocks["black"].main_left = counted
    talk.ask(f"time_left b {told:g} 0")
    assert talk.session.clocks["black"].main_left == left
    talk.ask("time_settings 0 10 5")
    talk.session.clocks["black"].period_left = counted
    talk.ask(f"time_left b {told:g} 3")
    assert talk.session.clocks["black"].period_left == left
    assert talk.session.clocks["black"].stones_left == 3


def test_a_clock_without_time_left_is_counted_by_the_engine_and_reset_for_a_new_game():
    now = FakeClock(pace=1e-3)
    talk = Talk("mc-rave:memory=20", size=5, now=now)
    talk.player_by(now)
    talk.all("time_settings 5 0 0", "genmove b")
    assert now.seconds > 0.1
    assert talk.session.clocks["black"].main_left == pytest.approx(5 - now.seconds)
    assert talk.session.clocks["white"].main_left == 5
    talk.ask("clear_board")
    assert talk.session.clocks["black"].main_left == 5


def test_without_any_limit_a_move_takes_the_default_time():
    """0.2 s minus LAG, on a clock with 0.1 ms per simulation."""
    now = FakeClock(pace=1e-4)
    talk = Talk("mc-rave:memory=20", size=5, seconds=0.2, now=now)
    talk.player_by(now)
    talk.ask("genmove b")
    assert now.seconds == pytest.approx(0.2 - LAG, abs=1e-3)


# --- KGS -------------------------------------------------------------------------------------------------------------


def test_kgs_rules_with_area_scoring_are_set_and_others_refused():
    talk = Talk(size=9)
    talk.all("play b E5", "kgs-rules new_zealand")
    assert talk.session.game == Go(9, ko="situational", suicide=True)
    assert len(talk.session.position.history) == 1
    talk.ask("kgs-rules chinese")
    assert talk.session.game == Go(9, ko="positional", suicide=False)
    assert "unsupported rules 'japanese'" in talk.refusal("kgs-rules japanese")


def test_the_board_stays_when_new_rules_forbid_its_moves():
    talk = Talk(size=5)
    talk.ask("kgs-rules new_zealand")
    talk.all("play b A2", "play b B1", "play w A1", "play w C3")  # White has removed its own stone by suicide
    talk.ask("kgs-rules chinese")
    assert talk.session.stones() == {"A2": 0, "B1": 0, "C3": 1}
    assert talk.session.position.to_play == "black"


def test_genmove_cleanup_captures_dead_stones_before_it_passes():
    """A white stone is dead in Black's corner; the rest is settled, and Black has won."""
    talk = Talk("mc-rave:simulations=2000,memory=50", size=5, komi=0.5)
    picture = """
        . . . . .
        . O . X .
        X X X X .
        . X . X X
        X X X . X
    """
    talk.session.set_up(talk.session.game.from_diagram(picture))
    talk.all("play b pass", "play w pass")
    assert talk.ask("final_status_list dead") == "B4"
    for _ in range(20):
        if talk.ask("kgs-genmove_cleanup b") == "pass":
            break
        talk.ask("play w pass")
    assert talk.session.position.state.colour[talk.session.game.parse_move("B4")] != 1
    talk.all("kgs-game_over", "kgs-chat game someone hello there")
    assert "someone" not in talk.ask("kgs-chat private someone hi")
    talk.refusal("kgs-chat")


# --- KataGo's rules and parameters -----------------------------------------------------------------------------------


def test_katagos_rules_are_read_and_set_by_name_by_field_and_as_an_object():
    talk = Talk(size=9)
    rules = json.loads(talk.ask("kata-get-rules"))
    assert rules["ko"] == "POSITIONAL"
    assert rules["scoring"] == "AREA"
    talk.all("kata-set-rules tromp-taylor", "kata-set-rule ko SITUATIONAL")
    assert talk.session.game == Go(9, ko="situational", suicide=True)
    talk.ask("kata-set-rules chinese")
    assert talk.session.game == Go(9, ko="simple", suicide=False)
    talk.ask(f"kata-set-rules {json.dumps(rules)}")
    assert json.loads(talk.ask("kata-get-rules")) == rules


@pytest.mark.parametrize(
    "line",
    [
        "kata-set-rules japanese",
        "kata-set-rules",
        "kata-set-rules [1]",
        "kata-set-rules {}x",
        'kata-set-rules {"scoring":"TERRITORY"}',
        'kata-set-rules {"ko":"NEVER"}',
        'kata-set-rules {"ko":5}',
        'kata-set-rules {"suicide":"perhaps"}',
        'kata-set-rules {"colour":"red"}',
        "kata-set-rules " + "[" * 10_000,
        "kata-set-rule scoring TERRITORY",
        "kata-set-rule hasButton true",
        "kata-set-rule ko",
    ],
)
def test_unsupported_rules_are_refused(line):
    talk = Talk(size=9)
    talk.refusal(line)
    assert talk.session.game == Go(9)


def test_parameters_have_katagos_names_and_their_own():
    talk = Talk(size=5)
    assert {"maxVisits", "numSearchThreads", "bias", "simulations"} <= {*talk.ask("kata-list-params").split()}
    assert talk.ask("kata-get-param maxVisits") == "50"
    talk.all("kata-set-param maxVisits 80", "kata-set-param bias 0.5")
    assert talk.ask("kata-get-param simulations") == "80"
    assert talk.ask("kata-get-param bias") == "0.5"
    talk.ask("genmove b")
    found = talk.engine.explanation()
    assert found is not None
    assert found.simulations == 80
    for line in (
        "kata-get-param rootNoise",
        "kata-set-param bias much",
        "kata-set-param maxVisits -1",
        "kata-set-param a",
    ):
        talk.refusal(line)
    assert talk.ask("kata-get-param simulations") == "80"


def test_a_parameter_may_be_a_word_instead_of_a_number():
    talk = Talk("mc-rave:prior=rlgo,prior_weight=50,simulations=20,memory=10", size=9)
    talk.ask("kata-set-param prior_weight variance")
    assert talk.ask("kata-get-param prior_weight") == "variance"
    talk.ask("kata-set-param prior_weight 50")
    assert talk.ask("kata-get-param prior_weight") == "50.0"


def test_parameters_are_those_on_the_board_in_use():
    talk = Talk("tengen:simulations=50,memory=10", size=9)
    assert talk.ask("kata-get-param expand") == "first"
    talk.ask("boardsize 19")
    assert talk.ask("kata-get-param expand") == "threshold"
    assert "tengen-19" in talk.ask("gogui-title")
    assert "expand: threshold" in talk.ask("gomill-describe_engine")
    talk.all("kata-set-param expand first", "kata-set-param maxVisits 20")
    assert talk.ask("kata-get-param expand") == "first"
    assert talk.ask("kata-get-param maxVisits") == "20"


# --- gomill ----------------------------------------------------------------------------------------------------------


def test_gomill_gets_all_settings_and_the_analysis_of_the_last_move():
    talk = Talk(size=5)
    assert talk.ask("gomill-explain_last_move") == ""
    talk.ask("set_random_seed 77")
    described = talk.ask("gomill-describe_engine")
    assert "Go(size=5" in described
    assert "simulations: 50" in described
    assert "77" in described
    move = talk.ask("genmove b")
    explained = talk.ask("gomill-explain_last_move")
    assert "black to play · 50 simulations" in explained
    assert f"\n{move:>6} " in explained
    talk.ask("tengen-visits")  # searches the position after the move
    assert talk.ask("gomill-explain_last_move") == explained
    assert float(talk.ask("gomill-cpu_time")) > 0
    assert float(talk.ask("cputime")) > 0


def test_the_same_seed_gives_the_same_moves():
    talk = Talk(size=9)

    def three_moves() -> list[str]:
        return talk.all("clear_board", "set_random_seed 5", "genmove b", "genmove w", "genmove b")[2:]

    first = three_moves()
    assert three_moves() == first
    assert talk.ask("get_random_seed") == "5"


# --- GoGui -----------------------------------------------------------------------------------------------------------


def is_board_of_shares(answer: str) -> bool:
    rows = [[float(word) for word in row.split()] for row in answer.splitlines()]
    return [len(row) for row in rows] == [5] * 5 and all(-1 <= share <= 1 for row in rows for share in row)


def is_list_of_parameters(answer: str) -> bool:
    rows = answer.splitlines()
    return bool(rows) and all(re.match(r"\[(bool|string|list(/[\w-]+)+)\] \w+( \S+)?$", row) for row in rows)


def is_drawing(answer: str) -> bool:
    kinds = {row.split()[0] for row in answer.splitlines()}
    return {"VAR", "TEXT"} <= kinds <= {"VAR", "INFLUENCE", "LABEL", "TEXT"}


GOGUI_FORMS = {
    "dboard": is_board_of_shares,
    "param": is_list_of_parameters,
    "gfx": is_drawing,
    "var": lambda answer: answer.split()[0] in Go(5).start().play("C3").legal_moves(),
    "hstring": lambda answer: "\n" in answer,
}


def test_every_analyze_command_of_gogui_answers_in_its_format():
    talk = Talk(size=5)
    talk.ask("play b C3")
    commands = [line.split("/") for line in talk.ask("gogui-analyze_commands").splitlines()]
    assert {kind for kind, _, _ in commands} == set(GOGUI_FORMS)
    for kind, label, command in commands:
        assert label
        assert GOGUI_FORMS[kind](talk.ask(command)), command


def test_heat_maps_are_negative_with_white_to_move():
    talk = Talk(size=5)
    talk.ask("play b C3")
    shares = [float(word) for word in talk.ask("tengen-visits").split()]
    assert min(shares) == -1
    assert max(shares) <= 0


def test_settings_are_changed_in_gogui_s_dialogs():
    talk = Talk(size=5)
    talk.all("tengen-player simulations 60", "tengen-player solver 1", "tengen-engine ponder 1")
    assert "[string] simulations 60" in talk.ask("tengen-player")
    assert "[bool] solver 1" in talk.ask("tengen-player")
    assert talk.engine.ponders
    for line in (
        "tengen-player speed 5",
        "tengen-engine speed 5",
        "tengen-engine seconds_a_move 0",
        "tengen-player bias x",
    ):
        talk.refusal(line)


def test_a_sequence_is_played_completely_or_not_at_all():
    talk = Talk(size=5)
    talk.ask("gogui-play_sequence b C3 w C4 w D4 b pass")
    before = talk.ask("showboard")
    assert talk.refusal("gogui-play_sequence b A1 w C3").startswith("illegal move")
    assert "pairs" in talk.refusal("gogui-play_sequence b A1 w")
    assert talk.ask("showboard") == before
    talk.ask("gg-undo 4")


def test_stones_are_set_up_during_a_game_and_the_setup_is_undone():
    talk = Talk(size=5)
    talk.all("play b C3", "gogui-setup b A1 w B2 e C3")
    assert talk.session.stones() == {"A1": 0, "B2": 1}
    talk.ask("gogui-setup_player b")
    assert talk.session.position.to_play == "black"
    talk.all("komi 3", "gogui-undo_setup", "gogui-undo_setup")
    assert talk.session.stones() == {"C3": 0}
    assert "cannot undo" in talk.refusal("gogui-undo_setup")
    assert "no liberty" in talk.refusal("gogui-setup w A1 b A2 b B1")
    assert talk.session.stones() == {"C3": 0}
    talk.all("gogui-interrupt", "gogui-title")
    assert int(talk.ask("gogui-sigint")) > 0


def test_live_graphics_go_to_standard_error(capsys):
    talk = Talk(QUICK, size=5)
    talk.ask("tengen-engine live_pictures 1")
    talk.ask("genmove b")
    assert re.search(r"gogui-gfx:\nCLEAR\nVAR b .*\nINFLUENCE .*\nLABEL .*\nTEXT .*\n\n", capsys.readouterr().err)


# --- Pondering -------------------------------------------------------------------------------------------------------


def test_pondering_grows_the_tree_and_does_not_change_the_position():
    talk = Talk(size=5, ponder=True)
    assert not talk.engine.ponder(talk.session.position, lambda: False)  # no move has been played yet
    talk.ask("genmove b")
    explained = talk.ask("gomill-explain_last_move")
    for _ in range(5):
        assert talk.engine.ponder(talk.session.position, lambda: False)
    found = talk.engine.glimpse()
    assert found is not None
    assert found.position == talk.session.position
    assert found.simulations > 50
    assert talk.ask("gomill-explain_last_move") == explained
    reply = found.best.move
    talk.ask(f"play w {reply}")
    assert not talk.engine.ponder(talk.session.position, lambda: False)  # it is our turn
    talk.ask("genmove b")
    kept = talk.engine.glimpse()
    assert kept is not None
    assert kept.simulations > 50  # the subtree of the reply was reused


@pytest.mark.parametrize("news", ["kgs-game_over", "cgos-gameover B+R", "clear_board", "undo"])
def test_pondering_ends_with_the_game(news):
    talk = Talk(size=5, ponder=True)
    talk.ask("genmove b")
    assert talk.engine.ponder(talk.session.position, lambda: False)
    talk.ask(news)
    assert not talk.engine.ponder(talk.session.position, lambda: False)


def test_pondering_is_off_by_default():
    talk = Talk(size=5)
    talk.ask("genmove b")
    assert not talk.engine.ponder(talk.session.position, lambda: False)
