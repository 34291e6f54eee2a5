"""How large the values of each channel are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import SeriesSet

MOST_VALUES = 200_000


@dataclass(frozen=True)
class ChannelScale:
    """Smallest value, quartiles and largest value of one channel over all series; NaN where it has no value."""

    low: float
    first_quartile: float
    median: float
    third_quartile: float
    high: float


def channel_scales(series_set: SeriesSet, channels: Sequence[int]) -> tuple[ChannelScale, ...]:
    """Return the scale of each channel that is asked for; quartiles of at most 200,000 values, evenly taken."""
    return tuple(_scale(series_set, channel) for channel in channels)


def _scale(series_set: SeriesSet, channel: int) -> ChannelScale:
    values = np.concatenate([one[channel] for one in series_set.series])
    values = values[np.isfinite(values)]
    if not len(values):
        return ChannelScale(*[float("nan")] * 5)
    sample = values[:: -(-len(values) // MOST_VALUES)].astype(np.float64)
    first, median, third = (float(value) for value in np.quantile(sample, [0.25, 0.5, 0.75]))
    return ChannelScale(float(values.min()), first, median, third, float(values.max()))
