"""What a reader hands over, whatever the format: series, and what its files say of each, labels still as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from timemil_core.data.report_line import ReportLine
from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.data.timestamps import Timestamps


@dataclass(frozen=True)
class Span:
    """Time points ``start`` to before ``stop`` of one series, annotated with ``text``."""

    start: int
    stop: int
    text: str


@dataclass(eq=False)
class Parts:
    """Series in the making.

    Attributes
    ----------
    series
        Arrays ``(n_channels, n_timepoints)`` float32; NaN is a missing value.
    ids
        One a series, unique.
    channel_names
        One a channel.
    labels
        One a series, as written; None where there is none.
    split
        ``"train"`` or ``"test"`` a series; None where the files do not say.
    sampling_rate
        In Hz; None where it is not known.
    truth
        One boolean array ``(n_timepoints,)`` a series, True where its class shows; None where it is not known.
    groups
        The subject or recording of each series; None where it is not known.
    timestamps
        When time points were observed, where a sampling rate cannot tell it.
    spans
        Annotated stretches of each series, by which it can be cut; None where there are none.
    lines
        What was found and done.
    """

    series: Sequence[FloatArray]
    ids: Sequence[str]
    channel_names: tuple[str, ...]
    labels: Sequence[str | None]
    split: Sequence[str] | None = None
    sampling_rate: float | None = None
    truth: Sequence[BoolArray] | None = None
    groups: Sequence[str] | None = None
    timestamps: Timestamps | None = None
    spans: Sequence[Sequence[Span]] | None = None
    lines: list[ReportLine] = field(default_factory=list)

    @property
    def lengths(self) -> list[int]:
        """The number of time points of each series."""
        return [int(values.shape[1]) for values in self.series]


def runs(codes: np.ndarray[tuple[int], np.dtype[np.int64]], texts: Sequence[str], nothing: int = -1) -> list[Span]:
    """Return the stretches of equal codes ``(n_timepoints,)``, those of ``nothing`` left out."""
    starts = np.flatnonzero(np.diff(codes, prepend=codes[0] - 1 if codes.size else 0))
    stops = [*starts[1:].tolist(), len(codes)]
    pieces = zip(starts.tolist(), stops, strict=False)
    return [Span(start, stop, texts[codes[start]]) for start, stop in pieces if codes[start] != nothing]
