"""Long computations in the background: begun once, shared, cancelled, forgotten when they fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from app import jobs as module
from app.jobs import Job, Jobs
from timemil_core.explain.progress import Progress


def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("it did not happen")


def test_a_job_runs_to_its_end_and_tells_how_far_it_is() -> None:
    jobs, may_go_on = Jobs(), threading.Event()

    def compute(progress: Progress) -> str:
        progress(1, 4)
        may_go_on.wait(10)
        progress(4, 4)
        return "done"

    job = jobs.start("key", compute)
    until(lambda: job.done == 1)
    assert (job.state, job.of) == ("running", 4)
    assert job.seconds_left is not None and job.seconds_left > 0
    assert jobs.start("key", lambda progress: pytest.fail("begun twice")) is job
    may_go_on.set()
    until(lambda: job.state == "finished")
    assert jobs.find("key") is job
    assert job.result == "done"


def test_a_cancelled_job_ends_at_its_next_word() -> None:
    jobs, may_go_on, after = Jobs(), threading.Event(), []

    def compute(progress: Progress) -> None:
        may_go_on.wait(10)
        progress(1, 2)
        after.append("went on")

    job = jobs.start("key", compute)
    job.cancel()
    may_go_on.set()
    until(lambda: job.state == "cancelled")
    assert not after


def test_a_fault_is_kept_for_whoever_asks() -> None:
    def compute(progress: Progress) -> None:
        raise ValueError("broken")

    job = Job()
    job.run(compute)
    assert job.state == "failed"
    assert isinstance(job.error, ValueError)


def test_a_forsaken_job_ends_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job()
    monkeypatch.setattr(module, "FORSAKEN", -1.0)
    job.run(lambda progress: pytest.fail("computed for nobody"))
    assert job.state == "cancelled"


def test_only_so_many_results_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    jobs = Jobs()
    for key in range(5):
        job = jobs.start(key, lambda progress: 1)
        until(lambda job=job: job.state == "finished")
    assert [key for key in range(5) if jobs.find(key) is not None] == [2, 3, 4]


def test_at_most_so_many_run_at_the_same_time() -> None:
    jobs, may_go_on = Jobs(), threading.Event()
    begun = []

    def compute(progress: Progress) -> None:
        begun.append(1)
        may_go_on.wait(10)

    started = [jobs.start(key, compute) for key in range(4)]
    until(lambda: len(begun) == module.AT_THE_SAME_TIME)
    time.sleep(0.05)
    assert len(begun) == module.AT_THE_SAME_TIME
    may_go_on.set()
    until(lambda: all(job.state == "finished" for job in started))
