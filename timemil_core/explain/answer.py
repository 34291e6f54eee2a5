"""What tells each class, for a model and a set, in a sentence and in arrays to draw: where in time, in which channel.

``answering.py`` finds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, FloatArray, IntArray, default_channel_names
from timemil_core.explain.evaluation.standing import Level
from timemil_core.explain.evaluation.wording import CHIP
from timemil_core.explain.importance import METHODS
from timemil_core.explain.labels import confusion_counts
from timemil_core.explain.where import Where

DoubleArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Example:
    """A series of the set that the model gives this class, with its map.

    Attributes
    ----------
    index, series_id
        Its place in the set, and its name.
    true_class
        None where it is not known.
    is_right
        Whether that is the class; None where it is not known.
    times
        ``(n_timepoints,)``, in the set's own unit.
    values
        ``(n_channels, n_timepoints)``.
    importance
        ``(n_channels, n_timepoints)``, or ``(1, n_timepoints)`` where the method does not tell channels apart.
    truth
        ``(n_timepoints,)``, where the set has it.
    """

    index: int
    series_id: str
    true_class: str | None
    is_right: bool | None
    times: DoubleArray
    values: FloatArray
    importance: DoubleArray
    truth: BoolArray | None


@dataclass(frozen=True, eq=False)
class ClassAnswer:
    """What tells one class.

    Attributes
    ----------
    label, name
        In the model's order of classes.
    method
        Key of the maps' method.
    level
        What its maps are worth for this class; None where that was not measured.
    in_one_place
        Whether a search finds evidence in one place at all; None where that was not measured.
    n_series
        How many maps were taken.
    where
        The place.
    channel
        Name of the channel that holds clearly the most of it, None where no single one does.
    shares
        ``(n_channels,)``: how much of what is positive within the places each channel holds; empty where the method
        does not tell channels apart.
    axis
        ``times`` are the series' own; or shares of their length, where they differ in time; or around the middle of
        each series' own place, where that moves.
    times
        ``(n_timepoints,)``.
    signal
        ``(n_channels, n_timepoints)``: mean over the series; NaN where fewer than half of them have a value.
    importance
        ``(n_channels, n_timepoints)`` or ``(1, n_timepoints)``: their mean map.
    truth
        ``(n_timepoints,)``: of how large a share of the series that have a known truth it lies here; empty without any.
    examples
        Typical ones that are right, and one that is wrong where there is any.
    n_met, n_marked
        Of how many series with a known truth the place meets it.
    unit
        Of time: "s", "time points".
    n_channels
        Of the set.
    """

    label: int
    name: str
    method: str
    level: Level | None
    in_one_place: bool | None
    n_series: int
    where: Where
    channel: str | None
    shares: tuple[float, ...]
    axis: Literal["own", "relative", "around"]
    times: DoubleArray
    signal: DoubleArray
    importance: DoubleArray
    truth: DoubleArray
    examples: tuple[Example, ...]
    n_met: int
    n_marked: int
    unit: str
    n_channels: int

    @property
    def chip(self) -> str:
        """The level in the words of all pages."""
        return "not measured" if self.level is None else CHIP[self.level]

    @property
    def finding(self) -> str:
        """What tells the class, to be written behind its name, without the level."""
        if self.level == "cannot be tested":
            return ": the model gives this class to an empty series as well, so nothing can be taken away from it"
        if self.level == "none" and self.in_one_place is not False:
            return ": removing what the map marks moves the model no more than removing other places does"
        if self.level == "none" or self.in_one_place is False or self.where.kind == "spread":
            if self.level == "none":
                return f": no map finds a place; what tells it is spread over the whole series{self._strongest}"
            if self.in_one_place and not self.where.spans:  # the search found one in each series, the map a long one
                return f" is told by a long part of each series{self._strongest}"
            return (
                f" is told all over the series{self._strongest or ('' if self.where.spans else ', not at one place')}"
            )
        if self.where.kind == "nowhere":
            return ": nothing in the map speaks for this class"
        if self.where.kind == "same":
            return f" is told by {self._channel or self._channels} at {self._spans}"
        about = f"a stretch of about {self._time(self.where.width, self.where.width)} {self.unit}"
        in_channel = f" in {self._channel or self._channels}" if self._channel or self._is_shared else ""
        return f" is told by {about}{in_channel}, at a different time in each series"

    @property
    def sentence(self) -> str:
        """All of it: the class, what tells it, and how good the evidence is."""
        return f"{self.name}{self.finding}; {self.chip}"

    @property
    def named_spans(self) -> tuple[tuple[float, float], ...]:
        """Those of ``where.spans`` that the sentence names."""
        is_named = self.where.kind == "same" or self.level not in ("none", None)
        return self.where.spans if is_named else ()

    @property
    def _channel(self) -> str | None:
        # The only one of a set says something only where it has a name.
        return None if self.n_channels == 1 and (self.channel,) == default_channel_names(1) else self.channel

    @property
    def _is_shared(self) -> bool:
        return bool(self.shares) and self.n_channels > 1

    @property
    def _channels(self) -> str:
        return "several channels together" if self._is_shared else "what happens"

    @property
    def _strongest(self) -> str:
        """Of what is spread: the channel that holds most, and where most of it is."""
        channel = self.channel if self.n_channels > 1 else None
        if not self.where.spans or self.level in ("none", None):
            return f", most of it in {channel}" if channel else ""
        return f", strongest {f'in {channel} ' if channel else ''}at {self._spans}"

    def _time(self, value: float, width: float) -> str:
        """Return a time as people write it: whole time points, else to a tenth of a width."""
        digits = int(np.clip(1 - np.floor(np.log10(width)), 0, 6)) if width > 0 else 2
        return f"{value:.0f}" if self.unit == "time points" else f"{value:.{digits}f}"

    @property
    def _spans(self) -> str:
        if self.axis == "relative":
            return f"{' and '.join(f'{100 * a:.0f} to {100 * b:.0f} %' for a, b in self.where.spans)} of its length"
        told = " and ".join(f"{self._time(a, b - a)} to {self._time(b, b - a)}" for a, b in self.where.spans)
        return f"{self.unit} {told}" if self.unit == "time points" else f"{told} {self.unit}"


@dataclass(frozen=True, eq=False)
class Answer:
    """What tells each class that a model predicts on a set, the best told first.

    Attributes
    ----------
    classes
        Those that it predicts.
    part
        Of which series: "test", or "all".
    indices, true, predicted
        ``(n_classified,)``: the series that were classified to find some of each class, their labels in the model's
        order, -1 where they are not known, and those that the model gives them.
    time_title
        Of the set's own axis of time.
    channel_names
        Of the set.
    """

    classes: tuple[ClassAnswer, ...]
    part: str
    indices: IntArray
    true: IntArray
    predicted: IntArray
    time_title: str
    channel_names: tuple[str, ...]

    @property
    def n_known(self) -> int:
        """Of how many of the classified series the true class is known."""
        return int((self.true != UNKNOWN_LABEL).sum())

    @property
    def wrong(self) -> IntArray:
        """The series that the model is wrong about."""
        return self.indices[(self.true != UNKNOWN_LABEL) & (self.true != self.predicted)]

    def confusion(self, n_classes: int) -> IntArray:
        """Count the classified series by true class (row) and predicted class, ``(n_classes, n_classes)``."""
        return confusion_counts(self.true, self.predicted, n_classes)

    def range_of(self, method: str) -> tuple[float, float]:
        """Return the range of colours of a method's maps: the same for all classes and series; about 0 if signed.

        Its end is what speaks most for a class in a typical example (the median of their peaks): one extreme series
        would pale all others, and one with nothing in it stays pale.
        """
        maps = [one.importance for answer in self.classes if answer.method == method for one in answer.examples]
        peaks = [float(one[np.isfinite(one)].max(initial=0.0)) for one in maps]
        typical = float(np.median(peaks)) if peaks else 0.0
        highest = typical if typical > 0 else max(peaks, default=0.0) or 1.0
        return (-highest if METHODS[method].signed else 0.0), highest
