"""Ten thousand random and mutated lines: none may crash the engine, break the protocol or lose the position."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen.interfaces.gtp.protocol import parse_request
from tests.interfaces.gtp.talk import Talk

GAMES_AND_LINES = (80, 100)
THINKING_AND_LINES = (25, 80)

VALID = [
    "name", "version", "list_commands", "known_command play", "protocol_version", "quit", "stop",
    "clear_board", "komi 6.5", "get_komi", "komi -3", "play b D4", "play w C3", "play b pass", "play w E5", "play w A1",
    "play black B2", "play white pass", "genmove b", "genmove w", "genmove", "reg_genmove b", "undo", "gg-undo 2",
    "showboard", "cputime", "set_random_seed 42", "get_random_seed", "query_boardsize",
    "fixed_handicap 3", "place_free_handicap 4", "set_free_handicap C3 C4 D4", "loadsgf nothing.sgf 5", "printsgf",
    "final_score", "final_status_list dead", "final_status_list alive", "final_status_list seki",
    "time_settings 60 30 5", "time_left b 10 0", "time_left w 5 3", "kgs-time_settings byoyomi 10 5 3",
    "kgs-rules chinese", "kgs-rules new_zealand", "kgs-genmove_cleanup b", "kgs-game_over", "kgs-chat game x hello",
    "kata-time_settings fischer 10 1", "kata-list_time_settings", "kata-get-rules", "kata-set-rules tromp-taylor",
    "kata-set-rule ko SIMPLE", 'kata-set-rules {"ko":"SITUATIONAL","suicide":true}',
    "kata-list-params", "kata-get-param maxVisits", "gomill-describe_engine", "gomill-explain_last_move",
    "gomill-cpu_time", "gogui-analyze_commands", "gogui-play_sequence b C3 w D3", "gogui-setup b A1 w B1 e C1",
    "gogui-undo_setup", "gogui-setup_player w", "gogui-interrupt", "gogui-sigint", "gogui-title",
    "lz-analyze b 10", "kata-analyze w interval 10 ownership true", "analyze 5 maxmoves 3 minmoves 2",
    "lz-analyze b avoid b D4,C3 1", "kata-analyze allow w A1,pass 1 rootInfo true", "lz-genmove_analyze w 10",
    "cgos-genmove_analyze b", "cgos-gameover x", "tengen-visits", "tengen-ownership", "tengen-picture", "tengen-table",
    "tengen-variation", "tengen-engine ponder 0", "tengen-engine",
]  # fmt: skip
SIZES = ["boardsize 5", "boardsize 9", "boardsize 5 5", "boardsize 26", "boardsize 0", "boardsize 9 5", "boardsize x"]
TEXT = st.text(st.characters(codec="utf-8"), max_size=30)


@st.composite
def mutated(draw: Any, lines: list[str]) -> str:
    """Return a valid line with random changes."""
    line: str = draw(st.sampled_from(lines))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(line)))
        match draw(st.integers(0, 4)):
            case 0:
                line = line[:place] + line[place + 1 :]
            case 1:
                line = line[:place] + draw(st.characters(codec="utf-8")) + line[place:]
            case 2:
                line = f"{line} {draw(st.sampled_from(['b', '1', '-1', 'nan', 'Z99', 'pass', '#', '']))}"
            case 3:
                words = line.split(" ")
                line = " ".join(draw(st.permutations(words)))
            case _:
                line = f"{draw(st.integers(0, 10**12))} {line}"
    return line.replace("printsgf ", "printsgf- ")  # writes no files


def lines(names: list[str], count: int) -> Any:
    line = st.one_of(mutated(names), mutated(names), TEXT, st.sampled_from(names))
    return st.lists(line, min_size=count, max_size=count)


def fingerprint(talk: Talk) -> tuple[Any, ...]:
    session = talk.session
    return session.game, session.game.key(session.position.state), tuple(session._entries)


def check(talk: Talk, line: str) -> None:
    """Check that a line has one valid answer (none if it is empty), and that a refused one has changed nothing."""
    before = fingerprint(talk)
    answer = talk.raw(line)
    request = parse_request(line)
    if request is None:
        assert answer == ""
        return
    assert answer.startswith((f"={request.number}", f"?{request.number}")), (line, answer)
    assert answer.endswith("\n\n"), (line, answer)
    assert "\n\n" not in answer[:-1], (line, answer)
    assert "internal error" not in answer, (line, answer)
    if answer.startswith("?"):
        assert answer.count("\n") == 2, (line, answer)
        assert fingerprint(talk) == before, (line, answer)


def converse(talk: Talk, said: list[str]) -> None:
    """Send all lines; streams and searches end early, since another line is always waiting."""
    talk.conversation.input.put(b"")
    talk.conversation.input.interrupt()
    for line in said:
        check(talk, line)
    session = talk.session
    assert session._replayed(session.game, session._entries) == session.position
    assert talk.ask("name") == "Tengen"


@settings(max_examples=GAMES_AND_LINES[0], deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(lines(VALID + SIZES * 3, GAMES_AND_LINES[1]))
def test_no_line_crashes_a_game_breaks_the_protocol_or_loses_the_position(said):
    converse(Talk("random"), said)


@settings(max_examples=THINKING_AND_LINES[0], deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(lines(VALID, THINKING_AND_LINES[1]))
def test_no_line_crashes_a_searching_player_breaks_the_protocol_or_loses_the_position(said):
    converse(Talk(size=5), said)


def test_the_fuzz_tests_send_ten_thousand_lines():
    assert GAMES_AND_LINES[0] * GAMES_AND_LINES[1] + THINKING_AND_LINES[0] * THINKING_AND_LINES[1] == 10_000


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.binary(max_size=200), max_size=8))
@pytest.mark.plain
def test_binary_noise_is_answered_in_the_protocols_form(pieces):
    talk = Talk("random", size=5)
    talk.conversation.input.feed(pieces)
    talk.conversation.run()
    answers = "".join(talk.written)
    assert answers == "" or answers.endswith("\n\n")
    assert all(answer.startswith(("=", "?")) for answer in answers.split("\n\n")[:-1])
    assert talk.ask("name") == "Tengen"
