"""The scale of each channel, by hand."""

from __future__ import annotations

import numpy as np

from tests.data.overview.test_class_means import set_of
from timemil_core.data.overview import ChannelScale, channel_scales


def test_five_numbers_over_all_series() -> None:
    made = set_of([[[0, 1, 2], [7, 7, float("nan")]], [[3, 4], [7, 7]]], [0, 0])
    assert channel_scales(made, [0, 1]) == (ChannelScale(0, 1, 2, 3, 4), ChannelScale(7, 7, 7, 7, 7))


def test_a_channel_without_values_is_missing_not_an_error() -> None:
    [scale] = channel_scales(set_of([[[float("nan")], [1]]], [0]), [0])
    assert np.isnan([scale.low, scale.median, scale.high]).all()


def test_extremes_of_a_long_channel_are_kept() -> None:
    values = np.zeros(1_000_001, dtype=np.float32)
    values[777_777] = -5
    made = set_of([[[1.0]]], [0])
    long = type(made)(**{**made.__dict__, "series": (values[None],)})
    [scale] = channel_scales(long, [0])
    assert (scale.low, scale.median, scale.high) == (-5, 0, 0)
