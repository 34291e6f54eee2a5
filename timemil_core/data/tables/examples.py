"""Templates to download, fill in and upload again: one a layout, of real series."""

from __future__ import annotations

import numpy as np

from timemil_core.data.bundled import load_bundled
from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.data.tables.melted import write_melted_table, write_series_files
from timemil_core.data.tables.wide import write_ucr_table, write_wide_table
from timemil_core.data.tables.writing import write_long_table

SERIES_A_CLASS = 3


def example_tables() -> dict[str, bytes]:
    """Return file names and contents: some series of each class of BasicMotions (six channels) and of GunPoint."""
    motions, gestures = (_some_of_each_class(load_bundled(name)) for name in ("BasicMotions", "GunPoint"))
    return {
        "example_long.csv": write_long_table(motions),
        "example_melted.csv": write_melted_table(motions),
        "example_wide.csv": write_wide_table(gestures),
        "example_wide_channels.csv": write_wide_table(motions),
        "example_ucr.tsv": write_ucr_table(gestures),
        "example_a_file_a_series.zip": write_series_files(motions),
    }


def _some_of_each_class(series_set: SeriesSet) -> SeriesSet:
    training = series_set.indices("train")
    labels = series_set.labels[training]
    chosen: list[IntArray] = [training[labels == label][:SERIES_A_CLASS] for label in range(series_set.n_classes)]
    return series_set.subset(np.sort(np.concatenate(chosen)))
