"""A set that is not on this machine: what is known of it, and its download with progress, cancel, and a way out."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.common.parts import duration, guarded, plain
from app.data.overview import facts_row
from app.data.published import accuracies
from timemil_core.data.archive import downloading, folders, jobs
from timemil_core.data.archive.transfer import Progress, megabytes
from timemil_core.data.catalogue import Entry
from timemil_core.data.catalogue.sources import by_hand
from timemil_core.data.known_sets import SIZES_FROM
from timemil_core.errors import DataError

SECONDS_BETWEEN_LOOKS = 0.5
BYTES_A_VALUE = 4


def panel(entry: Entry, *, on_close: Callable[[], None]) -> None:
    """Tell what a set is and how to have it."""
    with st.container(border=True):
        st.header(plain(entry.title))
        st.markdown(plain(f"{entry.summary} It is not on this machine yet."))
        facts_row(_facts(entry))
        if entry.kind == "archive":
            _download(entry, on_close)
        else:
            st.markdown(plain(by_hand(entry.reference)))
            st.button("Back", icon=":material/arrow_back:", on_click=on_close)
        if entry.known is not None:
            st.caption(SIZES_FROM[entry.known.sizes_from])
    with guarded("The published accuracies"):
        accuracies(entry.reference)


def _facts(entry: Entry) -> dict[str, str]:
    n_values = entry.n_values
    return {
        "Training series": _number(entry.n_train),
        "Test series": _number(entry.n_test),
        "Channels": _number(entry.n_channels),
        "Time points": entry.length,
        "Classes": _number(entry.n_classes),
        "In memory": "unknown" if n_values is None else f"≤ {megabytes(n_values * BYTES_A_VALUE)}",
    }


def _number(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


def _download(entry: Entry, on_close: Callable[[], None]) -> None:
    name = entry.reference
    job = jobs.find(name)
    if job is not None and job.state == "running":
        _live(name)
        return
    with st.container(horizontal=True):
        st.button(
            f"Download {name}" if job is None else "Try again", type="primary", icon=":material/download:",
            key="download", on_click=_begin, args=(name,),
        )  # fmt: skip
        st.button("Back", icon=":material/arrow_back:", key="leave", on_click=_leave, args=(name, on_close))
    if job is not None and job.state == "cancelled":
        st.caption("Cancelled. Nothing of it was kept.")
    if job is not None and isinstance(job.error, DataError):
        st.error(plain(job.error.problem), icon=":material/cloud_off:")
        _way_out(name)


def _begin(name: str) -> None:
    jobs.start(name)


def _leave(name: str, on_close: Callable[[], None]) -> None:
    jobs.forget(name)
    on_close()


def _way_out(name: str) -> None:
    train, test = folders.file_names(name)
    st.markdown(
        f"Nothing of it was kept. Without a connection, take [{train} and {test}]({downloading.page_of(name)}) from "
        "another machine, and put both into this folder; this page finds them there:"
    )
    st.code(str(folders.cache_folder() / name), language=None, wrap_lines=True)


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def _live(name: str) -> None:
    job = jobs.find(name)
    if job is None or job.state != "running":
        st.rerun()
    st.progress(job.about.share or 0.0, text=told(job.about))
    st.button("Cancel", icon=":material/close:", key="cancel_download", on_click=job.cancel)


def told(progress: Progress) -> str:
    """Say how far a download is."""
    if not progress.received:
        return f"{progress.doing} …"
    of = f" of {megabytes(progress.total)}" if progress.total else ""
    left = progress.seconds_left
    wait = f", about {duration(left)} left" if left is not None and left >= 1 else ""
    return f"{progress.doing}: {megabytes(progress.received)}{of}{wait}"
