"""Step through the series of a set: previous, next, and a filter by class or by wrongly classified."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import ask
from app.common import state
from app.common.context import Context
from app.common.parts import plain
from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.explain import workbench
from timemil_core.explain.workbench import Classified

FILTER_KEY = "series_filter"
ALL, TEST, WRONG, CLASS = "all series", "test series", "wrongly classified", "class: "


def choices(series_set: SeriesSet) -> list[str]:
    """Return the filters that a set offers."""
    known = [
        f"{CLASS}{name}" for index, name in enumerate(series_set.class_names) if (series_set.labels == index).any()
    ]
    return [ALL, *([TEST] if len(series_set.indices("test")) else []), WRONG, *known]


def matching(series_set: SeriesSet, choice: str, wrong: IntArray) -> IntArray:
    """Return the indices of the series that a filter keeps; ``wrong`` are the wrongly classified ones."""
    if choice == TEST:
        return series_set.indices("test")
    if choice == WRONG:
        return wrong
    if choice.startswith(CLASS):
        return np.flatnonzero(series_set.labels == series_set.class_names.index(choice.removeprefix(CLASS)))
    return np.arange(len(series_set))


def neighbours(kept: IntArray, index: int) -> tuple[int | None, int | None]:
    """Return the previous and the next kept series around ``index``, None at an end."""
    before, after = kept[kept < index], kept[kept > index]
    return (int(before[-1]) if len(before) else None), (int(after[0]) if len(after) else None)


def series_navigator(chosen: Context) -> int | None:
    """Draw the buttons and the filter, which change the selection of all pages; return the series that is next."""
    series_set = chosen.series_set
    with st.container(horizontal=True, vertical_alignment="center"):
        choice = st.selectbox(
            "Step through", choices(series_set), key=FILTER_KEY, width=170, persist_state="session",
            label_visibility="collapsed",
        )  # fmt: skip
        told = classified(chosen) if choice == WRONG and chosen.model is not None else None
        wrong = np.empty(0, dtype=np.int64) if told is None else np.flatnonzero(told.wrong)
        kept = matching(series_set, choice or ALL, wrong)
        before, after = neighbours(kept, chosen.index)
        _step("Previous", "left", before, series_set)
        _step("Next", "right", after, series_set)
        st.markdown(_place(kept, chosen), width="content")
    return after


def classified(chosen: Context) -> Classified | None:
    """Return what the model says of each series of the set."""
    model, series_set = ask.model_of(chosen), chosen.series_set
    return ask.prompt(
        f"The class of each of {len(series_set)} series",
        ("classified", *ask.about(chosen)),
        lambda progress: workbench.classified(model, series_set, progress),
    )


def _step(label: str, arrow: str, to: int | None, series_set: SeriesSet) -> None:
    st.button(
        label,
        icon=f":material/chevron_{arrow}:",
        icon_position="left" if arrow == "left" else "right",
        disabled=to is None,
        shortcut=f"Ctrl+{arrow.capitalize()}",
        key=f"step_{arrow}",
        on_click=lambda: None if to is None else state.choose(series=series_set.series_ids[to]),
    )


def _place(kept: IntArray, chosen: Context) -> str:
    if not len(kept):
        return "No series fits the filter."
    position = np.flatnonzero(kept == chosen.index)
    return f"**{plain(chosen.series_id)}**" + (
        f" · {position[0] + 1} of {len(kept)}" if len(position) else f" · not among these {len(kept)}"
    )
