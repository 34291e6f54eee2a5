"""Small sets and files for the tests of the data room."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from timemil_core.data.series_set import SeriesSet


def small_set(**changes: object) -> SeriesSet:
    """Three series of two channels and unequal lengths, one value missing, one of unknown class."""
    content: dict[str, object] = {
        "name": "small",
        "series": (
            np.array([[1, 2, 3], [4, np.nan, 6]], dtype=np.float32),
            np.array([[0.1], [-7e30]], dtype=np.float32),
            np.array([[0, 0], [1, 1]], dtype=np.float32),
        ),
        "labels": np.array([1, 0, -1]),
        "class_names": ("rest", "walk"),
        "series_ids": ("a", "b, quoted", "ü"),
        "channel_names": ("left", "right hand"),
        "split": np.array(["train", "test", "train"]),
        "sampling_rate": 12.5,
        "instance_labels": (np.array([True, False, True]), np.array([False]), np.array([False, True])),
        "provenance": ("made by hand",),
    }
    return SeriesSet(**{**content, **changes})  # type: ignore[arg-type]


def assert_equal_sets(one: SeriesSet, other: SeriesSet) -> None:
    """Assert equality in everything but name and provenance."""
    assert one.class_names == other.class_names
    assert one.series_ids == other.series_ids
    assert one.channel_names == other.channel_names
    assert one.sampling_rate == other.sampling_rate
    assert one.split.tolist() == other.split.tolist()
    assert one.labels.tolist() == other.labels.tolist()
    for mine, yours in zip(one.series, other.series, strict=True):
        assert yours.dtype == np.float32
        np.testing.assert_array_equal(mine, yours)
    assert (one.instance_labels is None) == (other.instance_labels is None)
    for truth, found in zip(one.instance_labels or (), other.instance_labels or (), strict=True):
        assert truth.tolist() == found.tolist()
    assert one.groups == other.groups
    assert (one.timestamps is None) == (other.timestamps is None)
    if one.timestamps is not None and other.timestamps is not None:
        assert one.timestamps.unit == other.timestamps.unit
        for mine, yours in zip(one.timestamps.values, other.timestamps.values, strict=True):
            assert mine.tolist() == yours.tolist()


HEADER = (
    "@problemName Toy\n@timestamps false\n@univariate false\n@equalLength {equal}\n@classLabel true Up Down\n@data\n"
)


def write_toy_ts(folder: Path, train: str, test: str, equal: bool = True) -> tuple[Path, Path]:
    """Write Toy_TRAIN.ts and Toy_TEST.ts with the rows given."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "Toy_TRAIN.ts", folder / "Toy_TEST.ts"
    for path, rows in zip(paths, (train, test), strict=True):
        path.write_text(HEADER.format(equal=str(equal).lower()) + rows)
    return paths
