"""Tables to download, fill in and upload again: one a layout, of real series."""

from __future__ import annotations

import numpy as np
import pandas as pd

from timemil_core.data.bundled import load_bundled
from timemil_core.data.formats.tables.writing import write_long_table
from timemil_core.data.series_set import IntArray, SeriesSet

SERIES_A_CLASS = 3
LONG_EXAMPLE = "example_long.csv"
WIDE_EXAMPLE = "example_wide.csv"


def example_tables() -> dict[str, bytes]:
    """Return file names and contents: BasicMotions as a long table, GunPoint as a wide one, some series of each."""
    motions, gestures = load_bundled("BasicMotions"), load_bundled("GunPoint")
    return {
        LONG_EXAMPLE: write_long_table(motions.subset(_some_of_each_class(motions))),
        WIDE_EXAMPLE: write_wide_table(gestures.subset(_some_of_each_class(gestures))),
    }


def _some_of_each_class(series_set: SeriesSet) -> IntArray:
    training = series_set.indices("train")
    labels = series_set.labels[training]
    chosen = [training[labels == label][:SERIES_A_CLASS] for label in range(series_set.n_classes)]
    return np.sort(np.concatenate(chosen))


def write_wide_table(series_set: SeriesSet) -> bytes:
    """Write ``id, label, t_0 … t_n`` as CSV in UTF-8, a row a series, channel after channel; shorter rows end empty.

    Several channels are named ``<channel>_0 …``.
    """
    longest = int(series_set.lengths.max())
    stems = series_set.channel_names if series_set.n_channels > 1 else ("t",)
    names = [f"{stem}_{time}" for stem in stems for time in range(longest)]
    values = np.full((len(series_set), series_set.n_channels, longest), np.nan, dtype=np.float32)
    for index, one in enumerate(series_set.series):
        values[index, :, : one.shape[1]] = one
    frame = pd.DataFrame(values.reshape(len(series_set), -1), columns=names)
    frame.insert(0, "id", list(series_set.series_ids))
    frame.insert(1, "label", [series_set.label_name(index) or "" for index in range(len(series_set))])
    return str(frame.to_csv(index=False, lineterminator="\n")).encode("utf-8")
