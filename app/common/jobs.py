"""Computations that take longer than a page may: told beforehand, begun on request, shown, and cancelled by a click.

Each runs in a thread of its own (`computations.py`); the page stays alive, and so does the computation when the
page is left. Results are shared by all sessions, by a key that names model, data and settings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import streamlit as st

from app.common.computations import Job, Jobs
from app.common.parts import duration
from timemil_core.explain.cost import PROBE_TIMEPOINTS, Begin, Timed, expected_seconds
from timemil_core.explain.progress import Progress

Result = TypeVar("Result")

AT_ONCE = 5.0  # seconds that a computation may take which nobody has asked for
PATIENCE = 2.0  # seconds that a page waits before it is drawn without the result
PATIENCE_FOR_COSTS = 0.5  # seconds that it waits to learn how long something takes: several such add up
SECONDS_BETWEEN_LOOKS = 1.0
UNTIL_DRAWN = 0.6  # seconds until a browser has drawn what was sent; on two cores it draws slower while these compute


@st.cache_resource
def jobs() -> Jobs:
    """Return the computations of this server."""
    return Jobs()


def computed(
    what: str,
    key: tuple[Hashable, ...],
    n_timepoints: int,
    begin: Begin | Sequence[Begin],
    compute: Callable[[Progress], Result],
    at_once: Callable[[], Result],
    timed: Callable[[], Timed | None],
) -> Result | None:
    """Return what a computation gives: without asking where it is quick, else once it was asked for and has ended.

    Until then it is offered with the time that it will take, or shown with how far it is, and None comes back.

    Parameters
    ----------
    what
        What is computed, to begin a sentence with.
    key
        Names the computation: its kind, the model, the data, and settings.
    n_timepoints
        How many it goes over. For one model, ``what`` and this tell how long it takes: that is found out once.
    begin
        ``(n, progress)``: begins it on the first ``n`` time points, to find out how long it takes; or several, whose
        times add up.
    compute
        Told where to report (done, of), which ends it by raising where it is no longer wanted. Never calls ``st``.
    at_once
        The same, cached, for what is short.
    timed
        Gives a pass through the model that was timed over a long series; None where no series is long.

    Raises
    ------
    Exception
        What the computation raised.
    """
    if n_timepoints <= PROBE_TIMEPOINTS:
        return at_once()
    job = jobs().find(key)
    if job is None or job.state == "cancelled":
        seconds = _expected_seconds(what, key, n_timepoints, begin, timed)
        if seconds is None:
            return None
        if seconds > AT_ONCE:
            _offer(what, key, seconds, compute)
            return None
    return prompt(what, key, compute)


def prompt(
    what: str, key: Hashable, compute: Callable[[Progress], Result], patience: float | None = None
) -> Result | None:
    """Return what a computation gives that the page cannot do without, or that is quick: nobody is asked.

    For two seconds, or ``patience``, the page waits. Then it is drawn without, None comes back, and how far it is is
    shown; once the computation was cancelled it is offered.

    Raises
    ------
    Exception
        What the computation raised, once: the next time it is begun anew.
    """
    job = jobs().find(key)
    if job is None or not job.has_begun:
        job = job or jobs().start(key, compute, prompt=True)
        with st.spinner(f"{what} …"):
            job.wait(PATIENCE if patience is None else patience)
    if job.state == "cancelled":  # and would be again, were it begun in each run of the page
        _offer(what, key, None, compute)
        return None
    result: Result | None = _come_of(what, key, job)
    return result


def ahead(key: Hashable, compute: Callable[[Progress], Any]) -> None:
    """Begin a computation that a page will wait for next, before it does, once this page has been drawn."""
    if jobs().find(key) is None:  # one that was cancelled is not begun anew unasked
        jobs().start(key, compute, prompt=True, held_back=UNTIL_DRAWN)


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
    if job is not None and job.state == "cancelled":
        jobs().forget(key)
        return None
    return None if job is None else _come_of(what, key, job)


def _come_of(what: str, key: Hashable, job: Job) -> Any:
    if job.state == "running":
        watch(what, key)
    if job.error is not None:
        jobs().forget(key)
        raise job.error
    return job.result


def _expected_seconds(
    what: str,
    key: tuple[Hashable, ...],
    n_timepoints: int,
    begin: Begin | Sequence[Begin],
    timed: Callable[[], Timed | None],
) -> float | None:
    begins = [begin] if callable(begin) else begin
    model = key[1]
    return prompt(
        f"{what}: how long will it take?",
        ("seconds of", what, model, n_timepoints),
        lambda progress: expected_seconds(n_timepoints, *begins, timed=timed()),
        PATIENCE_FOR_COSTS,
    )


def _offer(what: str, key: Hashable, seconds: float | None, compute: Callable[[Progress], Any]) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        known = "" if seconds is None else f"about {duration(seconds)} on this machine, "
        st.markdown(f"{what}: {known}in the background.")
        st.button(
            "Compute it",
            icon=":material/play_arrow:",
            key=f"begin_{_name(key)}",
            on_click=begin,
            args=(key, compute),
        )


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def watch(what: str, key: Hashable) -> None:
    """Show how far a computation is, with a button that cancels it; the page is drawn anew when it has ended."""
    job = jobs().find(key)
    if job is None or job.state != "running":
        st.rerun()  # ended: the page draws what has come of it
    left = "" if job.seconds_left is None else f" — about {duration(job.seconds_left)} left"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.progress(job.done / job.of if job.of else 0.0, text=f"{what}{left}")
        st.button("Cancel", icon=":material/close:", key=f"cancel_{_name(key)}", on_click=job.cancel)


def _name(key: Hashable) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:16]
