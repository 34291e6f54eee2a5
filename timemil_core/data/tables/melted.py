"""A ``SeriesSet`` as a table of a row a value, and as a file a series; both are read back to an equal set."""

from __future__ import annotations

import io
import re
import zipfile

import numpy as np
import pandas as pd

from timemil_core.data.series_set import SeriesSet
from timemil_core.data.tables.writing import write_long_table

UNSAFE = re.compile(r"[^\w.-]+")


def write_melted_table(series_set: SeriesSet) -> bytes:
    """Write ``id, time, channel, value, label[, …]`` as CSV in UTF-8: the long table with its channels melted."""
    long = pd.read_csv(io.BytesIO(write_long_table(series_set)), dtype="str", keep_default_na=False)
    channels = list(long.columns[2 : 2 + series_set.n_channels])
    others = [name for name in long.columns if name not in channels]
    melted = long.melt(id_vars=others, value_vars=channels, var_name="channel", value_name="value")
    order = np.argsort(np.tile(np.arange(len(long)), len(channels)), kind="stable")
    head = [*others[:2], "channel", "value", *others[2:]]
    return str(melted.iloc[order][head].to_csv(index=False, lineterminator="\n")).encode("utf-8")


def write_series_files(series_set: SeriesSet) -> bytes:
    """Write a zip of a CSV file a series, ``time, channels…``, in a folder for each class."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for index, one in enumerate(series_set.series):
            frame = pd.DataFrame(one.T, columns=list(series_set.channel_names))
            frame.insert(0, "time_s" if series_set.sampling_rate else "time", series_set.seconds(index))
            folder = UNSAFE.sub("_", series_set.label_name(index) or "unknown")
            name = f"{folder}/{UNSAFE.sub('_', series_set.series_ids[index])}.csv"
            archive.writestr(name, str(frame.to_csv(index=False, lineterminator="\n")))
    return content.getvalue()
