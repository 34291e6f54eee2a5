"""Step through the series of a set: previous, next, and a filter by class or by wrongly classified."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from app import ask
from app.common import state
from app.common.context import Context
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.explain.cost import PROBE_TIMEPOINTS, beginning
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress

TIMEPOINTS_TOGETHER = 32 * PROBE_TIMEPOINTS  # classified before how far it is is told
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
        wrong = wrongly_classified(chosen) if choice == WRONG and chosen.model is not None else None
        kept = matching(series_set, choice or ALL, np.empty(0, dtype=np.int64) if wrong is None else wrong)
        before, after = neighbours(kept, chosen.index)
        _step("Previous", "left", before, series_set)
        _step("Next", "right", after, series_set)
        st.caption(_place(kept, chosen))
    return after


def wrongly_classified(chosen: Context) -> IntArray | None:
    """Return the indices of the series whose known class is not the predicted one."""
    model, series_set = ask.model_of(chosen), chosen.series_set
    n_together = max(1, TIMEPOINTS_TOGETHER // int(series_set.lengths.max()))

    def compute(progress: Progress) -> IntArray:
        predicted = np.empty(len(series_set), dtype=np.int64)
        for start in range(0, len(series_set), n_together):
            some = slice(start, start + n_together)
            predicted[some] = model.predict_each(series_set.series[some]).labels
            progress(min(some.stop, len(series_set)), len(series_set))
        unknown = (predicted == UNKNOWN_LABEL) | (series_set.labels == UNKNOWN_LABEL)
        return np.flatnonzero((predicted != labels_for(model, series_set)) & ~unknown)

    return ask.computed(
        f"The class of each of {len(series_set)} series",
        ("wrong", *ask.about(chosen)),
        int(series_set.lengths.sum()),
        lambda n, progress: model.predict([beginning(chosen.series, n)]),
        compute,
        partial(ask.timed, chosen),
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
    name = chosen.series_id.replace("`", "'")
    return f"`{name}`" + (
        f" — {position[0] + 1} of {len(kept)}" if len(position) else f" — not among these {len(kept)}"
    )
