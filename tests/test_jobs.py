"""Long computations in the background: begun once, shared, cancelled, forgotten when they fail."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from timemil_core import jobs as module
from timemil_core.jobs import Job, Jobs, Progress, array_bytes
from timemil_core.models.fast.checkpointing import stage


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


def test_what_pages_cannot_do_without_does_not_wait_for_what_takes_long() -> None:
    jobs, may_go_on = Jobs(), threading.Event()
    long = [jobs.start(key, lambda progress: may_go_on.wait(10)) for key in range(module.AT_THE_SAME_TIME)]
    needed = jobs.start("needed", lambda progress: "here", prompt=True)
    needed.wait(10)
    assert needed.result == "here"
    assert all(job.state == "running" for job in long)
    may_go_on.set()


def test_waiting_ends_with_the_job_or_with_patience() -> None:
    jobs, may_go_on = Jobs(), threading.Event()
    job = jobs.start("key", lambda progress: may_go_on.wait(10) and "done")
    job.wait(0.01)
    assert job.state == "running"
    may_go_on.set()
    job.wait(10)
    assert job.result == "done"


def test_a_pass_through_a_network_is_broken_off_in_its_midst() -> None:
    """The pass tells no progress of its own: after each stage it is asked whether the job is still wanted."""
    jobs, passed = Jobs(), []

    def compute(progress: Progress) -> None:
        for place in range(5):
            passed.append(place)
            if place == 2:
                job.cancel()
            stage(lambda: None)

    may_begin = threading.Event()
    job = jobs.start("key", lambda progress: may_begin.wait(10) and compute(progress))
    may_begin.set()
    until(lambda: job.state == "cancelled")
    assert passed == [0, 1, 2]


def test_a_cancelled_or_failed_job_can_be_begun_anew_and_a_finished_one_is_not() -> None:
    jobs = Jobs()
    failed = jobs.start("key", lambda progress: 1 // 0)
    failed.wait(10)
    again = jobs.start("key", lambda progress: 7)
    again.wait(10)
    assert (failed.state, again.result) == ("failed", 7)
    assert jobs.start("key", lambda progress: pytest.fail("begun twice")) is again


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no rank of their own")
@pytest.mark.parametrize("prompt", [True, False])
def test_what_no_page_waits_for_stands_behind(prompt: bool) -> None:
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    job = Jobs().start(
        "key", lambda progress: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()), prompt=prompt
    )
    until(lambda: job.state == "finished")
    assert job.result == own if prompt else job.result == max(own, module.BEHIND_PAGES)


def test_results_are_kept_while_their_arrays_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 3_000)
    jobs = Jobs()
    for key in range(5):
        jobs.start(key, lambda progress: {"two": [np.zeros(125), (np.zeros(25),)]}).wait(10)  # 1,200 bytes
    assert [key for key in range(5) if jobs.find(key) is not None] == [2, 3, 4]  # room for two, and the one begun


def test_the_bytes_of_arrays_are_found_in_whatever_holds_them() -> None:
    @dataclass
    class Held:
        values: np.ndarray
        name: str = "text"
        inner: tuple[object, ...] = ()

    assert array_bytes(Held(np.zeros(3), inner=({"x": Held(np.zeros(2, np.float32))}, None, 5.0))) == 24 + 8
    assert array_bytes(None) == 0


def test_what_is_held_back_begins_when_somebody_waits_for_it() -> None:
    jobs = Jobs()
    job = jobs.start("key", lambda progress: "done", prompt=True, held_back=3600)
    assert not job.has_begun
    assert job.state == "running"
    job.wait(10)
    assert job.result == "done"
    assert job.has_begun


def test_what_is_held_back_begins_by_itself() -> None:
    job = Jobs().start("key", lambda progress: "done", held_back=0.01)
    until(lambda: job.state == "finished")
    assert job.result == "done"
