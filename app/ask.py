"""The one way to ask the library: kept for all sessions, in the background where it takes long, cancelled by a click.

What is asked has a key of what it is, the model, the data and the settings, so that a retrained model or a changed file
is never answered from an old result. Answers are shared by all sessions and never changed. What takes long runs in a
thread of its own (`timemil_core/jobs.py`): the page stays alive, and so does the work when the page is left.
"""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from app.common.context import Context
from app.common.parts import duration
from timemil_core.errors import TimeMILError
from timemil_core.explain.cost import PROBE_TIMEPOINTS, Begin, Timed, expected_seconds, timed_pass
from timemil_core.explain.examination import Examination, examine
from timemil_core.jobs import Job, Jobs, Progress
from timemil_core.models.trained import TrainedModel

Result = TypeVar("Result")
Compute = Callable[[Progress], Result]
"""Told where to report (done, of), which raises where the work is no longer wanted. Never calls ``st``."""

AT_ONCE = 5.0  # seconds that a computation may take which nobody has asked for
PATIENCE = 2.0  # seconds that a page waits before it is drawn without the result
PATIENCE_FOR_COSTS = 0.5  # seconds that it waits to learn how long something takes: several such add up
PATIENCE_FOR_FILES = 1.5
SECONDS_BETWEEN_LOOKS = 1.5
SECONDS_TO_END = 10.0
UNTIL_DRAWN = 0.6  # seconds until a browser has drawn what was sent; on two cores it draws slower while these compute


@st.cache_resource
def jobs() -> Jobs:
    """Return what this server computes and has computed."""
    found = Jobs()
    atexit.register(found.stop, SECONDS_TO_END)  # a thread that computes while Python ends takes the process down
    return found


def is_known(key: Hashable) -> bool:
    """Tell whether something was asked for already: it runs, or has ended."""
    return jobs().find(key) is not None


def at_once(what: str, key: Hashable, compute: Compute[Result]) -> Result:
    """Return what a computation gives that is short: in the page's own run, once for all sessions.

    Raises
    ------
    Exception
        What the computation raised; the next time it is begun anew.
    """
    job = jobs().find(key)
    if job is None or job.state != "finished":
        with st.spinner(f"{what} …"):
            job = jobs().here(key, compute)
    if job.error is not None:
        jobs().forget(key)
        raise job.error
    result: Result = job.result
    return result


