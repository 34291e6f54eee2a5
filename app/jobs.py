"""Computations that take longer than a page may: told beforehand, begun on request, shown, and cancelled by a click.

Each runs in a thread of its own, which never touches Streamlit; the page stays alive, and so does the computation
when the page is left. Results are shared by all sessions, by a key that names model, data and settings.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import streamlit as st

from app.parts import duration
from timemil_core.explain.cost import PROBE_TIMEPOINTS, expected_seconds
from timemil_core.explain.progress import Progress

Result = TypeVar("Result")
State = Literal["running", "finished", "failed", "cancelled"]

AT_ONCE = 5.0  # seconds that a page may take without asking
AT_THE_SAME_TIME = 2
MOST_KEPT = 64
FORSAKEN = 600.0  # seconds after which a computation that nobody looks at ends itself
SECONDS_BETWEEN_LOOKS = 1.0


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
        What became of it.
    result, error
        Where it has finished, or failed.
    """

    done: int = 0
    of: int = 0
    state: State = "running"
    result: Any = None
    error: Exception | None = None
    looked_at: float = field(default_factory=time.monotonic)
    _begun: float | None = None
    _unwanted: bool = False

    def cancel(self) -> None:
        """Ask it to end; it does after the part at hand."""
        self._unwanted = True

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the parts done so far; None before the first."""
        if not self.done or self._begun is None:
            return None
        return (time.monotonic() - self._begun) * (self.of - self.done) / self.done

    def run(self, compute: Callable[[Progress], Any]) -> None:
        """Compute, in the calling thread."""
        self._begun = time.monotonic()
        try:
            self._check()
            self.result = compute(self._progress)
            self.state = "finished"
        except CancelledError:
            self.state = "cancelled"
        except Exception as error:  # told by whoever asked for it
            self.error, self.state = error, "failed"

    def _progress(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        self._check()

    def _check(self) -> None:
        if self._unwanted or time.monotonic() - self.looked_at > FORSAKEN:
            raise CancelledError


class Jobs:
    """All computations of this server, at most 64 ended ones."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._places = threading.Semaphore(AT_THE_SAME_TIME)

    def find(self, key: Hashable) -> Job | None:
        """Return the computation of this key, None where there is none."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None:
                job.looked_at = time.monotonic()
                self._jobs.move_to_end(key)
            return job

    def start(self, key: Hashable, compute: Callable[[Progress], Any]) -> Job:
        """Begin a computation, unless it has begun."""
        with self._lock:
            if key in self._jobs:
                return self._jobs[key]
            job = self._jobs[key] = Job()
            ended = [old for old, one in self._jobs.items() if one.state != "running"]
            for old in ended[: max(len(ended) - MOST_KEPT, 0)]:
                del self._jobs[old]
        # A daemon: a server that is told to stop does not wait for it.
        threading.Thread(target=self._run, args=(job, compute), daemon=True, name="computation").start()
        return job

    def forget(self, key: Hashable) -> None:
        """Drop a computation, so that it can be begun anew."""
        with self._lock:
            self._jobs.pop(key, None)

    def _run(self, job: Job, compute: Callable[[Progress], Any]) -> None:
        with self._places:
            job.run(compute)


@st.cache_resource
def jobs() -> Jobs:
    """Return the computations of this server."""
    return Jobs()


def start(key: Hashable, compute: Callable[[Progress], Any]) -> None:
    """Begin a computation, unless it has begun. For callbacks."""
    jobs().start(key, compute)


def computed(
    what: str,
    key: Hashable,
    n_timepoints: int,
    begin: Callable[[int, Progress], object],
    compute: Callable[[Progress], Result],
    at_once: Callable[[], Result],
) -> Result | None:
    """Return what a computation gives: at once where it is quick, else once it was asked for and has ended.

    Until then it is offered with the time that it will take, or shown with how far it is, and None comes back.

    Parameters
    ----------
    what
        What is computed, to begin a sentence with.
    key
        Names the computation, model, data and settings.
    n_timepoints
        How many it goes over.
    begin
        ``(n, progress)``: begins it on the first ``n`` time points, to find out how long it takes.
    compute
        Told where to report (done, of), which ends it by raising where it is no longer wanted. Never calls ``st``.
    at_once
        The same, cached.

    Raises
    ------
    Exception
        What the computation raised.
    """
    if n_timepoints <= PROBE_TIMEPOINTS:
        return at_once()
    seconds = _expected_seconds(repr(key), n_timepoints, begin)
    return at_once() if seconds <= AT_ONCE else _awaited(what, key, seconds, compute)


def begin(key: Hashable, compute: Callable[[Progress], Any]) -> None:
    """Begin a computation that `begun` will give; for callbacks."""
    jobs().start(key, compute)


def begun(what: str, key: Hashable) -> Any:
    """Return what a computation gave that a button of the page has begun, and show how far it is until then.

    None before it was begun, while it runs, and after it was cancelled.

    Raises
    ------
    Exception
        What the computation raised, once: it can then be begun anew.
    """
    job = jobs().find(key)
    if job is None or job.state == "finished":
        return None if job is None else job.result
    if job.state == "running":
        _watch(what, key)
        return None
    jobs().forget(key)
    if job.error is not None:
        raise job.error
    return None


@st.cache_data(max_entries=256, show_spinner="How long will it take? …")
def _expected_seconds(key: str, n_timepoints: int, _begin: Callable[[int, Progress], object]) -> float:
    return expected_seconds(n_timepoints, _begin)


def _awaited(what: str, key: Hashable, seconds: float, compute: Callable[[Progress], Result]) -> Result | None:
    result: Result | None = begun(what, key)
    if result is None and jobs().find(key) is None:  # never begun, or cancelled
        _offer(what, key, seconds, compute)
    return result


def _offer(what: str, key: Hashable, seconds: float, compute: Callable[[Progress], Any]) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"{what}: about {duration(seconds)} on this machine, in the background.")
        st.button(
            "Compute it",
            icon=":material/play_arrow:",
            key=f"begin_{_name(key)}",
            on_click=start,
            args=(key, compute),
        )


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def _watch(what: str, key: Hashable) -> None:
    job = jobs().find(key)
    if job is None or job.state != "running":
        st.rerun()  # ended: the page draws what has come of it
    left = "" if job.seconds_left is None else f" — about {duration(job.seconds_left)} left"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.progress(job.done / job.of if job.of else 0.0, text=f"{what}{left}")
        st.button("Cancel", icon=":material/close:", key=f"cancel_{_name(key)}", on_click=job.cancel)


def _name(key: Hashable) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:16]
