"""The most important spans of a map, and how they are cut out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

DoubleArray = npt.NDArray[np.float64]
Span = tuple[int, int]

MOST_POINTS = 48  # of a cutting when shapes are compared; longer ones are interpolated
MARGIN_SHARE = 0.25
SECOND_SHARE = 0.5


def important_spans(values: npt.NDArray[np.floating], window: int, most: int = 2) -> list[Span]:
    """Return the spans of ``window`` time points with the highest mean importance, the highest first.

    They do not overlap. The first has to be above 0, a further one above half of the first. A series shorter than the
    window is one span.
    """
    window = min(window, len(values))
    sums = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    means = (sums[window:] - sums[:-window]) / window
    spans: list[Span] = []
    highest = float(means.max())
    while len(spans) < most:
        start = int(means.argmax())
        if not means[start] > max(0.0, SECOND_SHARE * highest if spans else 0.0):
            break
        spans.append((start, start + window))
        means[max(start - window + 1, 0) : start + window] = -np.inf
    return spans


def with_margin(span: Span, n_timepoints: int) -> Span:
    """Return a span with a quarter of its length at each side, moved as little as need be to stay in the series."""
    margin = max(1, round(MARGIN_SHARE * (span[1] - span[0])))
    length = min(span[1] - span[0] + 2 * margin, n_timepoints)
    start = min(max(span[0] - margin, 0), n_timepoints - length)
    return start, start + length


def points_of(length: int) -> int:
    """Return in how many points a cutting of ``length`` time points is compared."""
    return min(length, MOST_POINTS)


def cut(prepared: npt.NDArray[np.floating], span: Span, n_points: int) -> DoubleArray:
    """Return the values of a span at ``n_points`` evenly spaced times, ``(n_channels, n_points)``."""
    positions = np.arange(prepared.shape[1])
    moments = np.linspace(span[0], span[1] - 1, n_points)
    return np.stack([np.interp(moments, positions, row.astype(np.float64)) for row in prepared])
