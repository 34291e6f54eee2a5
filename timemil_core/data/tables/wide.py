"""A ``SeriesSet`` as tables of a row a series, which are read back to its values."""

from __future__ import annotations

import numpy as np
import pandas as pd

from timemil_core.data.formulas import guarded
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError


def write_wide_table(series_set: SeriesSet) -> bytes:
    """Write ``id, label[, group][, split], t_0 … t_n`` as CSV in UTF-8, a row a series; shorter rows end empty.

    Several channels are named ``<channel>_0 …``, one after the other.
    """
    longest = int(series_set.lengths.max())
    stems = series_set.channel_names if series_set.n_channels > 1 else ("t",)
    frame = pd.DataFrame(_values(series_set), columns=[f"{stem}_{time}" for stem in stems for time in range(longest)])
    columns: dict[str, list[str]] = {
        "id": list(series_set.series_ids),
        "label": [series_set.label_name(index) or "" for index in range(len(series_set))],
    }
    if series_set.groups is not None:
        columns["group"] = list(series_set.groups)
    if (series_set.split == "test").any():
        columns["split"] = series_set.split.tolist()
    for place, (name, texts) in enumerate(columns.items()):
        frame.insert(place, name, [guarded(text) for text in texts])
    frame.columns = [guarded(name) for name in frame.columns]
    return str(frame.to_csv(index=False, lineterminator="\n")).encode("utf-8")


def write_ucr_table(series_set: SeriesSet) -> bytes:
    """Write the UCR archive's layout: tabs, no header, the class first, NaN behind a shorter series' end.

    Raises
    ------
    DataError
        Where there are several channels, which the layout cannot hold.
    """
    if series_set.n_channels > 1:
        raise DataError(
            f"The UCR layout holds one channel; there are {series_set.n_channels}.",
            where=series_set.name,
            remedy="Take the wide table.",
        )
    frame = pd.DataFrame(_values(series_set))
    frame.insert(0, "label", [series_set.label_name(index) or "NaN" for index in range(len(series_set))])
    return str(frame.to_csv(index=False, header=False, sep="\t", na_rep="NaN", lineterminator="\n")).encode("utf-8")


def _values(series_set: SeriesSet) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return ``(n_series, n_channels * longest)``, NaN behind each series' end."""
    longest = int(series_set.lengths.max())
    values = np.full((len(series_set), series_set.n_channels, longest), np.nan, dtype=np.float32)
    for index, one in enumerate(series_set.series):
        values[index, :, : one.shape[1]] = one
    return values.reshape(len(series_set), -1)
