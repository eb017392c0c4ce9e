"""Backends: all tasks are done, workers are reused, and their deaths handled."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tengen import parallel
from tengen.errors import TengenError
from tests.parallel import workers


@pytest.fixture(params=["processes", "ray"], scope="module")
def backend(request):
    if request.param == "ray":
        pytest.importorskip("ray")
    with parallel.start(request.param, workers=2) as started:
        yield started


def test_every_task_is_done_once_by_workers_that_stay(backend):
    done = list(backend.run(workers.Counter, range(20)))
    assert sorted(each.task for each in done) == list(range(20))
    assert all(each.result[0] == each.task and not each.error for each in done)
    processes = {each.result[2] for each in done}
    assert 1 <= len(processes) <= 2
    assert os.getpid() not in processes
    assert max(each.result[1] for each in done) >= 10  # one worker was called that often

    for process in processes:
        _wait_for_end(process)


def test_workers_that_are_kept_are_reused_in_the_next_run(backend):
    calls = {each.result[2]: each.result[1] for each in backend.run(workers.Counter, range(20), keep=True)}
    again = list(backend.run(workers.Counter, range(20), keep=True))
    kept = {each.result[2] for each in again} & calls.keys()
    assert kept
    for process in kept:
        assert min(each.result[1] for each in again if each.result[2] == process) == calls[process] + 1
    others = {each.result for each in backend.run(workers.process_of, range(2))}
    assert not others & calls.keys()
    for process in calls:
        _wait_for_end(process)


def test_the_task_of_a_dead_worker_is_done_again(backend, tmp_path):
    tasks = [1, tmp_path / "a", 2, 3, tmp_path / "b", 4, "fatal", 5, "mistake", "bug", 6]
    done = {str(each.task): each for each in backend.run(workers.Mortal, tasks)}
    assert len(done) == len(tasks)
    assert {task for task, each in done.items() if each.error} == {"fatal", "mistake", "bug"}
    assert done[str(tmp_path / "a")].attempts == done[str(tmp_path / "b")].attempts == 2
    assert done["fatal"].attempts == parallel.ATTEMPTS
    assert "workers died during this task" in done["fatal"].error
    assert done["mistake"].error == "this cannot be done"
    assert "ZeroDivisionError" in done["bug"].error


def test_tasks_are_drawn_only_when_workers_become_free(backend):
    drawn = []

    def tasks():
        for number in range(1000):
            drawn.append(number)
            yield number

    for count, _ in enumerate(backend.run(workers.Counter, tasks()), 1):
        assert len(drawn) <= count + 2
        if count == 10:
            break


def test_a_worker_for_which_ray_has_no_core_gets_no_task():
    ray = pytest.importorskip("ray")
    with parallel.start("ray", workers=2):
        cores = int(ray.cluster_resources()["CPU"])
        with parallel.start("ray", workers=cores + 1) as crowded:
            assert len(list(crowded.run(workers.Counter, range(12)))) == 12


def test_a_tengen_error_in_make_is_raised_to_the_caller():
    with parallel.start("processes", 2) as backend, pytest.raises(TengenError, match="no such worker"):
        list(backend.run(workers.unmakable, range(5)))


def test_workers_that_die_during_start_up_are_not_restarted_for_ever():
    with parallel.start("processes", 2) as backend, pytest.raises(parallel.WorkerError, match="exit during start-up"):
        list(backend.run(workers.exiting_at_start, range(5)))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent_in_the_middle_of_a_task(end, tmp_path):
    code = (
        "from pathlib import Path\nfrom tengen import parallel\nfrom tests.parallel import workers\n"
        "if __name__ == '__main__':\n"
        "    with parallel.start('processes', 1) as backend:\n"
        f"        list(backend.run(workers.Sleeper, [Path({str(tmp_path / 'process')!r})]))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    root = Path(__file__).parents[2]
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(root)},
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    process = _read_number(tmp_path / "process")
    parent.send_signal(end)
    parent.wait()
    _wait_for_end(process)


@pytest.mark.parametrize(
    ("arguments", "words"), [(("cloud",), "choose from: processes, ray"), (("processes", 1, "x"), "ray")]
)
def test_an_unknown_backend_or_a_useless_address_is_refused(arguments, words):
    with pytest.raises(TengenError, match=words):
        parallel.start(*arguments)


def _read_number(path: Path) -> int:
    for _ in range(600):
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.05)
    raise AssertionError("no worker began")


def _wait_for_end(process: int) -> None:
    for _ in range(200):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{process}/stat").exists() and " Z " in Path(f"/proc/{process}/stat").read_text():
            return
        time.sleep(0.05)
    raise AssertionError(f"process {process} still runs")
