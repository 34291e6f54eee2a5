"""A set as NumPy arrays in one ``.npz`` file, without pickled objects."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from timemil_core.data.padding import pad
from timemil_core.data.series_set import SeriesSet


def write_npz(series_set: SeriesSet) -> bytes:
    """Write everything that the set knows, in arrays under these names.

    - ``X`` ``(n_series, n_channels, longest)`` float32: NaN where a value is missing, and behind a series' end;
    - ``lengths`` ``(n_series,)``;
    - ``y`` ``(n_series,)``: class names, empty where the class is not known; ``class_names``;
    - ``series_ids``, ``split`` (``train``, ``test``), ``channel_names``;
    - where known: ``sampling_rate`` (Hz), ``groups``, ``instance_labels`` ``(n_series, longest)``, ``timestamps``
      ``(n_series, longest)`` and ``timestamp_unit`` (seconds).
    """
    values, mask = pad(series_set.series)
    values[~np.broadcast_to(mask[:, None], values.shape)] = np.nan
    arrays: dict[str, Any] = {
        "X": values,
        "lengths": series_set.lengths,
        "y": _texts(series_set.label_name(index) or "" for index in range(len(series_set))),
        "class_names": _texts(series_set.class_names),
        "series_ids": _texts(series_set.series_ids),
        "split": _texts(series_set.split),
        "channel_names": _texts(series_set.channel_names),
    }
    if series_set.sampling_rate is not None:
        arrays["sampling_rate"] = np.float64(series_set.sampling_rate)
    if series_set.groups is not None:
        arrays["groups"] = _texts(series_set.groups)
    if series_set.instance_labels is not None:
        arrays["instance_labels"] = np.zeros(mask.shape, dtype=np.bool_)
        arrays["instance_labels"][mask] = np.concatenate(series_set.instance_labels)
    if (times := series_set.timestamps) is not None:
        arrays["timestamps"] = np.full(mask.shape, np.nan)
        arrays["timestamps"][mask] = np.concatenate(times.values)
        if times.unit is not None:
            arrays["timestamp_unit"] = np.float64(times.unit)
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()


def _texts(texts: Any) -> np.ndarray[Any, np.dtype[np.str_]]:
    return np.array([str(text) for text in texts], dtype=np.str_)
