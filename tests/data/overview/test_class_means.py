"""Class means and their bands, by hand."""

from __future__ import annotations

import numpy as np

from timemil_core.data.overview import class_means
from timemil_core.data.overview.bins import bin_starts, binned_mean
from timemil_core.data.overview.class_means import SERIES_A_CLASS
from timemil_core.data.series_set import SeriesSet, default_channel_names


def set_of(series: list[list[list[float]]], labels: list[int], rate: float | None = None) -> SeriesSet:
    arrays = tuple(np.array(one, dtype=np.float32) for one in series)
    return SeriesSet(
        name="made",
        series=arrays,
        labels=np.array(labels),
        class_names=tuple("abc"[: max(labels) + 1]),
        series_ids=tuple(str(index) for index in range(len(arrays))),
        channel_names=default_channel_names(arrays[0].shape[0]),
        split=np.full(len(arrays), "train"),
        sampling_rate=rate,
    )


def test_mean_and_quartiles_of_each_class() -> None:
    made = class_means(set_of([[[0, 1]], [[4, 1]], [[8, 1]], [[5, 5]]], [0, 0, 0, 1]), [0, 1], [0])
    np.testing.assert_allclose(made.curves[0][:, 0], [[4, 1], [2, 1], [6, 1]])
    np.testing.assert_allclose(made.curves[1][:, 0], [[5, 5]] * 3)
    assert made.n_series == {0: 3, 1: 1}
    assert made.n_timepoints_a_bin == 1
    np.testing.assert_array_equal(made.times, [0, 1])


def test_times_are_in_seconds_where_the_rate_is_known() -> None:
    np.testing.assert_allclose(class_means(set_of([[[1, 2, 3]]], [0], rate=4.0), [0], [0]).times, [0, 0.25, 0.5])


def test_missing_values_are_left_out_and_a_moment_without_any_is_a_gap() -> None:
    made = class_means(set_of([[[1, np.nan, np.nan]], [[3, 7, np.nan]]], [0, 0]), [0], [0])
    np.testing.assert_array_equal(made.curves[0][0, 0], [2, 7, np.nan])


def test_a_curve_ends_where_fewer_than_half_of_its_series_go_on() -> None:
    made = class_means(set_of([[[1, 1, 1, 1]], [[3, 3, 3]], [[5, 5]], [[7]]], [0] * 4), [0], [0])
    np.testing.assert_array_equal(made.curves[0][0, 0], [4, 3, 2, np.nan])


def test_channels_are_those_asked_for_in_that_order() -> None:
    made = class_means(set_of([[[1, 1], [2, 2], [3, 3]]], [0]), [0], [2, 0])
    np.testing.assert_array_equal(made.curves[0][0], [[3, 3], [1, 1]])
    assert made.channels == (2, 0)


def test_classes_without_a_series_are_left_out_and_unknown_ones_can_be_asked_for() -> None:
    made = class_means(set_of([[[1]], [[9]]], [0, -1]), [0, 1, -1], [0])
    assert {label: float(curve[0, 0, 0]) for label, curve in made.curves.items()} == {0: 1.0, -1: 9.0}


def test_long_series_are_averaged_in_bins() -> None:
    long = np.arange(100_000, dtype=np.float64)[None, None]
    made = class_means(set_of(long.tolist(), [0]), [0], [0], n_bins=400)
    assert made.n_timepoints_a_bin == 250
    np.testing.assert_allclose(made.curves[0][0, 0], made.times)
    np.testing.assert_allclose(made.times[[0, -1]], [124.5, 99_874.5])


def test_of_many_series_a_part_is_taken_evenly() -> None:
    n = 3 * SERIES_A_CLASS
    made = class_means(set_of([[[float(index)]] for index in range(n)], [0] * n), [0], [0])
    assert made.n_series == {0: SERIES_A_CLASS}
    np.testing.assert_allclose(made.curves[0][0, 0, 0], (n - 1) / 2, atol=0.5)


def test_bins_of_a_series_that_ends_before_they_do() -> None:
    starts = bin_starts(7, 3)
    assert starts.tolist() == [0, 2, 4]
    np.testing.assert_allclose(binned_mean(np.array([1.0, 3, 5]), starts), [2, 5, np.nan])
    assert bin_starts(2, 5).tolist() == [0, 1]
