"""The catalogue on the Data page: search, pick, and see or download what was picked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.common import loading, state
from app.common.parts import plain
from app.data import fetching
from app.data.catalogue_table import table
from timemil_core.data import catalogue
from timemil_core.data.catalogue import Entry
from timemil_core.errors import TimeMILError

SEARCH_KEY, SHOW_KEY, WANTED_KEY = "catalogue_search", "catalogue_show", "catalogue_wanted"
PICKED_KEY, TOP_KEY, TURN_KEY = "catalogue_picked", "catalogue_top", "catalogue_turn"
ALL, HERE, UEA, UCR = "All", "On this machine", "UEA: several channels", "UCR: one channel"


def pick() -> bool:
    """Draw the table; return whether the chosen set is to be shown, and not one that is yet to be had."""
    entries = catalogue.entries()
    wanted = _wanted(entries)
    shown = _filtered(on_top(entries, _top(state.current(state.Selection()).data)))
    if shown:
        marked = wanted.reference if wanted else state.current(state.Selection()).data
        table(shown, marked, st.session_state.get(TURN_KEY, 0), _picked)
    else:
        st.caption("No set fits. Clear the search, or upload a set of your own.")
    if wanted is None:
        return True
    if wanted.available:
        _open(wanted)
        return True
    fetching.panel(wanted, on_close=_close)
    return False


def kept(entries: Sequence[Entry], show: str) -> list[Entry]:
    """Return the entries that a filter keeps."""
    if show == HERE:
        return [entry for entry in entries if entry.available]
    if show in (UEA, UCR):
        return [entry for entry in entries if entry.known and entry.known.archive == show[:3]]
    return list(entries)


def on_top(entries: Sequence[Entry], reference: str) -> list[Entry]:
    """Return the entries with one of them moved to the top, where it is seen without scrolling."""
    return sorted(entries, key=lambda entry: entry.reference != reference)


def _top(chosen: str) -> str:
    """Return the set to list first: the chosen one, unless it was picked in the table, which then stays as it is."""
    if chosen != st.session_state.get(PICKED_KEY):
        st.session_state[TOP_KEY] = chosen
    return str(st.session_state.get(TOP_KEY, chosen))


def _filtered(entries: Sequence[Entry]) -> list[Entry]:
    with st.container(horizontal=True, vertical_alignment="center"):
        words = st.text_input(
            "Search", key=SEARCH_KEY, type="search", live=True, icon=":material/search:", width=340,
            placeholder="a name, or words: ecg, gestures, speech …", label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
        show = st.segmented_control(
            "Show", [ALL, HERE, UEA, UCR], default=ALL, required=True, key=SHOW_KEY, label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
    return catalogue.matching(kept(entries, show or ALL), words)


def _picked(reference: str | None) -> None:
    if reference is None:
        _forget()
    else:
        st.session_state[WANTED_KEY] = (reference, state.current(state.Selection()).data)


def _forget() -> None:
    st.session_state.pop(WANTED_KEY, None)


def _close() -> None:
    st.session_state[TURN_KEY] = st.session_state.get(TURN_KEY, 0) + 1
    _forget()


def _wanted(entries: Sequence[Entry]) -> Entry | None:
    """Return the set that was picked and is not the chosen one yet, or that a link names and is not here."""
    chosen = state.current(state.Selection()).data
    reference, chosen_then = st.session_state.get(WANTED_KEY, (chosen, chosen))
    if chosen_then != chosen:  # another set was chosen since, in the sidebar
        reference = chosen
    entry = next((entry for entry in entries if entry.reference == reference), None)
    if entry is None or (reference == chosen and entry.available):
        _forget()
        return None
    return entry


def _open(entry: Entry) -> None:
    """Choose a set that was picked. It is read first: one that cannot be read leaves the former choice untouched."""
    try:
        loading.data_set(entry.reference)
    except TimeMILError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _forget()
    st.session_state[PICKED_KEY] = entry.reference
    state.choose(data=entry.reference, model="")
    st.rerun()
