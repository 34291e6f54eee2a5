"""Data: choose a set from the catalogue, or upload one and see how it was understood before accepting it."""

from __future__ import annotations

import streamlit as st

from app import context, loading, state, upload
from app.overview import overview
from app.parts import guarded, guide, heading, plain
from timemil_core.data import catalogue
from timemil_core.data.catalogue import Entry
from timemil_core.errors import TimeMILError

VIEWS = ["The chosen set", "Catalogue", "Upload your own"]
KINDS = {
    "synthetic": "synthetic, truth known",
    "bundled": "comes with aeon",
    "local": "on this machine",
    "uploaded": "uploaded",
    "archive": "UEA archive, to download",
}


def page() -> None:
    """Draw the page."""
    heading("Data", "Pick a data set, or upload your own: you see how it was understood before you accept it.")
    view = st.segmented_control(
        "View", VIEWS, default=VIEWS[0], required=True, key="view", bind="query-params", label_visibility="collapsed"
    )
    if view == VIEWS[1]:
        _catalogue()
    elif view == VIEWS[2]:
        upload.form()
    else:
        overview(context.load_data())
    _how_to_read()


def _catalogue() -> None:
    entries = catalogue.entries()
    table = [_row(entry) for entry in entries]
    st.caption("Select a row to open the set. Sets of the archive are downloaded once and kept.")
    event = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="catalogue",
        height=560,
        alt="All data sets with their size.",
    )
    if rows := event["selection"]["rows"]:
        _open(entries[rows[0]])


def _row(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.title,
        "source": KINDS[entry.kind],
        "train": entry.n_train,
        "test": entry.n_test,
        "channels": entry.n_channels,
        "time points": entry.length,
        "classes": entry.n_classes,
        "about": entry.summary,
    }


def _open(entry: Entry) -> None:
    # Read it before choosing it: a set that cannot be had leaves the former choice untouched.
    try:
        loading.data_set(entry.reference)
    except TimeMILError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.button(
        f"Use {entry.title}",
        type="primary",
        icon=":material/check:",
        on_click=_use,
        args=(entry.reference,),
    )
    overview(loading.data_set(entry.reference))


def _use(reference: str) -> None:
    state.choose(data=reference, model="")
    st.session_state["view"] = VIEWS[0]


def _how_to_read() -> None:
    guide(
        "A *series* is one recording with one label; a *channel* is one sensor; a *time point* is one sample of all "
        "channels. A model is trained on the training series alone, and its preparation (mean and deviation of each "
        "channel) is computed from them alone.",
        limits="Uploaded sets are kept in this program's folder on the machine that runs it, readable by whoever can "
        "open this app. Very long series are drawn with the extremes of each pixel kept, not every point.",
    )


with guarded("The Data page"):
    page()
