"""What the classes of a set look like: examples and means with bands, of the classes and channels that are picked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app import ask
from app.common.parts import chart, guarded, plain, theme
from timemil_core.data.overview import ClassMeans, class_means
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.data.wording import counted
from timemil_core.figures.data import class_curves_figure, examples_figure

FIRST_CLASSES, MOST_CLASSES = 4, 6
FIRST_CHANNELS, MOST_CHANNELS = 6, 12
EXAMPLES_A_CLASS = 3


def examples(series_set: SeriesSet, key: str = "preview") -> None:
    """Draw a few series of the first classes."""
    st.markdown("**Examples of each class**")
    classes = present_classes(series_set)[:FIRST_CLASSES]
    _examples(series_set, classes, range(min(series_set.n_channels, FIRST_CHANNELS)), key)


def pictures(series_set: SeriesSet) -> None:
    """Let classes and channels be picked, and draw examples and means of them."""
    labelled = bool((series_set.labels >= 0).any())
    st.subheader("What each class looks like" if labelled else "What the series look like")
    classes, channels = _picked(series_set)
    if not classes or not channels:
        st.caption("Pick at least one class and one channel.")
        return
    with guarded("The examples"):
        _examples(series_set, classes, channels, "preview", turn=_turn(series_set, classes))
    with guarded("The class means"):
        _means(series_set, classes, channels)


def present_classes(series_set: SeriesSet) -> list[int]:
    """Return the classes that have a series, those of unknown class (-1) last."""
    present = [int(label) for label in np.unique(series_set.labels)]
    return [*(label for label in present if label >= 0), *(label for label in present if label < 0)]


def nth_examples(labels: Sequence[int] | np.ndarray, label: int, turn: int) -> np.ndarray:
    """Return the indices of the ``turn``-th handful of series of a class; after the last comes the first again."""
    indices = np.flatnonzero(np.asarray(labels) == label)
    start = turn * EXAMPLES_A_CLASS % max(len(indices), 1)
    return np.roll(indices, -start)[:EXAMPLES_A_CLASS]


def _picked(series_set: SeriesSet) -> tuple[list[int], list[int]]:
    classes, channels = present_classes(series_set), list(range(series_set.n_channels))
    key = series_set.fingerprint
    pick_classes, pick_channels = len(classes) > FIRST_CLASSES, len(channels) > FIRST_CHANNELS
    if not pick_classes and not pick_channels:
        return classes, channels
    with st.container(horizontal=True):
        if pick_classes:
            classes = st.multiselect(
                f"Classes, of {len(classes)}", classes, default=classes[:FIRST_CLASSES], key=f"classes_{key}",
                max_selections=MOST_CLASSES, format_func=lambda label: _class_name(series_set, label),
                persist_state="session",
            )  # fmt: skip
        if pick_channels:
            channels = st.multiselect(
                f"Channels, of {len(channels)}", channels, default=channels[:FIRST_CHANNELS], key=f"channels_{key}",
                max_selections=MOST_CHANNELS, format_func=series_set.channel_names.__getitem__,
                persist_state="session",
            )  # fmt: skip
    return classes, sorted(channels)


def _class_name(series_set: SeriesSet, label: int) -> str:
    return "class unknown" if label < 0 else series_set.class_names[label]


def _turn(series_set: SeriesSet, classes: Sequence[int]) -> int:
    """Draw the button that asks for other examples, and return how often it was pressed for this set."""
    key = f"turn_{series_set.fingerprint}"
    turn = int(st.session_state.get(key, 0))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Examples**")
        if any((series_set.labels == label).sum() > EXAMPLES_A_CLASS for label in classes):
            st.button(
                "Others", icon=":material/refresh:", key="other_examples", type="tertiary",
                on_click=lambda: st.session_state.update({key: turn + 1}),
            )  # fmt: skip
    return turn


def _examples(
    series_set: SeriesSet, classes: Sequence[int], channels: Sequence[int], key: str, *, turn: int = 0
) -> None:
    drawn: dict[int, list[tuple[str, FloatArray]]] = {
        label: [
            (series_set.series_ids[index], series_set.series[index])
            for index in nth_examples(series_set.labels, label, turn)
        ]
        for label in classes
    }
    figure = examples_figure(
        drawn, list(channels), series_set.class_names, series_set.channel_names,
        sampling_rate=series_set.sampling_rate, theme=theme(),
    )  # fmt: skip
    chart(figure, key=key, alt="Example series, a column a class, a row a channel.")


def _means(series_set: SeriesSet, classes: Sequence[int], channels: Sequence[int]) -> None:
    means = ask.at_once(
        "The mean of each class",
        ("means", series_set.fingerprint, tuple(classes), tuple(channels)),
        lambda progress: class_means(series_set, tuple(classes), tuple(channels)),
    )
    st.markdown("**Means**")
    figure = class_curves_figure(
        means.curves, means.times, series_set.class_names, [series_set.channel_names[channel] for channel in channels],
        sampling_rate=series_set.sampling_rate, theme=theme(),
    )  # fmt: skip
    chart(figure, key="means", alt="Mean and middle half of each class over time, a row a channel.")
    st.caption(plain(_told(series_set, means)))


def _told(series_set: SeriesSet, means: ClassMeans) -> str:
    """Say how the means were made, as far as it is not plain to see."""
    told = ["A mean shows what series of a class have in common at the same time; a pattern at any other time in each "
            "series is averaged away."]  # fmt: skip
    if series_set.lengths.min() != series_set.lengths.max():
        told.append("A line ends where fewer than half of its series go on.")
    if means.n_timepoints_a_bin > 1:
        told.append(f"Each {counted(means.n_timepoints_a_bin, 'time point')} were averaged first.")
    sizes = {label: int((series_set.labels == label).sum()) for label in means.n_series}
    if any(means.n_series[label] < size for label, size in sizes.items()):
        told.append(f"Of each class at most {max(means.n_series.values())} series, evenly over the set.")
    return " ".join(told)
