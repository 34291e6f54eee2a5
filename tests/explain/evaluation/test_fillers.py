import numpy as np
import pytest

from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.fillers import FILLERS, get_filler, interpolation, local_mean, masked_out, noise

SERIES = np.array([[0, 1, 9, 9, 4, 5], [10, 0, 0, 0, 30, 0]], dtype=np.float32)
GAP = np.array([[False, False, True, True, False, False]])


def test_interpolation_draws_a_line_between_kept_neighbours():
    expected = [[0, 1, 2, 3, 4, 5], [10, 0, 10, 20, 30, 0]]
    np.testing.assert_allclose(interpolation(SERIES, GAP)[0], expected, atol=1e-6)


def test_interpolation_holds_the_outermost_kept_value():
    removed = np.array([[True, True, False, False, True, True]])
    np.testing.assert_allclose(interpolation(SERIES, removed)[0, 0], [9, 9, 9, 9, 9, 9])


def test_local_mean_is_that_of_kept_points_beside_the_gap():
    filled = local_mean(SERIES, GAP)[0]
    np.testing.assert_allclose(filled[0], [0, 1, 2.5, 2.5, 4, 5])
    np.testing.assert_allclose(filled[1], [10, 0, 10, 10, 30, 0])


def test_local_mean_reaches_five_points_only():
    series = np.zeros((1, 20), dtype=np.float32)
    series[0, 4], series[0, 5:10] = 100, 2
    removed = np.zeros((1, 20), dtype=bool)
    removed[0, 10:] = True
    np.testing.assert_allclose(local_mean(series, removed)[0, 0, 10:], 2)


def test_noise_is_the_same_in_all_copies():
    removed = np.array([[True, True, False, False, False, False], [True, False, True, False, False, False]])
    first, second = noise(3)(SERIES, removed)
    assert first[0, 0] == second[0, 0] != SERIES[0, 0]
    np.testing.assert_array_equal(second[:, 3:], SERIES[:, 3:])


@pytest.mark.parametrize("name", FILLERS)
def test_every_filler_leaves_kept_points_and_survives_removing_all(name):
    removed = np.array([[True] * 6, [False] * 6, [True, False, True, False, True, True]])
    filled = get_filler(name)(SERIES, removed)
    assert filled.dtype == np.float32 and filled.shape == (3, 2, 6)
    assert np.isfinite(filled[0]).all()
    assert np.isfinite(filled[2]).all() == (name != "masked out")
    np.testing.assert_array_equal(filled[1], SERIES)
    np.testing.assert_array_equal(filled[2][:, ~removed[2]], SERIES[:, ~removed[2]])


def test_one_channel_is_filled_from_itself_and_the_other_stays():
    removed = np.stack([GAP[0], np.zeros(6, dtype=bool)])[None]
    for name in ("interpolation", "local mean", "noise"):
        filled = get_filler(name)(SERIES, removed)[0]
        np.testing.assert_array_equal(filled[1], SERIES[1])
        np.testing.assert_array_equal(filled[0], get_filler(name)(SERIES, GAP)[0, 0])


def test_masked_out_marks_what_is_missing():
    filled = masked_out(SERIES, GAP)[0]
    assert np.isnan(filled[:, 2:4]).all()
    np.testing.assert_array_equal(filled[:, [0, 1, 4, 5]], SERIES[:, [0, 1, 4, 5]])


@pytest.mark.parametrize("name", ["interpolation", "local mean", "masked out"])
def test_with_nothing_kept_the_mean_stands(name):
    filled = get_filler(name)(SERIES, np.ones((1, 6), dtype=bool))[0]
    np.testing.assert_allclose(filled, np.repeat(SERIES.mean(axis=1, keepdims=True), 6, axis=1), rtol=1e-6)


def test_an_unknown_filler_is_refused():
    with pytest.raises(SettingsError, match="no filler 'zeros'"):
        get_filler("zeros")
