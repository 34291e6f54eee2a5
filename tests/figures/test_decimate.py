from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from timemil_core.figures.decimate import (
    bin_edges,
    bin_mean,
    decimate,
    kept_indices,
    one_a_bin,
    time_edges,
)


def test_short_series_are_drawn_whole():
    times, values = decimate(np.arange(5.0), np.array([1, np.nan, 3, 4, 5.0]), 5)
    np.testing.assert_array_equal(times, np.arange(5.0))
    np.testing.assert_array_equal(values, [1, np.nan, 3, 4, 5])


def test_extremes_and_ends_are_kept(random):
    values = random.normal(size=20_000)
    values[12_345], values[777] = 50, -50
    times, drawn = decimate(np.arange(20_000), values, 500)
    assert len(drawn) <= 500
    assert {0, 777, 12_345, 19_999} <= set(times.tolist())
    np.testing.assert_array_equal(drawn, values[times])


@settings(deadline=None, max_examples=60)
@given(
    arrays(np.float64, st.integers(1, 400), elements=st.one_of(st.floats(-1e6, 1e6), st.just(np.nan))),
    st.sampled_from([16, 20, 64]),
)
def test_never_more_points_than_asked_for_and_always_in_order(values, n_points):
    kept = kept_indices(values, n_points)
    assert len(kept) <= max(n_points, 0)
    assert np.all(np.diff(kept) > 0)
    finite = values[np.isfinite(values)]
    if len(finite):
        drawn = values[kept]
        assert np.nanmax(drawn) == finite.max()
        assert np.nanmin(drawn) == finite.min()


def test_a_long_gap_breaks_the_line():
    values = np.arange(10_000.0)
    values[4000:6000] = np.nan
    _, drawn = decimate(np.arange(10_000), values, 200)
    assert np.isnan(drawn).sum() == 1
    assert drawn[np.flatnonzero(np.isnan(drawn)) - 1] == 3999
    assert drawn[np.flatnonzero(np.isnan(drawn)) + 1] == 6000


def test_single_missing_points_do_not_hide_what_lies_between():
    values = np.sin(np.arange(10_000) / 100)
    values[::2] = np.nan
    _, drawn = decimate(np.arange(10_000), values, 400)
    assert np.isfinite(drawn).sum() > 300


def test_all_missing_is_drawn_as_one_gap():
    _, drawn = decimate(np.arange(1000), np.full(1000, np.nan), 100)
    assert len(drawn) == 1
    assert np.isnan(drawn[0])


def test_bins_by_hand():
    weights = np.array([1, 3, 5, 7, np.nan, 9.0])
    np.testing.assert_array_equal(bin_mean(weights, 3), [2, 6, 9])


def test_a_bin_without_values_is_missing():
    weights = np.array([1, 1, np.nan, np.nan])
    np.testing.assert_array_equal(bin_mean(weights, 2), [1, np.nan])


def test_bins_go_over_the_last_axis():
    weights = np.arange(12.0).reshape(2, 6)
    np.testing.assert_array_equal(bin_mean(weights, 2), [[1, 4], [7, 10]])


def test_few_weights_are_not_binned():
    weights = np.array([0.2, 0.8])
    assert bin_mean(weights, 2) is weights


@pytest.mark.parametrize("n", [10, 1001, 17_984])
def test_the_mean_keeps_the_mass(n, random):
    weights = random.random(n)
    counts = np.diff(bin_edges(n, 100))
    assert bin_mean(weights, 100) @ counts == pytest.approx(weights.sum())


def test_a_flat_map_stays_flat():
    np.testing.assert_allclose(bin_mean(np.full(17_984, 1 / 17_984), 1000), 1 / 17_984)


def test_borders_lie_halfway_between_time_points():
    np.testing.assert_array_equal(time_edges(np.array([0, 1, 3.0])), [-0.5, 0.5, 2, 4])


def test_borders_of_one_time_point():
    np.testing.assert_array_equal(time_edges(np.array([5.0])), [4.5, 5.5])


def test_borders_match_the_bins():
    times = np.arange(100) / 10
    assert len(time_edges(times, 30)) == len(bin_mean(np.ones(100), 30)) + 1
    assert time_edges(times, 30)[[0, -1]] == pytest.approx([-0.05, 9.95])


def test_marks_are_thinned_to_one_a_bin_of_the_span():
    moments = np.arange(0, 1000, 0.1)
    kept = one_a_bin(moments, (100.0, 300.0), 50)
    assert len(kept) == 51  # the moment at the very end is in a part of its own
    np.testing.assert_allclose(np.diff(kept)[:-1], 4.0)
    np.testing.assert_array_equal(one_a_bin(np.array([5.0, 1.0, 3.0, 9.0]), (1.0, 5.0), 50), [1, 3, 5])
    assert len(one_a_bin(moments, (2000.0, 3000.0), 50)) == 0
