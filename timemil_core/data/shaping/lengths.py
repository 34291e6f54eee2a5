"""Choices of lengths: windows of long recordings, one length for all."""

from __future__ import annotations

from timemil_core.data.files.choices import Choosing
from timemil_core.data.lengths import to_one_length
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.windows import cut_into_windows

LENGTHS = {
    "keep": "keep: shorter ones are padded, and the padding is masked",
    "truncate": "truncate: cut to the shortest",
    "stretch": "stretch: each to the median length",
}


def choose_windows(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer to cut recordings into windows."""
    length = choosing.number(
        "window",
        "Window length (time points)",
        None,
        help="Empty: series stay whole. Windows of one recording stay on one side of every split.",
    )
    step = choosing.number("window_step", "Window step (time points)", None, help="Empty: without overlap.")
    if length is None:
        return series_set
    return cut_into_windows(series_set, round(length), None if step is None else round(step))


def choose_lengths(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer one length for all where they are unequal."""
    if series_set.lengths.min() == series_set.lengths.max():
        return series_set
    how = choosing.one("lengths", "Unequal lengths", LENGTHS, "keep")
    return to_one_length(series_set, "truncate" if how == "truncate" else "stretch" if how == "stretch" else "keep")
