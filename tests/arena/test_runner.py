"""Runs: only what is missing is played, tests end matches, failures are told."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from tengen.arena.limits import MOST_GAMES
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.runner import Run, SprtMonitor, kept_in_lines, run_pairings, start_and_run
from tengen.arena.sprt import Sprt, Verdict
from tengen.arena.store import Store, StoreError
from tengen.files import Unwritable
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tengen.parallel import Done
from tests.arena.conftest import quick_pairing


def test_a_run_plays_what_is_missing_and_nothing_else(here, tmp_path):
    pairing = quick_pairing(games=6)
    with Store(tmp_path / "x.sqlite") as store:
        first = run_pairings([quick_pairing(games=3)], store, here)
        assert (first.before, first.played, first.total) == (0, 3, 3)
        before = {played.id: played for played in store.games()}
        seen = []
        second = run_pairings([pairing], store, here, watch=lambda run, played: seen.append((run.done, played)))
        assert (second.before, second.played) == (3, 3)
        assert [done for done, _ in seen] == [3, 4, 5, 6]
        after = {played.id: played for played in store.games()}
        assert len(after) == 6
        assert all(after[key] == before[key] for key in before)
        assert run_pairings([pairing], store, here).played == 0


def test_a_run_starts_its_backend_and_opens_the_view_it_is_given(here, capsys):
    events = []

    @contextmanager
    def start():
        events.append("start")
        print("a remark of the backend")
        yield here
        events.append("stop")

    @contextmanager
    def view():
        events.append("open")
        yield lambda run, played: events.append(played and played.number)
        events.append("close")

    with Store() as store:
        run = start_and_run([quick_pairing(games=2)], store, start, view=view())
        assert run.played == 2
        assert start_and_run([quick_pairing(games=2)], store, start).before == 2
    assert events == ["start", "open", None, 0, 1, "close", "stop", "start", "stop"]
    assert capsys.readouterr().out == ""


def test_all_pairings_grow_together(here):
    third = Entrant.of("random:seed=3", "c")
    first = quick_pairing(games=4)
    second = Pairing(first.first, third, first.conditions, 2)
    order = []
    with Store() as store:
        run_pairings([first, second], store, here, watch=lambda run, played: order.append(played and played.id))
    assert order == [None, "a v b #0", "a v b #1", "a v c #0", "a v c #1", "a v b #2", "a v b #3"]


def test_a_decided_test_ends_a_match(here):
    strong, weak = Entrant.of("mc-rave:simulations=60"), Entrant.of("random")
    pairing = Pairing(strong, weak, Conditions(Go(9)), 400)
    with Store() as store:
        run = run_pairings([pairing], store, here, Sprt(0, 100))
        assert run.verdict is Verdict.UPPER
        assert 5 < run.played < 200
        assert run_pairings([pairing], store, here, Sprt(0, 100)).played == 0


def test_a_test_hears_games_in_the_order_of_their_numbers():
    """Two workers end games in another order; the verdict must be the same."""
    sprt, points = Sprt(0, 100), [1.0] * 40
    verdicts = []
    for order in (range(40), [1, 0, 3, 2, 5, 4, 7, 6, *range(39, 7, -1)]):
        run = Run(40, 0)
        monitor = SprtMonitor(run, sprt, Pairing(Entrant.of("uct"), Entrant.of("random"), Conditions(Othello(4)), 40))
        for number in order:
            monitor.observe(number, points[number])
        verdicts.append((run.verdict, run.ratio, monitor.next))
    assert verdicts[0] == verdicts[1]
    assert verdicts[0][0] is Verdict.UPPER


def test_games_with_common_openings_are_judged_by_pairs():
    run = Run(40, 0)
    monitor = SprtMonitor(run, Sprt(0, 100), quick_pairing())
    for number, points in enumerate([1, 1, 1, 0, 0.5, 1, 0, 0, 0.5, 0, 1]):
        monitor.observe(number, points)
    assert monitor.counts == [1, 1, 1, 1, 1]
    assert monitor.next == 10


def test_a_game_that_fails_is_told_and_played_again_next_time(here):
    class Failing:
        workers = 1

        def run(self, make, tasks, keep=False):
            for task in tasks:
                yield Done(task, error="lightning") if task.number == 1 else Done(task, make()(task))

    with Store() as store:
        run = run_pairings([quick_pairing(games=3)], store, Failing())
        assert [(plan.number, error) for plan, error in run.failures] == [(1, "lightning")]
        assert store.numbers("a v b") == {0, 2}
        assert run_pairings([quick_pairing(games=3)], store, here).played == 1


def test_a_run_goes_on_from_lines_in_a_fresh_place(here, tmp_path):
    lines = tmp_path / "games.jsonl"
    with Store(tmp_path / "one.sqlite") as store, kept_in_lines(store, lines):
        run_pairings([quick_pairing(games=2)], store, here)
    with Store(tmp_path / "two.sqlite") as store, kept_in_lines(store, lines):
        assert run_pairings([quick_pairing(games=5)], store, here).before == 2
    with Store() as store:
        assert store.add_lines(lines.read_text().splitlines()) == 5


@pytest.mark.long
def test_games_are_planned_only_as_they_are_played(here):
    """The largest match begins at once and takes no memory for games to come."""
    strong, weak = Entrant.of("uct:simulations=50"), Entrant.of("random")
    pairing = Pairing(strong, weak, Conditions(Othello(4)), MOST_GAMES)
    with Store() as store:
        run = run_pairings([pairing], store, here, Sprt(-200, 200))
        assert run.total == MOST_GAMES
        assert run.is_decided()
        assert run.played == len(store) < 1000


def test_lines_that_cannot_be_written_do_not_hide_the_first_error(here, tmp_path):
    lines = tmp_path / "no folder" / "games.jsonl"
    with pytest.raises(StoreError, match="first"), Store() as store, kept_in_lines(store, lines):
        raise StoreError("first")
    with pytest.raises(Unwritable, match="No such file"), Store() as store, kept_in_lines(store, lines):
        run_pairings([quick_pairing(games=1)], store, here)


def test_lines_are_not_taken_from_a_device():
    with Store() as store, pytest.raises(StoreError, match="regular file"), kept_in_lines(store, Path("/dev/null")):
        pass
