"""A ``SeriesSet`` as a long table, which ``read_table`` reads back to an equal set."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd

from timemil_core.data.series_set import SeriesSet


def write_long_table(series_set: SeriesSet) -> bytes:
    """Write ``id, time, channels…, label[, instance_label][, split]`` as CSV in UTF-8, a row a time point.

    The time column is ``time_s`` (seconds) where the sampling rate is known, else ``time`` (positions). Missing and
    infinite values are empty cells. ``instance_label`` is there where the truth is known, ``split`` where there is a
    test part. Numbers have as many digits as float32 needs to come back equal.
    """
    lengths = series_set.lengths
    times = np.concatenate([series_set.times(index) for index in range(len(series_set))])
    labels = [series_set.label_name(index) or "" for index in range(len(series_set))]
    names = [*_role_names(series_set), *series_set.channel_names, "label"]
    values = np.concatenate(series_set.series, axis=1)
    values = np.where(np.isfinite(values), values, np.float32(np.nan))
    columns: list[object] = [
        np.repeat(np.array(series_set.series_ids, dtype=object), lengths),
        times if series_set.sampling_rate else times.astype(np.int64),
        *values,
        np.repeat(np.array(labels, dtype=object), lengths),
    ]
    if series_set.instance_labels is not None:
        names.append("instance_label")
        columns.append(np.concatenate(series_set.instance_labels).astype(np.int64))
    if (series_set.split == "test").any():
        names.append("split")
        columns.append(np.repeat(series_set.split, lengths))
    frame = pd.DataFrame(dict(enumerate(columns)))
    return _with_quotes(series_set, frame, names).encode("utf-8")


def _role_names(series_set: SeriesSet) -> tuple[str, str]:
    return "id", "time_s" if series_set.sampling_rate else "time"


def _with_quotes(series_set: SeriesSet, frame: pd.DataFrame, names: list[str]) -> str:
    """Quote every text where one begins with a blank: unquoted, it would be read without."""
    texts = (*series_set.series_ids, *series_set.class_names, *series_set.channel_names)
    quoting = csv.QUOTE_NONNUMERIC if any(text != text.strip() for text in texts) else csv.QUOTE_MINIMAL
    return str(frame.to_csv(index=False, header=names, quoting=quoting, lineterminator="\n"))
