"""Columns among the channels that give the answer away: the label, an id, a subject, the time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import UNKNOWN_LABEL
from timemil_core.data.timestamps import DoubleArray

FEWEST_POINTS = 5  # in the median series, to see that a channel only ever rises
EQUAL_STEPS = 1e-3  # by how much the steps of a counter may differ, in shares of the largest
LEAVE_OUT = "Leave the channel out, or the model may read the answer from it."


def columns_left_in(measured: Measured) -> Iterator[ReportLine]:
    """Look for channels that hold one value a series, or that only ever rise (pitfall 19)."""
    series_set = measured.series_set
    long_enough = float(np.median(series_set.lengths)) >= FEWEST_POINTS
    for channel, name in enumerate(series_set.channel_names):
        low, high = measured.low[:, channel], measured.high[:, channel]
        if (low == high).all() and len(series_set) > 1 and len(np.unique(low)) > 1:
            yield _one_value_a_series(measured, low, name)
        elif long_enough and (measured.least_step[:, channel] > 0).all():
            yield _rising(measured, channel, name)


def _one_value_a_series(measured: Measured, values: DoubleArray, name: str) -> ReportLine:
    series_set = measured.series_set
    where = f"channel {name!r}"
    same = "It has one value throughout each series"
    n_values = len(np.unique(values))
    if n_values < len(values) and _determines(values, series_set.labels):
        text = f"{same}, and that value tells the class: it looks like the label."
        return warning(text, where=where, remedy=LEAVE_OUT, choice="channels")
    if n_values == len(values):
        text = f"{same}, and no two series share it: it looks like an id."
        return warning(text, where=where, remedy=LEAVE_OUT, choice="channels")
    return warning(
        f"{same}, and {n_values:,} different ones in all: it looks like a subject or another fact about the series.",
        where=where,
        remedy="If it names who or what a series comes from, choose it as the group and leave it out as a channel.",
        choice="groups",
    )


def _determines(values: DoubleArray, labels: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
    """Tell whether series of one value are always of one class, and there are two classes at least."""
    known = labels != UNKNOWN_LABEL
    pairs = np.unique(np.stack([values[known], labels[known]]), axis=1)
    return len(np.unique(pairs[1])) > 1 and len(np.unique(pairs[0])) == pairs.shape[1]


def _rising(measured: Measured, channel: int, name: str) -> ReportLine:
    where = f"channel {name!r}"
    least, largest = measured.least_step[:, channel].min(), measured.largest_step[:, channel].max()
    if largest - least <= EQUAL_STEPS * largest:
        return warning(
            "It counts up in equal steps in every series: it looks like the time, or a number of rows.",
            where=where,
            remedy="Leave the channel out: it tells where in the recording a series lies, not what happens in it.",
            choice="channels",
        )
    return note(
        "It only ever rises, in every series: a time, or a counter.",
        where=where,
        remedy="Leave the channel out if it is a time; of a counter, its differences tell more.",
        choice="channels",
    )
