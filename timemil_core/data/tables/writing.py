"""A ``SeriesSet`` as a long table, which is read back to an equal set."""

from __future__ import annotations

import csv
from collections.abc import Sequence

import numpy as np
import pandas as pd

from timemil_core.data.formulas import guarded
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import DoubleArray

TIME_NAMES = {1e-9: "time_ns", 1e-6: "time_us", 1e-3: "time_ms", 1.0: "time_s", 60.0: "time_min", 3600.0: "time_h"}


def write_long_table(series_set: SeriesSet) -> bytes:
    """Write ``id, time, channels…, label[, instance_label][, group][, split]`` as CSV in UTF-8, a row a time point.

    The time column is named for its unit (``time_s``) where the sampling rate or the times' unit is known, else
    ``time``: positions, or times as they were read. Missing and infinite values are empty cells. ``instance_label`` is
    there where the truth is known, ``group`` where groups are, ``split`` where there is a test part. Numbers have as
    many digits as float32 needs to come back equal. Texts that a spreadsheet would run as formulas are guarded by a
    leading ``'``, which our reader takes away.
    """
    time_name, times = _time_column(series_set)
    values = np.concatenate(series_set.series, axis=1)
    values = np.where(np.isfinite(values), values, np.float32(np.nan))
    labels = [series_set.label_name(index) or "" for index in range(len(series_set))]
    names = ["id", time_name, *map(guarded, series_set.channel_names), "label"]
    columns: list[object] = [_repeated(series_set, series_set.series_ids), times, *values]
    columns.append(_repeated(series_set, labels))
    if series_set.instance_labels is not None:
        names.append("instance_label")
        columns.append(np.concatenate(series_set.instance_labels).astype(np.int64))
    if series_set.groups is not None:
        names.append("group")
        columns.append(_repeated(series_set, series_set.groups))
    if (series_set.split == "test").any():
        names.append("split")
        columns.append(np.repeat(series_set.split, series_set.lengths))
    frame = pd.DataFrame(dict(enumerate(columns)))
    return _with_quotes(series_set, frame, names).encode("utf-8")


def _time_column(series_set: SeriesSet) -> tuple[str, DoubleArray | np.ndarray[tuple[int], np.dtype[np.int64]]]:
    if (times := series_set.timestamps) is not None:
        values = np.concatenate(times.values)
        if times.unit is None or times.unit in TIME_NAMES:
            return "time" if times.unit is None else TIME_NAMES[times.unit], values
        return "time_s", values * times.unit
    counted = np.concatenate([series_set.seconds(index) for index in range(len(series_set))])
    return ("time_s", counted) if series_set.sampling_rate else ("time", counted.astype(np.int64))


def _repeated(series_set: SeriesSet, texts: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Return one text a series as guarded cells, one a time point."""
    return np.repeat(np.array([guarded(text) for text in texts], dtype=object), series_set.lengths)


def _with_quotes(series_set: SeriesSet, frame: pd.DataFrame, names: list[str]) -> str:
    """Quote every text where one begins with a blank: unquoted, it would be read without."""
    texts = (*series_set.series_ids, *series_set.class_names, *series_set.channel_names, *(series_set.groups or ()))
    quoting = csv.QUOTE_NONNUMERIC if any(text != text.strip() for text in texts) else csv.QUOTE_MINIMAL
    return str(frame.to_csv(index=False, header=names, quoting=quoting, lineterminator="\n"))