def computed(
    what: str,
    key: tuple[Hashable, ...],
    n_timepoints: int,
    begin: Begin | Sequence[Begin],
    compute: Compute[Result],
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
        The computation.
    timed
        Gives a pass through the model that was timed over a long series; None where no series is long.

    Raises
    ------
    Exception
        What the computation raised.
    """
    if n_timepoints <= PROBE_TIMEPOINTS:
        return at_once(what, key, compute)
    job = jobs().find(key)
    if job is None or job.state == "cancelled":
        begins = [begin] if callable(begin) else begin
        seconds = prompt(
            f"{what}: how long will it take?",
            ("seconds of", what, key[1], n_timepoints),
            lambda progress: expected_seconds(n_timepoints, *begins, timed=timed()),
            PATIENCE_FOR_COSTS,
        )
        if seconds is None:
            return None
        if seconds > AT_ONCE:
            _offer(what, key, seconds, compute)
            return None
    return prompt(what, key, compute)


def prompt(what: str, key: Hashable, compute: Compute[Result], patience: float | None = None) -> Result | None:
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


def ahead(key: Hashable, compute: Compute[Any]) -> None:
    """Begin a computation that a page will wait for next, before it does, once this page has been drawn."""
    if not is_known(key):  # one that was cancelled is not begun anew unasked
        jobs().start(key, compute, prompt=True, held_back=UNTIL_DRAWN)


def quietly(key: Hashable, compute: Compute[Result]) -> Result | None:
    """Return what a computation gives without which the page is good enough; drawn anew when it has ended.

    Raises
    ------
    Exception
        What the computation raised.
    """
    job = jobs().find(key)
    if job is None or job.state == "cancelled":
        job = jobs().start(key, compute, held_back=UNTIL_DRAWN)
    if job.state == "running":
        _look_out(job)
    if job.error is not None:
        raise job.error
    result: Result | None = job.result
    return result


def begin(key: Hashable, compute: Compute[Any]) -> None:
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


def awaited(slot: str, wanted: Hashable, what: str, compute: Compute[Any]) -> Job | None:
    """Return the ended job of work that this session alone needs; None while it runs, which is shown.

    What came of it, a refusal (an error of our own) included, is kept in the session until something else is wanted.

    Parameters
    ----------
    slot
        Names this place of the session: what was wanted here before is stopped.
    wanted
        Names the work, within this session.
    what
        What is done, to begin a sentence with.
    compute
        The work.

    Raises
    ------
    Exception
        What the work raised, where it is no refusal.
    """
    before, job = st.session_state.get(_place(slot), (None, None))
    if job is None or before != wanted:
        forget(slot)
        job = jobs().alone(compute)
        st.session_state[_place(slot)] = wanted, job
        job.wait(PATIENCE_FOR_FILES)
    job.look()
    if job.state == "running":
        watch(what, job)
        return None
    if job.error is not None and not isinstance(job.error, TimeMILError):
        forget(slot)
        raise job.error
    return job


def stopped(slot: str) -> None:
    """Say that work was stopped, and offer to begin it again."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown("Stopped. Nothing was kept of it.", width="stretch")
        st.button("Go on", icon=":material/play_arrow:", key=f"again_{slot}", on_click=forget, args=(slot,))


def forget(slot: str) -> None:
    """Stop what runs in this place of the session, and drop what came of it."""
    _, job = st.session_state.pop(_place(slot), (None, None))
    if job is not None:
        job.cancel()


def examined(chosen: Context) -> Examination | None:
    """Return what the model computes of the chosen series; None while it does, which is shown then.

    Until then nothing else of a long series may be asked for; afterwards it is at hand as often as it is asked for.
    """
    what, key = "The model reads the series", _examination(chosen)
    compute = partial(_examine, chosen, chosen.index)
    return prompt(what, key, compute) if chosen.is_long else at_once(what, key, compute)


def examine_ahead(chosen: Context, index: int | None) -> None:
    """Examine the series that may be chosen next while the chosen one is looked at, where nothing else runs."""
    if index is not None:
        ahead(_examination(replace(chosen, index=index)), partial(_examine, chosen, index))


def at_hand(chosen: Context) -> Examination | None:
    """Return the chosen series' examination, where the model has read it."""
    job = jobs().find(_examination(chosen))
    examination: Examination | None = None if job is None else job.result
    return examination


def timed(chosen: Context) -> Timed:
    """Return how long a pass of the chosen series takes on this machine, by which others are foretold."""
    return timed_pass(model_of(chosen), chosen.series, at_hand(chosen))


def about(chosen: Context) -> tuple[str, str]:
    """Return what names the chosen model and data in keys of computations."""
    return model_of(chosen).fingerprint, chosen.series_set.fingerprint


def model_of(chosen: Context) -> TrainedModel:
    """Return the chosen model, on pages that have made sure that there is one."""
    assert chosen.model is not None
    return chosen.model


def _examination(chosen: Context) -> tuple[Hashable, ...]:
    return "examination", *about(chosen), chosen.index


def _examine(chosen: Context, index: int, progress: Progress) -> Examination:
    series_set = chosen.series_set
    return examine(model_of(chosen), series_set.series[index], progress, name=series_set.series_ids[index])


def _come_of(what: str, key: Hashable, job: Job) -> Any:
    if job.state == "running":
        watch(what, job)
    if job.error is not None:
        jobs().forget(key)
        raise job.error
    return job.result


def _offer(what: str, key: Hashable, seconds: float | None, compute: Compute[Any]) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        known = "" if seconds is None else f"about {duration(seconds)} on this machine, "
        st.markdown(f"{what}: {known}in the background.")
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        st.button("Compute it", icon=":material/play_arrow:", key=f"begin_{name}", on_click=begin, args=(key, compute))


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def watch(what: str, job: Job) -> None:
    """Show how far a job is, with a button that cancels it; the page is drawn anew when it has ended."""
    job.look()
    if job.state != "running":
        st.rerun()  # ended: the page draws what has come of it
    left = "" if job.seconds_left is None else f" — about {duration(job.seconds_left)} left"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.progress(job.done / job.of if job.of else 0.0, text=f"{what}{left}")
        st.button("Cancel", icon=":material/close:", key=f"cancel_{id(job):x}", on_click=job.cancel)


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def _look_out(job: Job) -> None:
    job.look()
    if job.state != "running":
        st.rerun()


def _place(slot: str) -> str:
    return f"awaited_{slot}"
