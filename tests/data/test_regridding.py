import numpy as np
import pytest

from timemil_core.data.regridding import regridded, regridded_marks


def test_values_between_are_on_the_line_between():
    made = regridded(np.array([0.0, 1.0, 3.0]), np.array([[0, 2, 6]], dtype=np.float32), rate=2.0, n_points=7)
    assert made.tolist() == [[0, 1, 2, 3, 4, 5, 6]]
    assert made.dtype == np.float32


@pytest.mark.pitfall(9)
def test_channels_of_different_rates_come_together():
    nan = np.nan
    values = np.array([[0, 1, 2, 3, 4], [10, nan, 20, nan, 30]], dtype=np.float32)
    made = regridded(np.arange(5) / 10, values, rate=10.0, n_points=5)
    assert made.tolist() == [[0, 1, 2, 3, 4], [10, 15, 20, 25, 30]]


def test_a_fast_wave_is_filtered_out_instead_of_coming_back_as_a_slow_one():
    seconds = np.arange(2000) / 200
    slow, fast = np.sin(2 * np.pi * 2 * seconds), np.sin(2 * np.pi * 45 * seconds)
    made = regridded(seconds, np.stack([slow, fast, slow + fast]).astype(np.float32), rate=50.0, n_points=500)
    inside = slice(20, -20)
    expected = np.sin(2 * np.pi * 2 * np.arange(500) / 50)
    assert np.abs(made[0] - expected)[inside].max() < 0.01
    assert np.abs(made[1])[inside].max() < 0.05  # taken point by point it would be a wave of 5 Hz and size 1
    assert np.abs(made[2] - expected)[inside].max() < 0.06


@pytest.mark.pitfall(26)
def test_an_offset_neither_rings_nor_drifts():
    values = np.full((1, 400), 1e6, dtype=np.float32)
    assert (regridded(np.arange(400.0), values, rate=0.3, n_points=120) == 1e6).all()


def test_a_long_gap_stays_missing_and_a_short_one_is_bridged():
    times = np.arange(30.0)
    values = np.where((times > 4) & (times < 20), np.nan, times)[None].astype(np.float32)
    made = regridded(times, values, rate=1.0, n_points=30)[0]
    assert np.flatnonzero(np.isnan(made)).tolist() == list(range(10, 15))  # farther than five steps from 4 and 20
    assert made[7] == 7.0


def test_a_channel_without_a_value_stays_missing():
    made = regridded(np.array([0.0, 1.0]), np.full((1, 2), np.nan, dtype=np.float32), rate=1.0, n_points=2)
    assert np.isnan(made).all()


def test_one_value_is_held_nearby():
    values = np.array([[np.nan, 3.0, np.nan]], dtype=np.float32)
    assert regridded(np.array([0.0, 1.0, 2.0]), values, rate=1.0, n_points=3).tolist() == [[3, 3, 3]]


def test_marks_go_to_the_nearest_point_and_none_is_lost():
    times = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 1.0])
    marks = np.array([False, True, False, False, False, False])
    assert regridded_marks(times, marks, rate=2.0, n_points=3).tolist() == [True, False, False]
    up = regridded_marks(np.array([0.0, 1.0]), np.array([False, True]), rate=4.0, n_points=5)
    assert up.tolist() == [False, False, False, True, True]
