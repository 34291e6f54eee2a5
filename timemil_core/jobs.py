"""Work in threads of its own: begun once, shared, watched, cancelled, and what came of it kept while there is room.

Whether a job is still wanted is asked where it tells its progress and between two stages of each pass through a
network, so it ends within a second or so. Jobs belong to the process, not to who started them: a page that is drawn
anew finds them again, and two people who want the same share one; where the server knows its users, each has jobs of
their own.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from timemil_core import workspace
from timemil_core.watching import watched

State = Literal["running", "finished", "failed", "cancelled"]
Progress = Callable[[int, int], None]
"""Told (done, of) between two batches. To cancel, it raises: any exception of its own passes through, and since
nothing is kept before the end, nothing half-done is left behind."""

AT_THE_SAME_TIME = 2
MOST_KEPT = 1024
MOST_BYTES = 2**29  # of results; an examination of 100,000 time points takes 60 MB
BEHIND_PAGES = 10  # the rank of what no page waits for: 0 is everybody's, 19 the last
FORSAKEN = 600.0  # seconds after which a computation that nobody looks at ends itself


class CancelledError(Exception):
    """Raised inside a computation that is no longer wanted."""


@dataclass(eq=False)
class Job:
    """One computation.

    Attributes
    ----------
    done, of
        Its parts done, out of how many; 0 of 0 before the first.
    state
        What became of it; a cancelled job counts as that at once, while it still tidies up.
    result, error
        Where it has finished, or failed.
    prompt
        Whether a page cannot do without it.
    held_back
        Seconds before it begins, unless somebody waits for it sooner.
    about
        What else whoever looks on is told of it.
    """

    done: int = 0
    of: int = 0
    result: Any = None
    error: Exception | None = None
    prompt: bool = False
    held_back: float = 0.0
    about: Any = None
    looked_at: float = field(default_factory=time.monotonic)
    _begun: float | None = None
    _state: State = "running"
    _unwanted: bool = False
    _ended: threading.Event = field(default_factory=threading.Event)
    _awaited: threading.Event = field(default_factory=threading.Event)

    @property
    def state(self) -> State:
        """What became of it."""
        return "cancelled" if self._unwanted and self._state == "running" else self._state

    def look(self) -> None:
        """Note that somebody still wants it."""
        self.looked_at = max(self.looked_at, time.monotonic())

    def cancel(self) -> None:
        """Ask it to end; it does after the part at hand."""
        self._unwanted = True

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended, but no longer than so many seconds; what was held back begins now."""
        self._awaited.set()
        self._ended.wait(seconds)

    @cached_property
    def size(self) -> int:
        """The bytes of the arrays of its result, once it has ended."""
        return array_bytes(self.result)

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the parts done so far; None before the first."""
        if not self.done or self._begun is None:
            return None
        return (time.monotonic() - self._begun) * (self.of - self.done) / self.done

    @property
    def has_begun(self) -> bool:
        """Whether it is no longer held back."""
        return self._begun is not None or not self.held_back

    def hold_back(self) -> None:
        """Wait, in the calling thread, for its time to begin."""
        if self.held_back:
            self._awaited.wait(self.held_back)

    def run(self, compute: Callable[[Progress], Any]) -> None:
        """Compute, in the calling thread."""
        self._begun = time.monotonic()
        try:
            self._check()
            with watched(self._check):
                self.result = compute(self._progress)
            self._state = "finished"
        except CancelledError:
            self._state = "cancelled"
        except Exception as error:  # told by whoever asked for it
            self.error, self._state = error, "failed"
        except BaseException:  # whoever runs it was told to stop: those who wait for it begin anew
            self._state = "cancelled"
            raise
        finally:
            self._ended.set()

    def _progress(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        self._check()

    def _check(self) -> None:
        if self._unwanted or time.monotonic() - self.looked_at > FORSAKEN:
            raise CancelledError


class Jobs:
    """All computations of this server; of ended ones those looked at last, at most 1024 and half a GiB of results."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._places = threading.Semaphore(AT_THE_SAME_TIME)
        self._prompt_places = threading.Semaphore(AT_THE_SAME_TIME)

    def find(self, key: Hashable) -> Job | None:
        """Return the computation of this key, None where there is none."""
        key = _own(key)
        with self._lock:
            job = self._jobs.get(key)
            if job is not None:
                job.look()
                self._jobs.move_to_end(key)
            return job

    def start(
        self,
        key: Hashable,
        compute: Callable[[Progress], Any],
        *,
        prompt: bool = False,
        held_back: float = 0.0,
        about: Any = None,
    ) -> Job:
        """Begin a computation, unless it has begun; one that failed or was cancelled is begun anew.

        At most two run at the same time, the others wait. What a page cannot do without is ``prompt``: of these two
        more run, so that none waits for what takes hours. It is ``held_back`` for so many seconds, unless somebody
        waits for it sooner.
        """
        key = _own(key)
        with self._lock:
            if key in self._jobs and self._jobs[key].state in ("running", "finished"):
                return self._jobs[key]
            job = self._jobs[key] = Job(prompt=prompt, held_back=held_back, about=about)
            self._jobs.move_to_end(key)
            self._drop_oldest()
        self._begin(job, compute)
        return job

    def alone(self, compute: Callable[[Progress], Any]) -> Job:
        """Begin a job that is ``prompt`` and known to its caller alone."""
        job = Job(prompt=True)
        self._begin(job, compute)
        return job

    def here(self, key: Hashable, compute: Callable[[Progress], Any]) -> Job:
        """Compute in the calling thread, unless somebody does or has done so: then wait for what comes of it."""
        key = _own(key)
        with self._lock:
            job = self._jobs.get(key)
            is_new = job is None or job.state in ("failed", "cancelled")
            if job is None or is_new:
                job = self._jobs[key] = Job(prompt=True, looked_at=math.inf)
                self._drop_oldest()
            self._jobs.move_to_end(key)
        if is_new:
            job.run(compute)
        else:
            job.wait()
        return job

    def stop(self, seconds: float) -> None:
        """Cancel all, and give each so many seconds to tidy up."""
        with self._lock:
            running = [job for job in self._jobs.values() if job.state == "running"]
        for job in running:
            job.cancel()
        for job in running:
            job.wait(seconds)

    def forget(self, key: Hashable) -> None:
        """Drop a computation, so that it can be begun anew."""
        with self._lock:
            self._jobs.pop(_own(key), None)

    def _begin(self, job: Job, compute: Callable[[Progress], Any]) -> None:
        # A daemon: a server that is told to stop does not wait for it.
        arguments = (job, compute, workspace.owner())
        threading.Thread(target=self._run, args=arguments, daemon=True, name="computation").start()

    def _drop_oldest(self) -> None:
        ended = [(key, job) for key, job in self._jobs.items() if job.state != "running"]
        total = sum(job.size for _, job in ended)
        for n_left, (key, job) in zip(range(len(ended), 0, -1), ended, strict=True):
            if n_left <= MOST_KEPT and total <= MOST_BYTES:
                return
            total -= job.size
            del self._jobs[key]

    def _run(self, job: Job, compute: Callable[[Progress], Any], owner: str | None) -> None:
        if not job.prompt:
            _stand_back()
        job.hold_back()
        with self._prompt_places if job.prompt else self._places, workspace.acting_for(owner):
            job.run(compute)


def _own(key: Hashable) -> Hashable:
    return workspace.owner(), key


def _stand_back() -> None:
    """Let the calling thread compute only where no page wants the processor; on Linux, where threads have a rank."""
    if sys.platform == "linux":
        own = threading.get_native_id()
        rank = max(os.getpriority(os.PRIO_PROCESS, own), BEHIND_PAGES)  # an administrator could also move forward
        os.setpriority(os.PRIO_PROCESS, own, rank)


def array_bytes(result: Any) -> int:
    """Return the bytes of all arrays in a result: an array, a dataclass, or a collection of such."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if is_dataclass(result):
        return sum(array_bytes(getattr(result, one.name)) for one in fields(result))
    if isinstance(result, Mapping):
        return sum(map(array_bytes, result.values()))
    return sum(map(array_bytes, result)) if isinstance(result, list | tuple) else 0
