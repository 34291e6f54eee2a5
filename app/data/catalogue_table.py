"""The table of all sets: a row a set, the chosen one marked, a click picks."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from timemil_core.data.catalogue import Entry
from timemil_core.data.published import best_other, of_timemil

ROW_HEIGHT, MOST_ROWS = 35, 8
KINDS = {
    "synthetic": "here, synthetic",
    "bundled": "here, in aeon",
    "local": "here",
    "uploaded": "here, uploaded",
    "archive": "to download",
    "elsewhere": "to get by hand",
}


def table(shown: Sequence[Entry], reference: str, turn: int, on_pick: Callable[[str | None], None]) -> None:
    """Draw a row a set, the one called ``reference`` marked; ``on_pick`` gets the set of the row that is clicked.

    The key changes with the rows and with ``turn``: a second click at the same place tells the server nothing.
    """
    references = [entry.reference for entry in shown]
    key = f"catalogue_{zlib.crc32(repr((turn, references)).encode()):08x}"
    rows = [references.index(reference)] if reference in references else []
    marked = st.session_state.get(key)
    if marked is None or list(marked["selection"]["rows"]) != rows or marked["selection"]["cells"]:
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    with st.container(key="catalogue"):
        st.dataframe(
            [_row(entry) for entry in shown],
            hide_index=True,
            on_select=lambda: on_pick(_reference_at(key, references)),
            selection_mode=["single-row", "single-cell"],
            key=key,
            height=ROW_HEIGHT * (min(len(shown), MOST_ROWS) + 1) + 3,
            row_height=ROW_HEIGHT,
            placeholder="",
            column_config=COLUMNS,
            alt="All data sets with their sizes and published accuracies.",
        )


def _reference_at(key: str, references: Sequence[str]) -> str | None:
    row = row_of(st.session_state[key]["selection"])
    return None if row is None or row >= len(references) else references[row]


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
        "TimeMIL, paper": of_timemil(entry.reference),
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
    "TimeMIL, paper": st.column_config.NumberColumn(
        width=105, format="%.3f", help="Test accuracy as the paper prints it; the lower one where its tables differ."
    ),
    "best other": st.column_config.NumberColumn(
        width=85, format="%.3f", help="The best test accuracy that another method is published with."
    ),
    "by": st.column_config.TextColumn(width=110, help="The method of that accuracy; sources are shown with the set."),
    "about": st.column_config.TextColumn(width=520),
}


def row_of(selection: dict[str, Any]) -> int | None:
    """Return which row a person has clicked: on its mark, or on any of its cells."""
    if selection.get("cells"):
        return int(selection["cells"][0][0])
    return int(selection["rows"][0]) if selection.get("rows") else None
