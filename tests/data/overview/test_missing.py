"""Where values are missing, by hand."""

from __future__ import annotations

import numpy as np

from tests.data.overview.test_class_means import set_of
from timemil_core.data.overview import missing_values
from timemil_core.data.overview.missing import BINS, ROWS

NAN = float("nan")


def test_nothing_is_missing() -> None:
    found = missing_values(set_of([[[1, 2]], [[3]]], [0, 0]))
    assert (found.n_missing, found.n_values, found.n_series) == (0, 3, 0)
    assert found.shares.shape == (0, 2)
    assert found.rows.shape == (0, 2)


def test_counts_by_series_time_and_channel() -> None:
    series = [[[1, 2, 3], [4, 5, 6]], [[NAN, 2, NAN], [4, 5, NAN]], [[1], [NAN]]]
    found = missing_values(set_of(series, [0, 0, 0], rate=2.0))
    assert (found.n_missing, found.n_values, found.n_series) == (4, 14, 2)
    np.testing.assert_allclose(found.by_channel, [2 / 7, 2 / 7])
    assert found.rows.tolist() == [[1, 1], [2, 2]]
    np.testing.assert_allclose(found.shares, [[0.5, 0, 1], [0.5, NAN, NAN]])
    np.testing.assert_allclose(found.times, [0, 0.5, 1, 1.5])


def test_many_series_are_grouped_and_long_ones_binned() -> None:
    n = 3 * ROWS
    series = [[[NAN, *[1.0] * (2 * BINS - 1)]] for _ in range(n)]
    found = missing_values(set_of(series, [0] * n))
    assert found.shares.shape == (ROWS, BINS)
    np.testing.assert_allclose(found.shares[:, 0], 0.5)
    np.testing.assert_allclose(found.shares[:, 1:], 0)
    assert found.rows[0].tolist() == [0, 2]
    assert found.rows[-1].tolist() == [n - 3, n - 1]
