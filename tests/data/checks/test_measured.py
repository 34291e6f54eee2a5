import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.checks import measured
from timemil_core.data.checks.measured import measure
from timemil_core.data.synthetic import distractor_set


@pytest.mark.parametrize("at_once", [1, 2_000_000])
def test_statistics_are_those_of_each_series(monkeypatch, at_once):
    monkeypatch.setattr(measured, "POINTS_AT_ONCE", at_once)
    series_set = distractor_set(8, 4)
    made = measure(series_set)
    for index, values in enumerate(series_set.series):
        x = values.astype(np.float64)
        assert made.n_observed[index].tolist() == [values.shape[1]] * 3
        assert made.low[index] == pytest.approx(x.min(axis=1))
        assert made.high[index] == pytest.approx(x.max(axis=1))
        assert made.mean[index] == pytest.approx(x.mean(axis=1))
        assert made.deviation[index] == pytest.approx(x.std(axis=1))
        assert made.least_step[index] == pytest.approx(np.diff(x).min(axis=1))
        assert made.largest_step[index] == pytest.approx(np.diff(x).max(axis=1))


def test_missing_and_infinite_values_are_passed_over():
    nan = np.nan
    made = measure(
        small_set(
            series=(
                np.array([[1, nan, 4], [nan, nan, nan]], dtype=np.float32),
                np.array([[np.inf], [2]], dtype=np.float32),
                np.array([[1, 3], [5, 5]], dtype=np.float32),
            )
        )
    )
    assert made.n_observed.tolist() == [[2, 0], [0, 1], [2, 2]]
    np.testing.assert_array_equal(made.mean, [[2.5, nan], [nan, 2], [2, 5]])
    np.testing.assert_array_equal(made.deviation, [[1.5, nan], [nan, 0], [1, 0]])
    np.testing.assert_array_equal(made.least_step, [[nan, nan], [nan, nan], [2, 0]])
