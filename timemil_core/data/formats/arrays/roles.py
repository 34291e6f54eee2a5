"""Which array is what, by its name; and which of its axes is which, by the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from timemil_core.data.formats.arrays.loading import Array
from timemil_core.errors import DataError

NAMES: dict[str, tuple[str, ...]] = {
    "values": ("x", "data", "values", "series", "signals", "signal", "samples", "inputs", "features", "arr_0"),
    "labels": ("y", "labels", "label", "target", "targets", "classes", "class", "arr_1"),
    "lengths": ("lengths", "length", "n_timepoints", "seq_len", "lens"),
    "split": ("split", "part", "parts", "is_test"),
    "groups": ("groups", "group", "subjects", "subject", "patients", "patient", "recordings"),
    "ids": ("series_ids", "ids", "id", "names"),
    "channel_names": ("channel_names", "channels", "ch_names"),
    "class_names": ("class_names", "label_names", "target_names"),
    "sampling_rate": ("sampling_rate", "fs", "sfreq", "sample_rate", "frequency", "hz", "rate"),
    "instance_labels": ("instance_labels", "point_labels", "truth"),
    "timestamps": ("timestamps", "times", "time"),
    "timestamp_unit": ("timestamp_unit", "time_unit"),
}
PARTS = {"train": "train", "training": "train", "tr": "train", "test": "test", "te": "test", "testing": "test"}


def role_of(name: str) -> tuple[str, str] | None:
    """Return an array's role and part (``""`` for the whole set), None where the name tells none."""
    plain = name.strip().lower().replace("-", "_").rpartition("/")[2]
    for piece, part in PARTS.items():
        for stem in (plain.removesuffix(f"_{piece}"), plain.removeprefix(f"{piece}_"), plain.removesuffix(piece)):
            if stem != plain and (role := _role(stem)):
                return role, part
    role = _role(plain)
    return (role, "") if role else None


def _role(stem: str) -> str | None:
    return next((role for role, names in NAMES.items() if stem in names), None)


def parts_of(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return for each part (``""``, ``"train"``, ``"test"``) the array of each role."""
    parts: dict[str, dict[str, str]] = {}
    for name in names:
        if (found := role_of(name)) is not None:
            parts.setdefault(found[1], {}).setdefault(found[0], name)
    return parts


AXES: dict[str, tuple[int, str]] = {
    "nct": (3, "(series, channels, time points)"),
    "ntc": (3, "(series, time points, channels)"),
    "ctn": (3, "(channels, time points, series)"),
    "tcn": (3, "(time points, channels, series)"),
    "nt": (2, "(series, time points)"),
    "ct": (2, "one series of (channels, time points)"),
    "tc": (2, "one series of (time points, channels)"),
    "lnt": (2, "(series, class label and time points)"),
    "ntl": (2, "(series, time points and class label)"),
    "t": (1, "one series of time points"),
}
TURNED = {"ntc": (0, 2, 1), "ctn": (2, 0, 1), "tcn": (2, 1, 0)}
FEW_CLASSES = 60


def guess_axes(arrays: Mapping[str, Array], roles: Mapping[str, str]) -> tuple[str, str, bool]:
    """Return the key of the axes, why, and whether that is sure."""
    values = arrays[roles["values"]]
    n_labels = max(arrays[roles["labels"]].shape) if "labels" in roles and arrays[roles["labels"]].ndim else None
    if values.ndim == 1:
        return "t", "there is one axis", True
    if values.ndim == 2:
        return _of_two(values, n_labels)
    n_channels = arrays[roles["channel_names"]].size if "channel_names" in roles else None
    if n_labels is not None and n_labels == values.shape[2] != values.shape[0]:  # as MATLAB's users like to have it
        is_short = values.shape[0] <= values.shape[1]
        return ("ctn" if is_short else "tcn"), "the last axis is as long as there are labels", False
    middle, last = values.shape[1], values.shape[2]
    if n_channels is not None and (middle == n_channels) != (last == n_channels):
        return ("nct" if middle == n_channels else "ntc"), "there are as many names of channels", True
    if "lengths" in roles:
        return "nct", "lengths are given", True
    if middle <= last:
        return "nct", "there are fewer channels than time points", middle < last
    return "nct", "this order is the usual one, though there would be more channels than time points", False


def _of_two(values: Array, n_labels: int | None) -> tuple[str, str, bool]:
    if n_labels is not None and n_labels == values.shape[0]:
        return "nt", "there are as many labels as series", True
    if n_labels is None and values.shape[1] > 2:
        for key, column in (("lnt", values[:, 0]), ("ntl", values[:, -1])):
            if _could_be_classes(column) and not _could_be_classes(values[:, 1]):
                return key, f"the {'first' if key == 'lnt' else 'last'} column holds few whole numbers", False
    return "nt", "two axes usually are these", False


def _could_be_classes(column: Array) -> bool:
    numbers = np.asarray(column[:10_000], dtype=np.float64)
    if not numbers.size or not np.isfinite(numbers).all() or not (numbers == np.round(numbers)).all():
        return False
    n_distinct = len(np.unique(numbers))
    return 2 <= n_distinct <= min(FEW_CLASSES, max(2, numbers.size // 2))


def arranged(values: Array, axes: str) -> tuple[Array, Array | None]:
    """Return the values as ``(n_series, n_channels, n_timepoints)``, and the labels that stood among them.

    Raises
    ------
    DataError
        Where an axis is empty.
    """
    if not values.size:
        raise DataError(f"The array is empty: its shape is {values.shape}.", remedy="Save the series themselves.")
    labels = None
    if axes in ("lnt", "ntl"):
        labels = values[:, 0] if axes == "lnt" else values[:, -1]
        values = values[:, 1:] if axes == "lnt" else values[:, :-1]
        axes = "nt"
    if axes in TURNED:
        return values.transpose(TURNED[axes]), None
    if axes == "nt":
        return values[:, None, :], labels
    if axes in ("ct", "tc"):
        return (values if axes == "ct" else values.T)[None], None
    return values.reshape(1, 1, -1) if axes == "t" else values, None
