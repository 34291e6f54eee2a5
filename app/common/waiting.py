"""Work that a page needs before it can go on: quick work at once, slow work in the background, stopped by a click.

What came of it, a refusal included, is kept in the session until something else is wanted. Beside `jobs.py`, which
offers what a person may want, and shares it between sessions.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from app.common import jobs
from timemil_core.errors import TimeMILError
from timemil_core.explain.progress import Progress

QUICK = 1.5  # seconds that the page waits before it shows a bar


@dataclass(frozen=True, eq=False)
class Ended:
    """What came of work: a result, our own refusal, or neither where it was stopped."""

    wanted: Hashable
    result: Any = None
    refusal: TimeMILError | None = None
    stopped: bool = False


def awaited(slot: str, wanted: Hashable, what: str, compute: Callable[[Progress], Any]) -> Ended | None:
    """Return what came of work; None while it runs, and its progress is drawn.

    Parameters
    ----------
    slot
        Names this place of the session: what was wanted here before is stopped.
    wanted
        Names the work, within this session.
    what
        What is done, to begin a sentence with.
    compute
        Told where to report (done, of), which raises where the work is no longer wanted. Never calls ``st``.
    """
    ended: Ended | None = st.session_state.get(f"ended_{slot}")
    if ended is not None and ended.wanted == wanted:
        return ended
    key = (st.session_state.setdefault("waiting_session", secrets.token_hex(8)), slot, wanted)
    _stop_other(slot, key)
    job = jobs.jobs().find(key)
    if job is None:
        job = jobs.jobs().start(key, compute, prompt=True)
        st.session_state[f"waiting_{slot}"] = key
        job.wait(QUICK)
    if job.state == "running":
        jobs.watch(what, key)
        return None
    forget(slot)
    if job.error is not None and not isinstance(job.error, TimeMILError):
        raise job.error
    ended = Ended(wanted, job.result, job.error, job.state == "cancelled")
    st.session_state[f"ended_{slot}"] = ended
    return ended


def stopped(slot: str) -> None:
    """Say that work was stopped, and offer to begin it again."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown("Stopped. Nothing was kept of it.", width="stretch")
        st.button("Go on", icon=":material/play_arrow:", key=f"again_{slot}", on_click=forget, args=(slot,))


def forget(slot: str) -> None:
    """Stop what runs in this place, and drop what came of it."""
    _stop_other(slot, None)
    st.session_state.pop(f"ended_{slot}", None)


def _stop_other(slot: str, key: Hashable) -> None:
    running = st.session_state.get(f"waiting_{slot}")
    if running is None or running == key:
        return
    if job := jobs.jobs().find(running):
        job.cancel()
    jobs.jobs().forget(running)
    del st.session_state[f"waiting_{slot}"]
