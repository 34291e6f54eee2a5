"""What a data set holds: its facts, examples, class counts, lengths, scales, and where it comes from."""

from __future__ import annotations

import streamlit as st

from app.parts import chart, guarded, plain, split, theme
from timemil_core.data.series_set import SeriesSet
from timemil_core.figures.data import (
    channel_scales_figure,
    class_counts_figure,
    length_histogram,
    preview_figure,
)


def overview(series_set: SeriesSet) -> None:
    """Tell and show what a set holds."""
    st.subheader(plain(series_set.name))
    lengths = series_set.lengths
    length = f"{lengths.min()}" if lengths.min() == lengths.max() else f"{lengths.min()} to {lengths.max()}"
    facts: dict[str, str | int] = {
        "Training series": len(series_set.indices("train")),
        "Test series": len(series_set.indices("test")),
        "Channels": series_set.n_channels,
        "Time points": length,
        "Classes": series_set.n_classes,
        "Sampling rate": f"{series_set.sampling_rate:g} Hz" if series_set.sampling_rate else "unknown",
    }
    for column, (name, value) in zip(split(len(facts), "facts", "narrow"), facts.items(), strict=True):
        column.metric(name, value)
    with guarded("The examples"):
        examples(series_set)
    left, middle, right = split(3, "overview")
    with left, guarded("The class counts"):
        st.markdown("**Series of each class**")
        parts = {part: series_set.labels[series_set.indices(part)] for part in ("train", "test")}
        figure = class_counts_figure(parts, series_set.class_names, theme=theme())
        chart(figure, key="counts", alt="Number of series of each class, training and test.")
    with middle, guarded("The lengths"):
        st.markdown("**Lengths**")
        figure = length_histogram(lengths, series_set.sampling_rate, theme=theme())
        chart(figure, key="lengths", alt="Histogram of series lengths.")
    with right, guarded("The channels"):
        st.markdown("**Range of each channel**")
        figure = channel_scales_figure(series_set.series, series_set.channel_names, theme=theme())
        chart(figure, key="scales", alt="Range of values of each channel.")
    st.markdown("**Where it comes from, and what was done to it**")
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in series_set.provenance))


def examples(series_set: SeriesSet, key: str = "preview") -> None:
    """Draw a few series of each class."""
    st.markdown("**Examples of each class**")
    figure = preview_figure(
        series_set.series,
        series_set.labels,
        series_set.class_names,
        series_set.channel_names,
        sampling_rate=series_set.sampling_rate,
        theme=theme(),
    )
    chart(figure, key=key, alt="Example series, a column a class, a row a channel.")
