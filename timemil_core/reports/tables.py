"""A map as a table, for other programs: CSV and NPZ, the same from the pages and from a shell."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.formulas import guarded
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.verdict import SeriesVerdict


def map_columns(
    series_set: SeriesSet, index: int, series: FloatArray, importance: Importance
) -> dict[str, npt.NDArray[Any]]:
    """Return a column each for time, channels, the map, the map of each channel where it has one, and the truth,
    which is not known of an edited series.

    ``series`` is ``(n_channels, n_timepoints)``, raw: that of the index, or what became of it by edits. Every column is
    ``(n_timepoints,)``.
    """
    names = series_set.channel_names
    columns = {series_set.time_unit: series_set.times(index), **dict(zip(names, series, strict=True))}
    columns["importance"] = importance.values
    if importance.per_channel is not None:
        per_channel = zip(names, importance.per_channel, strict=True)
        columns |= {f"importance of {name}": values for name, values in per_channel}
    if series_set.instance_labels is not None and _is_original(series_set, index, series):
        columns["instance label"] = series_set.instance_labels[index].astype(int)
    return columns


def map_csv(series_set: SeriesSet, index: int, series: FloatArray, importance: Importance) -> bytes:
    """Return a CSV with a row a time point, in UTF-8; names that a spreadsheet would run are defused."""
    columns = map_columns(series_set, index, series, importance)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([guarded(name) for name in columns])
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def map_npz(
    series_set: SeriesSet, index: int, series: FloatArray, importance: Importance, verdict: SeriesVerdict | None = None
) -> bytes:
    """Return an archive of arrays, read without pickle.

    ``times`` and ``values`` ``(n_timepoints,)``; ``series`` and, of an edited one, ``original``, and ``per_channel``
    where the map has channels, ``(n_channels, n_timepoints)``; ``instance_labels`` where there are any; ``name`` of the
    map. With a verdict ``shares`` ``(n_steps + 1,)``, ``cells`` ``(n_cells,)``, the filler and direction of each row of
    ``curves`` ``(n_cells, 1 + n_places, n_steps + 1)``, the map's own first, and how far each place lies, ``distances``
    ``(n_places,)``.
    """
    arrays: dict[str, Any] = {
        "times": series_set.times(index), "values": importance.values, "series": series, "name": importance.name
    }  # fmt: skip
    if importance.per_channel is not None:
        arrays["per_channel"] = importance.per_channel
    if not _is_original(series_set, index, series):
        arrays["original"] = series_set.series[index]
    elif series_set.instance_labels is not None:
        arrays["instance_labels"] = series_set.instance_labels[index]
    if verdict is not None:
        curves = verdict.curves
        arrays |= {"shares": curves.shares, "curves": curves.numbers, "distances": verdict.distances}
        arrays["cells"] = np.array([", ".join(cell) for cell in curves.cells])
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    return content.getvalue()


def _is_original(series_set: SeriesSet, index: int, series: FloatArray) -> bool:
    return np.array_equal(series, series_set.series[index], equal_nan=True)
