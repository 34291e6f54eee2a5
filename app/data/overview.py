"""What a data set holds: its facts, its classes, lengths, scales, missing values, and where it comes from."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import ask
from app.common.parts import chart, guarded, percent, plain, split, theme
from app.data.class_pictures import examples, pictures
from app.data.published import accuracies
from timemil_core.data.known_sets import KNOWN, KnownSet
from timemil_core.data.overview import MissingValues, channel_scales, missing_values
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.store import UPLOAD_PREFIX
from timemil_core.data.time_axis import rate_in_words
from timemil_core.data.wording import counted, length_range
from timemil_core.figures.data import (
    channel_scales_figure,
    class_counts_figure,
    length_histogram,
    missing_by_channel_figure,
    missing_map_figure,
)

__all__ = ["examples", "facts", "facts_row", "overview"]

CHANNELS_WITH_SCALES = 24


def facts(series_set: SeriesSet, reference: str) -> None:
    """Tell what a set is; ``reference`` is its name in the catalogue."""
    st.header(plain(series_set.name))
    if known := _known(reference):
        st.markdown(plain(known.summary))
    facts_row(_facts(series_set))


def overview(series_set: SeriesSet, reference: str) -> None:
    """Show what a set holds, and tell where it comes from."""
    pictures(series_set)
    _sizes(series_set)
    if _missing_values(series_set).n_missing:
        with guarded("The missing values"):
            _missing(series_set)
    with guarded("The published accuracies"):
        accuracies(reference, largest_class=largest_class_share(series_set))
    st.subheader("Where it comes from, and what was done to it")
    known = _known(reference)
    told = [sentence for sentence in series_set.provenance if known is None or sentence != known.summary]
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in told))


def facts_row(named: dict[str, str]) -> None:
    """Show facts as large figures in a row that wraps."""
    with st.container(horizontal=True, gap="large"):
        for name, value in named.items():
            st.metric(name, value, width="content")


def _known(reference: str) -> KnownSet | None:
    return None if reference.startswith(UPLOAD_PREFIX) else KNOWN.get(reference)


def _facts(series_set: SeriesSet) -> dict[str, str]:
    told = {
        "Training series": f"{len(series_set.indices('train')):,}",
        "Test series": f"{len(series_set.indices('test')):,}",
        "Channels": f"{series_set.n_channels:,}",
        "Time points": length_range(int(series_set.lengths.min()), int(series_set.lengths.max())),
        "Classes": f"{series_set.n_classes:,}",
        "Sampling rate": rate_in_words(series_set.sampling_rate) if series_set.sampling_rate else "unknown",
        "Missing values": _missing_share(series_set),
    }
    if series_set.groups is not None:
        told["Groups"] = f"{len(set(series_set.groups)):,}"
    return told


def _missing_share(series_set: SeriesSet) -> str:
    found = _missing_values(series_set)
    share = found.n_missing / found.n_values
    return "none" if not share else percent(share, 1) if share >= 0.001 else "< 0.1 %"


def largest_class_share(series_set: SeriesSet) -> float | None:
    """Return the accuracy on the test series of always naming their largest class; None without labelled ones."""
    labels = series_set.labels[series_set.indices("test")]
    labels = labels[labels >= 0]
    return float(np.bincount(labels).max() / len(labels)) if len(labels) else None


def _sizes(series_set: SeriesSet) -> None:
    st.subheader("How many, how long, how large")
    unequal = series_set.lengths.min() != series_set.lengths.max()
    columns = iter(split(3 if unequal else 2, "overview"))
    with next(columns), guarded("The class counts"):
        st.markdown("**Series of each class**")
        parts = {part: series_set.labels[series_set.indices(part)] for part in ("train", "test")}
        figure = class_counts_figure(parts, series_set.class_names, theme=theme())
        chart(figure, key="counts", alt="Number of series of each class, training and test.")
    if unequal:
        with next(columns), guarded("The lengths"):
            st.markdown("**Lengths**")
            figure = length_histogram(series_set.lengths, series_set.sampling_rate, theme=theme())
            chart(figure, key="lengths", alt="Histogram of series lengths.")
    with next(columns), guarded("The channels"):
        st.markdown("**Range of each channel**")
        key = ("scales", series_set.fingerprint)
        scales = ask.at_once("The range of each channel", key, lambda progress: _scales(series_set))
        names = series_set.channel_names[: len(scales)]
        figure = channel_scales_figure(scales, names, n_channels=series_set.n_channels, theme=theme())
        chart(figure, key="scales", alt="Range of values of each channel.")
        if constant := [name for name, scale in zip(names, scales, strict=True) if scale[0] == scale[4]]:
            st.caption(plain(f"Without any change: {', '.join(constant[:5])}{' …' if len(constant) > 5 else ''}."))


def _missing(series_set: SeriesSet) -> None:
    st.subheader("Missing values")
    found = _missing_values(series_set)
    st.markdown(
        f"{_missing_share(series_set)} of all values, in {counted(found.n_series, 'series')} of {len(series_set):,}. "
        "The map has a row a series that misses some, or a group of them; a model sees them interpolated."
    )
    left, right = split((2, 1), "missing")
    with left:
        figure = missing_map_figure(
            found.shares, found.rows, found.times, series_set.series_ids,
            sampling_rate=series_set.sampling_rate, theme=theme(),
        )  # fmt: skip
        chart(figure, key="missing_map", alt="Share of missing values by series and time.")
    with right:
        figure = missing_by_channel_figure(found.by_channel, series_set.channel_names, theme=theme())
        chart(figure, key="missing_channels", alt="Share of missing values by channel.")


def _missing_values(series_set: SeriesSet) -> MissingValues:
    key = ("missing", series_set.fingerprint)
    return ask.at_once("Where values are missing", key, lambda progress: missing_values(series_set))


def _scales(series_set: SeriesSet) -> np.ndarray:
    channels = range(min(series_set.n_channels, CHANNELS_WITH_SCALES))
    return np.array(
        [
            (scale.low, scale.first_quartile, scale.median, scale.third_quartile, scale.high)
            for scale in channel_scales(series_set, channels)
        ]
    )
