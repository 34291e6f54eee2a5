"""The catalogue on the Data page: search, pick, and see or download what was picked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import fetching, loading, state
from app.parts import plain
from timemil_core.data import catalogue
from timemil_core.data.catalogue import Entry
from timemil_core.data.published import best_other, of_timemil
from timemil_core.errors import TimeMILError

TABLE_KEY, SEARCH_KEY, SHOW_KEY, WANTED_KEY = "catalogue", "catalogue_search", "catalogue_show", "catalogue_wanted"
PICKED_KEY, TOP_KEY = "catalogue_picked", "catalogue_top"
ROW_HEIGHT, MOST_ROWS = 35, 8
ALL, HERE, UEA, UCR = "All", "On this machine", "UEA: several channels", "UCR: one channel"
KINDS = {
    "synthetic": "here, synthetic",
    "bundled": "here, in aeon",
    "local": "here",
    "uploaded": "here, uploaded",
    "archive": "to download",
    "elsewhere": "to get by hand",
}


def pick() -> bool:
    """Draw the table; return whether the chosen set is to be shown, and not one that is yet to be had."""
    entries = catalogue.entries()
    wanted = _wanted(entries)
    shown = _filtered(on_top(entries, _top(state.current(state.Selection()).data)))
    _table(shown, wanted.reference if wanted else state.current(state.Selection()).data)
    if wanted is None:
        return True
    if wanted.available:
        _open(wanted)
        return True
    fetching.panel(wanted, on_close=_forget)
    return False


def row_of(selection: dict[str, Any]) -> int | None:
    """Return which row a person has clicked: on its mark, or on any of its cells."""
    if selection.get("cells"):
        return int(selection["cells"][0][0])
    return int(selection["rows"][0]) if selection.get("rows") else None


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


def _table(shown: list[Entry], reference: str) -> None:
    if not shown:
        st.caption("No set fits. Clear the search, or upload a set of your own.")
        return
    references = [entry.reference for entry in shown]
    rows = [references.index(reference)] if reference in references else []
    marked = st.session_state.get(TABLE_KEY)
    if marked is None or list(marked["selection"]["rows"]) != rows or marked["selection"]["cells"]:
        st.session_state[TABLE_KEY] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    st.dataframe(
        [_row(entry) for entry in shown],
        hide_index=True,
        on_select=lambda: _picked(references),
        selection_mode=["single-row", "single-cell"],
        key=TABLE_KEY,
        height=ROW_HEIGHT * (min(len(shown), MOST_ROWS) + 1) + 3,
        row_height=ROW_HEIGHT,
        placeholder="",
        column_config=COLUMNS,
        alt="All data sets with their sizes and published accuracies.",
    )


def _row(entry: Entry) -> dict[str, object]:
    best = best_other(entry.reference)
    return {
        "name": entry.title,
        "where": KINDS[entry.kind],
        "domain": entry.domain,
        "train": entry.n_train,
        "test": entry.n_test,
        "channels": entry.n_channels,
        "time points": entry.longest,
        "classes": entry.n_classes,
        "TimeMIL": of_timemil(entry.reference),
        "best other": best.accuracy if best else None,
        "by": best.method if best else None,
        "about": entry.summary,
    }


COLUMNS = {
    "name": st.column_config.TextColumn(width=175),
    "where": st.column_config.TextColumn(width=105),
    "domain": st.column_config.TextColumn(width=115),
    "train": st.column_config.NumberColumn(width=60, format="localized", help="Training series"),
    "test": st.column_config.NumberColumn(width=60, format="localized", help="Test series"),
    "channels": st.column_config.NumberColumn(width=75, format="localized"),
    "time points": st.column_config.NumberColumn(
        width=90, format="localized", help="Of the longest series; empty where lengths vary and are not known."
    ),
    "classes": st.column_config.NumberColumn(width=65),
    "TimeMIL": st.column_config.NumberColumn(
        width=75, format="%.3f", help="Test accuracy as the paper prints it; the lower one where its tables differ."
    ),
    "best other": st.column_config.NumberColumn(
        width=85, format="%.3f", help="The best test accuracy that another method is published with."
    ),
    "by": st.column_config.TextColumn(width=110, help="The method of that accuracy; sources are shown with the set."),
    "about": st.column_config.TextColumn(width=520),
}


def _picked(references: list[str]) -> None:
    row = row_of(st.session_state[TABLE_KEY]["selection"])
    if row is None or row >= len(references):
        _forget()
    else:
        chosen = state.current(state.Selection()).data
        st.session_state[WANTED_KEY] = (references[row], chosen)


def _forget() -> None:
    st.session_state.pop(WANTED_KEY, None)


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
