"""Arrays in memory, read as files are: padding cut off, labels counted, and told what to know before believing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.checks.lengths import swapped_axes
from timemil_core.data.checks.measured import measure
from timemil_core.data.checks.missing import no_values, too_large
from timemil_core.data.padding import without_padding
from timemil_core.data.preparation import float32_keeps
from timemil_core.data.report_line import ReportLine
from timemil_core.data.series_set import FloatArray, IntArray, SeriesSet, default_channel_names
from timemil_core.errors import DataError

CHECKS = (swapped_axes, no_values, too_large)
"""What decides whether anything can be learned; the other checks are of files, and of their split."""


def refuse_empty(X: Any) -> None:
    """Refuse a collection of arrays without a series, or with one that has no value.

    Raises
    ------
    DataError
        Naming the place, counted from 0.
    """
    if not isinstance(X, np.ndarray | list | tuple) or any(not isinstance(one, np.ndarray) for one in X):
        return  # of pandas: its own conversion tells
    if not len(X):
        raise DataError("there is no series.", where="X", remedy="Give at least one.")
    if empty := [index for index, one in enumerate(X) if 0 in one.shape]:
        raise DataError(
            f"series {empty[0]} has the shape {X[empty[0]].shape}: no value.", where="X", remedy="Leave it out."
        )


def series_of(X: Iterable[npt.NDArray[Any]]) -> list[FloatArray]:
    """Return each array ``(n_channels, n_timepoints)`` as floats without the padding at its end.

    float64 is kept: values far from 0 are centred before they are rounded to the network's float32.
    """
    return [without_padding(np.asarray(one, dtype=np.result_type(one, np.float32))) for one in X]


def training_set(
    series: Sequence[FloatArray], labels: IntArray, class_names: Sequence[str]
) -> tuple[SeriesSet, list[ReportLine]]:
    """Return series ``(n_channels, n_timepoints)`` to train on as a set, and what to know before believing.

    ``labels`` ``(n_series,)`` count in ``class_names``; series are called by their place, counted from 0.
    """
    if float32_keeps(series):  # as files are read, to the bit
        series = [one.astype(np.float32) for one in series]
    series_set = SeriesSet(
        name="series given to fit",
        series=tuple(series),
        labels=labels,
        class_names=tuple(class_names),
        series_ids=tuple(str(index) for index in range(len(series))),
        channel_names=default_channel_names(series[0].shape[0]),
        split=np.full(len(series), "train"),
    )
    measured = measure(series_set)
    return series_set, [line for check in CHECKS for line in check(measured)]
