"""The one selection that all pages share: data set, model, series."""

from __future__ import annotations

import streamlit as st

from app import ask
from app.common import context, loading, state
from app.common.parts import plain
from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted
from timemil_core.errors import AbsentDataError
from timemil_core.jobs import Progress
from timemil_core.models.shelf import ShelfEntry, shelf, unreadable
from timemil_core.models.sweep_notes import CELL_PREFIX, cell_title

DATA_KEY, MODEL_KEY, SERIES_KEY = "choose_data", "choose_model", "choose_series"


def show() -> None:
    """Draw the three choices; a choice changes the selection and its URL."""
    entries, sets = shelf(), catalogue.entries()
    titles = {entry.reference: entry.title for entry in sets}
    asked = state.current(context.opening(entries))
    known, problem = context.resolved(asked, entries, titles, unreadable())
    selection = context.completed(known, entries)
    state.store(selection)
    if problem:
        st.warning(plain(problem), icon=":material/link_off:")
    with st.sidebar:
        _choose_data(selection.data, {entry.reference: entry.title for entry in sets if entry.available})
        try:
            series_set = loading.data_set(selection.data)
        except AbsentDataError:
            return  # every page says so, and where to have it
        _choose_model(selection.model, fitting(entries, series_set, selection.data))
        _choose_series(series_set, context.series_index(series_set, selection.series))
        _unreadable()


def _unreadable() -> None:
    if problems := unreadable():
        with st.expander(f"{counted(len(problems), 'model')} unreadable", icon=":material/broken_image:"):
            st.caption("\n".join(f"- {plain(name)}: {plain(problem)}" for name, problem in problems.items()))


def fitting(entries: list[ShelfEntry], series_set: SeriesSet, data: str) -> list[ShelfEntry]:
    """Return the models that can read these data: those trained on them first."""
    readable = [entry for entry in entries if len(entry.channel_names) == series_set.n_channels]
    return sorted(readable, key=lambda entry: entry.data != data)


def model_label(entry: ShelfEntry, data: str) -> str:
    """Name a model in the list."""
    own = "" if entry.data == data else f" — trained on {entry.data or 'unknown data'}"
    return f"{entry.title} · {entry.origin.removeprefix('trained ')}{own}"  # the list is narrow


def _choose_data(chosen: str, titles: dict[str, str]) -> None:
    options = list(titles) if chosen in titles else [chosen, *titles]
    st.session_state[DATA_KEY] = chosen
    st.selectbox(
        "Data set",
        options,
        key=DATA_KEY,
        format_func=lambda reference: titles.get(reference, reference),
        on_change=lambda: state.choose(data=st.session_state[DATA_KEY], model=""),
        help="The Data page has more: upload your own, or download one from the UEA archive.",
    )


def _choose_model(chosen: str, models: list[ShelfEntry]) -> None:
    data = state.current(state.Selection()).data
    labels = {entry.reference: model_label(entry, data) for entry in models}
    if chosen.startswith(CELL_PREFIX):  # of a sweep: too many to list, but opened by a link
        labels[chosen] = cell_title(chosen)
    if not labels:
        st.caption("No model reads these data yet.")
        st.page_link("train/page.py", label="Train one", icon=":material/model_training:")
        return
    st.session_state[MODEL_KEY] = chosen if chosen in labels else None
    st.selectbox(
        "Model",
        list(labels),
        index=0 if chosen in labels else None,  # without an empty choice, which would bring the newest model back
        key=MODEL_KEY,
        format_func=labels.__getitem__,
        placeholder="none yet: choose or train",
        on_change=lambda: state.choose(model=st.session_state[MODEL_KEY] or ""),
    )
    for entry in models:
        if entry.reference == chosen and entry.notes:
            with st.expander(
                "About your classifier" if entry.origin == "yours" else "From the authors' code", icon=":material/info:"
            ):
                st.caption("\n".join(f"- {plain(note)}" for note in entry.notes))


def _choose_series(series_set: SeriesSet, index: int) -> None:
    ids = series_set.series_ids
    st.session_state[SERIES_KEY] = ids[index]
    st.selectbox(
        "Series",
        ids,
        key=SERIES_KEY,
        format_func=series_labels(series_set).__getitem__,
        on_change=lambda: state.choose(series=st.session_state[SERIES_KEY]),
    )


def series_labels(series_set: SeriesSet) -> dict[str, str]:
    """Name each series with its class and part."""

    def labels(progress: Progress) -> dict[str, str]:
        return {
            series_id: f"{series_id} · {series_set.label_name(index) or 'class unknown'} · {series_set.split[index]}"
            for index, series_id in enumerate(series_set.series_ids)
        }

    return ask.at_once("The names of the series", ("labels", series_set.fingerprint), labels)
