"""``SeriesSet``: what every reader returns and everything after it takes.

Shapes follow aeon: a series is ``(n_channels, n_timepoints)``; lengths may differ within a set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from timemil_core.data.time_axis import AxisUnit, axis_rate, axis_unit
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

FloatArray = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Part = Literal["train", "test"]

UNKNOWN_LABEL = -1


@dataclass(frozen=True, eq=False)
class SeriesSet:
    """A set of labelled series: bags of instances (paper, section 3.1).

    Attributes
    ----------
    name
        What the set is called in titles and URLs.
    series
        ``n_series`` arrays, each ``(n_channels, n_timepoints)`` float32; NaN is a missing value.
    labels
        ``(n_series,)`` indices into ``class_names``; -1 where the class is not known.
    class_names
        In the order in which a model's logits come.
    series_ids
        One per series, unique: the user's own names.
    channel_names
        One per channel.
    sampling_rate
        In Hz; None where it is not known, and the axis then counts time points.
    instance_labels
        The truth where it is known: ``n_series`` boolean arrays ``(n_timepoints,)``, True at time points that
        make the series what it is. None where there is none.
    split
        ``(n_series,)`` of ``"train"`` and ``"test"``.
    provenance
        Where the data come from and each thing that was done to them, in sentences that the page shows.
    groups
        What each series comes from (a subject, a recording), one name a series; None where it is not known. Splits
        keep a group on one side.
    timestamps
        When each time point was observed, where steps are unequal or their unit is not known; else None.
    """

    name: str
    series: tuple[FloatArray, ...]
    labels: IntArray
    class_names: tuple[str, ...]
    series_ids: tuple[str, ...]
    channel_names: tuple[str, ...]
    split: npt.NDArray[np.str_]
    sampling_rate: float | None = None
    instance_labels: tuple[BoolArray, ...] | None = None
    provenance: tuple[str, ...] = ()
    groups: tuple[str, ...] | None = None
    timestamps: Timestamps | None = None

    def __post_init__(self) -> None:
        n = len(self.series)
        counts = {"labels": len(self.labels), "series_ids": len(self.series_ids), "split": len(self.split)}
        optional = {"instance_labels": self.instance_labels, "groups": self.groups, "timestamps": self.timestamps}
        counts |= {key: len(values) for key, values in optional.items() if values is not None}
        if n == 0 or not self.channel_names:
            raise DataError(f"The set holds no {'channels' if n else 'series'}.", where=self.name)
        if wrong := {key: count for key, count in counts.items() if count != n}:
            raise DataError(f"{n} series, but {wrong}.", where=self.name)
        for name in ("class_names", "channel_names", "series_ids", "groups"):
            _check_text(getattr(self, name) or (), f"{self.name!a}, {name}")
        if len(set(self.series_ids)) != n:
            raise DataError("Series ids are not unique.", where=self.name)
        for index, values in enumerate(self.series):
            self._check_series(index, values)
        if self.labels.size and (self.labels.max() >= len(self.class_names) or self.labels.min() < UNKNOWN_LABEL):
            raise DataError("A label points to no class name.", where=self.name)
        if not set(np.unique(self.split)) <= {"train", "test"}:
            raise DataError("The split may hold 'train' and 'test' only.", where=self.name)

    def _check_series(self, index: int, values: FloatArray) -> None:
        where = f"{self.name}, series {self.series_ids[index]!r}"
        if values.ndim != 2 or values.shape[0] != len(self.channel_names):
            raise DataError(
                f"shape {values.shape}, expected ({len(self.channel_names)} channels, n_timepoints).", where=where
            )
        if values.shape[1] == 0:
            raise DataError("The series has no time points.", where=where)
        truth = None if self.instance_labels is None else self.instance_labels[index]
        if truth is not None and truth.shape != (values.shape[1],):
            raise DataError(f"{values.shape[1]} time points, {truth.shape} instance labels.", where=where)
        times = None if self.timestamps is None else self.timestamps.values[index]
        if times is not None and times.shape != (values.shape[1],):
            raise DataError(f"{values.shape[1]} time points, {times.shape} times.", where=where)
        if times is not None and not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
            raise DataError("The times do not rise from point to point.", where=where)

    def __len__(self) -> int:
        return len(self.series)

    @property
    def n_channels(self) -> int:
        """The number of channels."""
        return len(self.channel_names)

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.class_names)

    @cached_property
    def lengths(self) -> IntArray:
        """The number of time points of each series, ``(n_series,)``."""
        return np.array([values.shape[1] for values in self.series], dtype=np.int64)

    @property
    def axis(self) -> AxisUnit:
        """The unit of `times`: of the observed ones where their unit is known, else of the sampling rate."""
        step = self.timestamps.step_seconds if self.timestamps is not None else None
        return axis_unit(1.0 / step if step else self.sampling_rate)

    @property
    def time_unit(self) -> str:
        """What the time axis is labelled with."""
        return self.axis.title

    @property
    def axis_rate(self) -> float:
        """Time points in a unit of the time axis where steps are equal; else 1, to count them."""
        return axis_rate(self.sampling_rate)

    def times(self, index: int) -> npt.NDArray[np.float64]:
        """Return the time of each point of one series since its first, in the axis's unit, ``(n_timepoints,)``.

        Points of unequal steps stand where they were observed. Where neither a sampling rate nor the unit of the
        times is known, points are counted from 0.
        """
        observed = self.timestamps
        if observed is None or observed.unit is None:
            return np.arange(self.lengths[index]) / self.axis_rate
        own = observed.values[index]
        return np.asarray((own - own[0]) * (observed.unit / self.axis.size))

    def seconds(self, index: int) -> npt.NDArray[np.float64]:
        """Return the time of each point of one series in seconds; without a sampling rate its index."""
        return np.arange(self.lengths[index]) / (self.sampling_rate or 1.0)

    def label_name(self, index: int) -> str | None:
        """Return the class name of one series, None where it is not known."""
        label = int(self.labels[index])
        return None if label == UNKNOWN_LABEL else self.class_names[label]

    def indices(self, part: Part) -> IntArray:
        """Return the indices of the series in one part of the split."""
        return np.flatnonzero(self.split == part)

    def subset(self, indices: Iterable[int], *, note: str = "") -> SeriesSet:
        """Return the chosen series as a set of its own, in the order given.

        Raises
        ------
        DataError
            Where nothing is chosen.
        """
        chosen = [int(index) for index in indices]
        truth = self.instance_labels
        return replace(
            self,
            series=tuple(self.series[i] for i in chosen),
            labels=self.labels[chosen],
            series_ids=tuple(self.series_ids[i] for i in chosen),
            split=self.split[chosen],
            instance_labels=None if truth is None else tuple(truth[i] for i in chosen),
            provenance=(*self.provenance, note) if note else self.provenance,
            groups=None if self.groups is None else tuple(self.groups[i] for i in chosen),
            timestamps=None if self.timestamps is None else self.timestamps.subset(chosen),
        )

    def part(self, part: Part) -> SeriesSet:
        """Return the training or the test series alone."""
        return self.subset(self.indices(part))

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that change with any value, label, name, split, rate, group or time."""
        digest = hashlib.sha256()
        texts = (*self.class_names, "|", *self.channel_names, "|", *self.series_ids, "|", *self.split.tolist())
        digest.update("\0".join(texts).encode())
        digest.update(str(self.sampling_rate).encode())
        digest.update(np.ascontiguousarray(self.labels).tobytes())
        digest.update(self.lengths.tobytes())
        for values in self.series:
            digest.update(np.ascontiguousarray(values).tobytes())
        for truth in self.instance_labels or ():
            digest.update(np.ascontiguousarray(truth).tobytes())
        if self.groups is not None:
            digest.update("\0".join(("groups", *self.groups)).encode())
        if self.timestamps is not None:
            digest.update(f"timestamps {self.timestamps.unit}".encode())
            for times in self.timestamps.values:
                digest.update(np.ascontiguousarray(times).tobytes())
        return digest.hexdigest()[:16]


def _check_text(texts: Sequence[str], where: str) -> None:
    try:
        "\0".join(texts).encode()
    except UnicodeEncodeError as error:
        wrong = next(text for text in texts if _is_broken(text))
        raise DataError(
            f"{wrong!a} holds half a character (a surrogate), which no file can keep.",
            where=where,
            remedy="Correct the encoding with which it was read.",
        ) from error


def _is_broken(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def default_channel_names(n_channels: int) -> tuple[str, ...]:
    """Return ``channel 1`` … for data that name no channels."""
    return tuple(f"channel {index + 1}" for index in range(n_channels))
