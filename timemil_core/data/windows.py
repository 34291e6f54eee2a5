"""Long recordings cut into windows that keep the recording as their group.

A window is labelled by its recording, or by what most of its time points are annotated as.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, IntArray, SeriesSet
from timemil_core.data.timestamps import Timestamps
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

MOST_WINDOWS = 1_000_000


@dataclass(frozen=True)
class _Window:
    """Time points ``start`` to before ``stop`` of the series at ``index``."""

    index: int
    start: int
    stop: int

    @property
    def where(self) -> slice:
        return slice(self.start, self.stop)


def cut_into_windows(
    series_set: SeriesSet, length: int, step: int | None = None, point_labels: Sequence[IntArray] | None = None
) -> SeriesSet:
    """Cut every series into windows.

    The recording becomes the group of its windows where the set knows no groups, so that windows of one recording
    never fall on both sides of a split. Time points behind the last full window are left out; a series shorter than
    a window stays whole. Both are told in the provenance.

    Parameters
    ----------
    length, step
        In time points; the step is by default the length, so that windows do not overlap.
    point_labels
        ``n_series`` arrays ``(n_timepoints,)``, indices into the class names, -1 where a time point has no class. A
        window takes the class of most of its time points that have one (of equals, the first in the classes' order),
        and those points become its instance labels. None: a window takes its series' class.

    Raises
    ------
    DataError
        Where length or step is below 1, or there would be too many windows.
    """
    step = length if step is None else step
    if min(length, step) < 1:
        raise DataError(f"Windows of {length} time points every {step} cannot be cut.", remedy="Give at least 1.")
    n_windows = sum(max(0, int(n) - length) // step + 1 for n in series_set.lengths)
    if n_windows > MOST_WINDOWS:
        raise DataError(f"{n_windows:,} windows; at most {MOST_WINDOWS:,} can be cut.", remedy="Choose a larger step.")
    windows = [
        _Window(index, start, min(start + length, n))
        for index, n in enumerate(map(int, series_set.lengths))
        for start in range(0, max(n - length, 0) + 1, step)
    ]
    return _cut(series_set, windows, point_labels, _told(series_set, windows, length, step, point_labels))


def majority_label(labels: IntArray) -> int:
    """Return the most frequent of the labels ``(n,)``, those that are -1 left out; -1 where none is left."""
    known = labels[labels != UNKNOWN_LABEL]
    return int(np.bincount(known).argmax()) if known.size else UNKNOWN_LABEL


def _cut(
    series_set: SeriesSet, windows: Sequence[_Window], point_labels: Sequence[IntArray] | None, told: list[str]
) -> SeriesSet:
    of_series = [window.index for window in windows]
    labels = series_set.labels[of_series]
    truth = None
    if series_set.instance_labels is not None:
        truth = tuple(series_set.instance_labels[window.index][window.where].copy() for window in windows)
    if point_labels is not None:
        annotated = [point_labels[window.index][window.where] for window in windows]
        labels = np.array([majority_label(piece) for piece in annotated], dtype=np.int64)
        truth = tuple(_marks(piece, label) for piece, label in zip(annotated, labels.tolist(), strict=True))
    times = series_set.timestamps
    groups = series_set.groups or series_set.series_ids
    return replace(
        series_set,
        series=tuple(series_set.series[window.index][:, window.where].copy() for window in windows),
        labels=labels,
        series_ids=_ids(series_set, windows),
        split=series_set.split[of_series],
        instance_labels=truth,
        provenance=(*series_set.provenance, *told),
        groups=tuple(groups[index] for index in of_series),
        timestamps=times and Timestamps(tuple(times.values[one.index][one.where] for one in windows), times.unit),
    )


def _marks(annotated: IntArray, label: int) -> BoolArray:
    return (annotated == label) & (label != UNKNOWN_LABEL)


def _ids(series_set: SeriesSet, windows: Sequence[_Window]) -> tuple[str, ...]:
    """Name windows after their series and where they begin, in time points from 0: unique, as ids are."""
    return tuple(f"{series_set.series_ids[one.index]} @{one.start}" for one in windows)


def _told(
    series_set: SeriesSet,
    windows: Sequence[_Window],
    length: int,
    step: int,
    point_labels: Sequence[IntArray] | None,
) -> list[str]:
    overlap = f"overlapping by {length - step:,}" if step < length else "without overlap"
    label = "their series' class" if point_labels is None else "the class of most of their time points"
    sentences = [
        f"{len(series_set):,} series were cut into {counted(len(windows), 'window')} of {length:,} time points, "
        f"{overlap}; windows take {label}, and windows of one recording stay on one side of a split."
    ]
    ends = {window.index: window.stop for window in windows}
    if left := sum(int(series_set.lengths[index]) - stop for index, stop in ends.items()):
        sentences.append(f"{counted(left, 'time point')} behind the last full windows were left out.")
    if short := int((series_set.lengths < length).sum()):
        sentences.append(f"{short:,} series shorter than a window stay whole.")
    if step > length:
        sentences.append(f"{step - length:,} time points between neighbouring windows were left out.")
    return sentences
