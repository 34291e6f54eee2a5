import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from timemil_core.data.preparation import Preparation
from timemil_core.errors import DataError

NAN = np.nan


def series(*rows: list[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def test_means_and_deviations_are_those_of_all_time_points_together():
    # channel 1 holds 1, 3, 5, 7 over two series: mean 4, deviation sqrt(5); channel 2 holds 10, 10, 10, 30
    fitted = Preparation.fit([series([1, 3, 5], [10, 10, 10]), series([7], [30])])
    np.testing.assert_allclose(fitted.means, [4, 15])
    np.testing.assert_allclose(fitted.deviations, [np.sqrt(5), np.sqrt(75)])


def test_per_channel_uses_the_training_statistics_for_every_series():
    fitted = Preparation.fit([series([1, 3])])  # mean 2, deviation 1
    (prepared,) = fitted.transform([series([5, 2, -1])])
    assert prepared.dtype == np.float32
    np.testing.assert_array_equal(prepared, [[3, 0, -3]])


def test_per_series_uses_each_series_own_statistics():
    fitted = Preparation.fit([series([100, 300])], "per-series")
    prepared = fitted.transform([series([1, 3]), series([5, 5])])
    np.testing.assert_array_equal(prepared[0], [[-1, 1]])
    np.testing.assert_array_equal(prepared[1], [[0, 0]])


def test_none_leaves_values_and_fills_gaps():
    fitted = Preparation.fit([series([2, 4], [0, 0])], "none")
    (prepared,) = fitted.transform([series([1, NAN, 3], [NAN, NAN, NAN])])
    np.testing.assert_array_equal(prepared, [[1, 2, 3], [0, 0, 0]])
    np.testing.assert_array_equal(fitted.transform([series([NAN], [1])])[0], [[3], [1]])


def test_gaps_are_interpolated_and_held_at_the_ends():
    fitted = Preparation.fit([series([0, 1])], "none")
    (prepared,) = fitted.transform([series([NAN, 2, NAN, NAN, 8, np.inf])])
    np.testing.assert_array_equal(prepared, [[2, 2, 4, 6, 8, 8]])


def test_statistics_leave_out_what_is_missing_or_infinite():
    fitted = Preparation.fit([series([1, NAN, 3, np.inf, -np.inf])])
    assert fitted.means.tolist() == [2]
    assert fitted.deviations.tolist() == [1]


@pytest.mark.parametrize("value", [0.0, 0.1, 1.7e9, -3e38])
def test_a_constant_channel_becomes_zero_and_is_divided_by_one(value):
    fitted = Preparation.fit([np.full((1, 999), value, dtype=np.float32)])
    assert fitted.deviations.tolist() == [1]
    (prepared,) = fitted.transform([np.full((1, 3), value, dtype=np.float32)])
    np.testing.assert_allclose(prepared, 0, atol=abs(value) * 1e-12)


def test_a_channel_that_is_wholly_missing_takes_the_training_mean():
    fitted = Preparation.fit([series([1, 3], [5, 7])])
    (prepared,) = fitted.transform([series([NAN, NAN], [5, 7])])
    np.testing.assert_array_equal(prepared, [[0, 0], [-1, 1]])


def test_a_channel_never_observed_in_training_is_left_as_it_is():
    fitted = Preparation.fit([series([NAN, NAN])])
    assert (fitted.means.tolist(), fitted.deviations.tolist()) == ([0], [1])


def test_a_channel_of_large_offset_keeps_its_detail():
    # float32 holds 2**24 + 2k exactly; standardising in float32 would lose the spread
    values = np.float32(2**24) + np.arange(0, 20, 2, dtype=np.float32)
    (prepared,) = Preparation.fit([values[None]]).transform([values[None]])
    expected = (np.arange(10) - 4.5) / np.std(np.arange(10))
    np.testing.assert_allclose(prepared[0], expected, rtol=1e-6)


@given(
    arrays(np.float32, (3, 2, 5), elements=st.floats(width=32, allow_nan=True, allow_infinity=True)),
    st.sampled_from(["per-channel", "per-series", "none"]),
)
def test_prepared_series_are_finite_and_do_not_depend_on_each_other(values, normalisation):
    fitted = Preparation.fit(list(values), normalisation)
    together = fitted.transform(list(values))
    for one, prepared in zip(values, together, strict=True):
        assert np.isfinite(prepared).all()
        np.testing.assert_array_equal(fitted.transform([one])[0], prepared)


def test_json_restores_numbers_exactly():
    fitted = Preparation.fit([series([0.1, 0.7, 1e-20], [1e30, 2, 3])], "per-series")
    restored = Preparation.from_json(json.loads(json.dumps(fitted.to_json())))
    assert restored.normalisation == "per-series"
    assert restored.means.tolist() == fitted.means.tolist()
    assert restored.deviations.tolist() == fitted.deviations.tolist()


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"normalisation": "other", "means": [0], "deviations": [1]},
        {"normalisation": "none", "means": [0], "deviations": [0]},
        {"normalisation": "none", "means": [0, 1], "deviations": [1]},
        {"normalisation": "none", "means": ["x"], "deviations": [1]},
    ],
)
def test_a_damaged_preparation_is_refused(content):
    with pytest.raises(DataError, match="preparation"):
        Preparation.from_json(content)


def test_another_number_of_channels_is_refused():
    fitted = Preparation.fit([series([1, 2], [3, 4])])
    with pytest.raises(DataError, match="2 channels"):
        fitted.transform([series([1, 2])])


def test_fitting_refuses_nothing_and_the_unknown():
    with pytest.raises(DataError, match="no training series"):
        Preparation.fit([])
    with pytest.raises(DataError, match="per-chanel"):
        Preparation.fit([series([1, 2])], "per-chanel")  # type: ignore[arg-type]


def test_the_description_says_which_statistics():
    assert "training series" in Preparation.fit([series([1, 2])]).describe()
    assert "its own" in Preparation.fit([series([1, 2])], "per-series").describe()
