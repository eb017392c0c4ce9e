"""The scheduler: boards take turns, calls come before slices, and errors stay where they belong."""

import threading
from functools import partial

import pytest

from tengen.interfaces.scheduler import Scheduler, Stopped


def slices(name, count, order):
    for _ in range(count):
        order.append(name)
        yield


def run_all(scheduler):
    while scheduler.run_next():
        pass


def test_lanes_take_turns_whatever_the_number_of_their_jobs():
    scheduler, order = Scheduler(0), list[str]()
    busy, calm = scheduler.lane(), scheduler.lane()
    for number in range(3):
        busy.start(slices(f"busy {number}", 4, order))
    calm.start(slices("calm", 6, order))
    for _ in range(12):
        scheduler.run_next()
    assert [name.split()[0] for name in order] == ["busy", "calm"] * 6
    assert [name for name in order if name.startswith("busy")] == ["busy 0", "busy 1", "busy 2"] * 2


def test_a_lane_that_comes_later_waits_for_one_slice_of_each_other():
    scheduler, order = Scheduler(0), list[str]()
    for name in "abc":
        scheduler.lane().start(slices(name, 100, order))
    for _ in range(30):
        scheduler.run_next()
    late = scheduler.lane()
    late.call(lambda: order.append("late"))
    for _ in range(4):
        scheduler.run_next()
    assert order[30:] == ["a", "b", "c", "late"]


def test_calls_are_done_in_order_and_before_the_next_slice():
    scheduler, order = Scheduler(0), list[str]()
    lane = scheduler.lane()
    lane.start(slices("slice", 2, order))

    def noted(name):
        order.append(name)
        return name

    calls = [lane.call(partial(noted, name)) for name in ("first", "second")]
    run_all(scheduler)
    assert order == ["first", "second", "slice", "slice"]
    assert [call.result(0) for call in calls] == ["first", "second"]


def test_a_stopped_job_does_no_further_slice():
    scheduler, order = Scheduler(0), list[str]()
    lane = scheduler.lane()
    job = slices("job", 10, order)
    lane.start(job)
    scheduler.run_next()
    lane.call(lambda: lane.stop(job))
    run_all(scheduler)
    assert order == ["job"]


def test_an_error_goes_to_the_caller_and_ends_only_its_own_job():
    def failing():
        yield
        raise ValueError("a defect")

    scheduler, order = Scheduler(0), list[str]()
    lane = scheduler.lane()
    lane.start(failing())
    lane.start(slices("good", 3, order))
    failed = lane.call(lambda: 1 // 0)
    run_all(scheduler)
    assert order == ["good"] * 3
    with pytest.raises(ZeroDivisionError):
        failed.result(0)


def test_one_thread_at_a_time_works_for_a_lane():
    scheduler, inside, seen = Scheduler(4), threading.Lock(), list[bool]()

    def exclusive():
        for _ in range(200):
            seen.append(inside.acquire(blocking=False))
            inside.release()
            yield

    lane = scheduler.lane()
    for _ in range(4):
        lane.start(exclusive())
    done = threading.Event()

    def last():
        while lane.has_work and len(seen) < 800:
            yield
        done.set()

    lane.start(last())
    assert done.wait(60)
    scheduler.close()
    assert seen == [True] * 800


def test_a_closed_scheduler_refuses_work():
    scheduler = Scheduler(2)
    lane = scheduler.lane()
    assert lane.call(lambda: 1).result(60) == 1
    scheduler.close()
    with pytest.raises(Stopped, match="ending"):
        lane.call(lambda: 1).result(0)
