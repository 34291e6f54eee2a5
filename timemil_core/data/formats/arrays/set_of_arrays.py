"""From arrays with known roles to series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from timemil_core.data.files.parts import Parts
from timemil_core.data.formats.arrays.loading import Array
from timemil_core.data.formats.arrays.roles import arranged
from timemil_core.data.formats.tables.read import Rounding
from timemil_core.data.report_line import ReportLine, repair
from timemil_core.data.series_set import FloatArray, default_channel_names
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

SPLIT_WORDS = {
    **dict.fromkeys(("train", "training", "false", "0"), "train"),
    **dict.fromkeys(("test", "testing", "true", "1"), "test"),
}


def as_parts(arrays: Mapping[str, Array], axes: str, where: str) -> Parts:
    """Return the series of arrays by role; see ``export.arrays.write_npz`` for their meaning.

    Raises
    ------
    DataError
        Where an array does not have one entry a series, or holds what it cannot.
    """
    values, labels = arranged(arrays["values"], axes)
    n_series, n_channels, longest = values.shape
    lines: list[ReportLine] = []
    lengths = _lengths(arrays, values, where, lines)
    series, more = _series(values, lengths)
    channel_names = _texts(arrays.get("channel_names"), n_channels, "channel_names", where)
    truth = _of_points(arrays.get("instance_labels"), n_series, longest, "instance_labels", where)
    times = _of_points(arrays.get("timestamps"), n_series, longest, "timestamps", where)
    unit = arrays.get("timestamp_unit")
    found = arrays.get("labels", labels)
    return Parts(
        series=series,
        ids=_texts(arrays.get("ids"), n_series, "ids", where) or [str(index + 1) for index in range(n_series)],
        channel_names=tuple(channel_names) if channel_names else default_channel_names(n_channels),
        labels=_labels(found, arrays.get("class_names"), n_series, where, lines),
        split=_split(arrays.get("split"), n_series, where),
        sampling_rate=_rate(arrays.get("sampling_rate"), where),
        truth=None if truth is None else [row[:n] != 0 for row, n in zip(truth, lengths, strict=True)],
        groups=_texts(arrays.get("groups"), n_series, "groups", where),
        timestamps=None if times is None else _timestamps(times, lengths, unit, where),
        lines=[*lines, *more],
    )


def _lengths(arrays: Mapping[str, Array], values: Array, where: str, lines: list[ReportLine]) -> list[int]:
    n_series, _, longest = values.shape
    given = arrays.get("lengths")
    if given is not None:
        if given.shape != (n_series,) or given.dtype.kind not in "iu" or not ((given > 0) & (given <= longest)).all():
            raise DataError(
                f"'lengths' does not hold a length from 1 to {longest} for each of {n_series} series.", where=where
            )
        return [int(length) for length in given]
    lengths = []
    for one in values:
        observed = ~np.isnan(one).all(axis=0) if one.dtype.kind == "f" else np.ones(longest, dtype=np.bool_)
        lengths.append(longest - int(observed[::-1].argmax()) if observed.any() else longest)
    if n_padded := sum(length < longest for length in lengths):
        lines.append(repair(f"Missing values at the end of {n_padded:,} series were taken for padding and cut off."))
    return lengths


def _series(values: Array, lengths: list[int]) -> tuple[list[FloatArray], list[ReportLine]]:
    n_channels = values.shape[1]
    rounding = Rounding(n_channels)
    series: list[FloatArray] = []
    for one, length in zip(values, lengths, strict=True):
        piece = one[:, :length]
        if piece.dtype == np.float32 and np.isfinite(piece).all():
            series.append(np.ascontiguousarray(piece))
            continue
        wide = piece.astype(np.float64)
        wide[~np.isfinite(wide)] = np.nan
        series.append(np.ascontiguousarray(rounding.round(wide.T).T))
    names = default_channel_names(n_channels)
    return series, list(rounding.lines({name: [place] for place, name in enumerate(names)}))


def _labels(
    found: Array | None, class_names: Array | None, n_series: int, where: str, lines: list[ReportLine]
) -> list[str | None]:
    if found is None:
        return [None] * n_series
    labels = found.reshape(-1) if found.size == n_series else found
    if labels.ndim == 2 and labels.shape[0] == n_series and labels.dtype.kind in "biuf":
        lines.append(repair(f"The labels are one-hot, {labels.shape}; the position of the largest is the class."))
        labels = labels.argmax(axis=1)
    if labels.shape != (n_series,):
        raise DataError(
            f"{n_series} series, but labels of shape {found.shape}.",
            where=where,
            remedy="Choose the array of labels, or other axes.",
        )
    if class_names is not None and labels.dtype.kind in "iu" and labels.min() >= 0 and labels.max() < class_names.size:
        names = [_text(one) for one in class_names.reshape(-1)]
        return [names[int(label)] for label in labels]
    return [_text(label) for label in labels]


def _text(label: Any) -> str | None:
    """Return a label as text: 1.0 as ``1``, NaN and empty as None."""
    if isinstance(label, np.bool_):
        return str(bool(label)).lower()
    if isinstance(label, np.floating):
        number = float(label)
        if not np.isfinite(number):
            return None
        return str(int(number)) if number.is_integer() else repr(number)
    if isinstance(label, bytes):
        return label.decode("utf-8", errors="replace")
    return str(label)


def _texts(array: Array | None, n: int, role: str, where: str) -> list[str] | None:
    if array is None:
        return None
    if array.size != n:
        raise DataError(f"{role!r} holds {array.size} entries for {n} of them.", where=where, remedy="Leave it out.")
    return [_text(one) or "" for one in array.reshape(-1)]


def _split(array: Array | None, n_series: int, where: str) -> list[str] | None:
    words = _texts(array, n_series, "split", where)
    if words is None:
        return None
    if unknown := [word for word in words if word.strip().lower() not in SPLIT_WORDS]:
        raise DataError(f"{unknown[0]!r} is neither train nor test.", where=f"{where}, array 'split'")
    return [SPLIT_WORDS[word.strip().lower()] for word in words]


def _rate(array: Array | None, where: str) -> float | None:
    if array is None:
        return None
    rate = float(array.reshape(-1)[0]) if array.size == 1 and array.dtype.kind in "iuf" else np.nan
    if not 0 < rate < np.inf:
        raise DataError("The sampling rate is no positive number.", where=where, remedy="Leave it out, or mend it.")
    return rate


def _of_points(array: Array | None, n_series: int, longest: int, role: str, where: str) -> Array | None:
    if array is None:
        return None
    if array.shape != (n_series, longest) or array.dtype.kind not in "biuf":
        raise DataError(
            f"{role!r} has shape {array.shape}, not a number for each time point, ({n_series}, {longest}).", where=where
        )
    return array


def _timestamps(times: Array, lengths: list[int], unit: Array | None, where: str) -> Timestamps:
    seconds = None if unit is None or unit.size != 1 or unit.dtype.kind not in "iuf" else float(unit.reshape(-1)[0])
    rows = tuple(np.asarray(row[:n], dtype=np.float64) for row, n in zip(times, lengths, strict=True))
    return Timestamps(rows, seconds)
