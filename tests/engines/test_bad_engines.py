"""Engines that misbehave: games against them end, and no process or memory is left. tests/trials has all of them."""

import re
import sys
import threading
import time
import tracemalloc

import pytest

from tengen.engines.gtp import LONGEST_ANSWER, EngineFault, GtpEngine
from tengen.engines.gtp_player import GRACE
from tests.trials import bad_engines
from tests.trials.bad_engine import MODES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what is left behind")


def engine(mode: str) -> GtpEngine:
    made = GtpEngine([sys.executable, str(bad_engines.SCRIPT), mode])
    made.start()
    return made


@pytest.fixture(scope="module")
def compiled():
    """Play one game first, so that nothing is compiled during the measured ones."""
    bad_engines.play("good")


def test_every_engine_has_an_expected_end():
    assert sorted(bad_engines.EXPECTED) == sorted(MODES)
    assert set(bad_engines.REPRESENTATIVE) <= set(MODES)


@pytest.mark.parametrize("mode", bad_engines.REPRESENTATIVE)
def test_a_game_ends_and_leaves_no_thread_descriptor_process_or_memory(compiled, mode):
    assert bad_engines.play(mode).faults() == []


def test_a_clock_limits_all_commands_of_a_move_and_not_only_genmove(compiled):
    outcome = bad_engines.play("stops-reading", clock="1s", timeout=300.0)
    assert (outcome.played.winner, outcome.played.reason) == ("black", "time")
    given = re.search(r"within (\S+) s", outcome.played.detail)
    assert given
    assert float(given[1]) <= 1.0 + GRACE


def test_a_command_that_is_not_read_has_the_same_limit_as_an_answer():
    deaf = engine("never-reads")
    with pytest.raises(EngineFault, match=r"did not read the command within 0\.5 s") as raised:
        deaf.ask("echo " + "x" * 500_000, 0.5)
    assert raised.value.reason == "hang"
    assert not deaf.is_started


def test_a_flood_between_two_commands_takes_no_memory():
    flooding = engine("floods-after-its-answer")
    flooding.ask("genmove b", 30.0)
    flooding.ask("genmove b", 30.0)
    tracemalloc.start()
    time.sleep(1.0)  # in this time the engine could have written hundreds of megabytes
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with pytest.raises(EngineFault, match="before the command"):
        flooding.ask("genmove b", 30.0)
    assert peak < 2_000_000


def test_an_answer_of_the_greatest_length_is_accepted_and_a_longer_one_refused():
    code = "import sys\nfor line in sys.stdin: print('= ' + 'x' * int(line), end='\\n\\n', flush=True)"
    made = GtpEngine([sys.executable, "-c", code])
    made.start()
    assert len(made.ask(str(LONGEST_ANSWER - 10), 30.0)) == LONGEST_ANSWER - 10
    with pytest.raises(EngineFault, match="more than 1000000 bytes"):
        made.ask(str(LONGEST_ANSWER), 30.0)


def test_an_engine_can_be_killed_while_another_thread_waits_for_its_answer():
    made, faults = engine("child-keeps-pipes"), []
    made.ask("genmove b", 30.0)

    def ask() -> None:
        try:
            made.ask("genmove b", 300.0)
        except EngineFault as fault:
            faults.append(fault.reason)

    before = bad_engines.descriptors()
    waiting = threading.Thread(target=ask)
    waiting.start()
    time.sleep(0.2)
    made.kill()
    waiting.join(60.0)
    assert not waiting.is_alive()
    assert faults == ["crash"]
    assert not made.is_started
    assert bad_engines.descriptors() == before - 3
