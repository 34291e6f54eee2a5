"""Which array is what, by its name."""

from __future__ import annotations

from collections.abc import Iterable

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
