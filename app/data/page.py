"""Data: pick a set from the catalogue, or upload one; beneath, what the chosen set holds."""

from __future__ import annotations

import streamlit as st

from app.common import context, loading, state
from app.common.parts import guarded, guide, heading, plain
from app.common.state import CATALOGUE, UPLOAD, VIEW
from app.data import catalogue, upload
from app.data.overview import facts, overview
from app.data.report import reading_report
from timemil_core.data import store
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.store import UPLOAD_PREFIX
from timemil_core.data.wording import counted
from timemil_core.errors import TimeMILError
from timemil_core.naming import LONGEST_NAME

VIEWS = [CATALOGUE, UPLOAD]


def page() -> None:
    """Draw the page."""
    heading("Data", "Pick a data set, or upload your own: you see how it was understood before you accept it.")
    if st.session_state.get(VIEW, CATALOGUE) not in VIEWS:
        st.session_state[VIEW] = CATALOGUE
    view = st.segmented_control(
        "View", VIEWS, default=CATALOGUE, required=True, key=VIEW, bind="query-params", label_visibility="collapsed"
    )
    if view == UPLOAD:
        upload.form()
    elif catalogue.pick():
        series_set, reference = context.load_data(), state.current(state.Selection()).data
        facts(series_set, reference)
        _next_step(series_set, reference)
        reading_report(series_set)
        overview(series_set, reference)
    _how_to_read()


def _next_step(series_set: SeriesSet, reference: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.session_state.get(state.ACCEPTED) == reference:
            st.success(
                f"**{plain(series_set.name)}** is stored: {counted(len(series_set), 'series')} of "
                f"{counted(series_set.n_classes, 'class')}. Next: train a model on it.",
                icon=":material/check:",
            )
        if st.button("Train on this set", icon=":material/model_training:", type="primary", key="train_on_it"):
            st.switch_page("train/page.py")
        if reference.startswith(UPLOAD_PREFIX):
            with st.popover("Rename", icon=":material/edit:"):
                st.text_input(
                    "Name", series_set.name, max_chars=LONGEST_NAME, key=f"rename_{reference}", on_change=_rename,
                    args=(reference,),
                )  # fmt: skip


def _rename(reference: str) -> None:
    try:
        store.rename(reference, st.session_state[f"rename_{reference}"])
    except TimeMILError as error:
        st.toast(plain(str(error)), icon=":material/error:")
    loading.reread(reference)


def _how_to_read() -> None:
    guide(
        "A *series* is one recording with one label; a *channel* is one sensor; a *time point* is one sample of all "
        "channels. A model is trained on the training series alone, and its preparation (mean and deviation of each "
        "channel) is computed from them alone.",
        limits="Uploaded sets are kept in this program's folder on the machine that runs it, readable by whoever can "
        "open this app. Very long series are drawn with the extremes of each pixel kept, not every point. Published "
        "accuracies are quoted, and often the best of several tries on the test series.",
    )


with guarded("The Data page"):
    page()
