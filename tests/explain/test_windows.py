import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timemil_core.errors import SettingsError
from timemil_core.explain.windows import blocks, sliding_windows, smoothed, smoothing_width, window_length


@pytest.mark.parametrize("n_timepoints, window", [(1, 1), (5, 5), (120, 12), (5000, 500), (5000, 3)])
def test_windows_cover_every_time_point(n_timepoints, window):
    covered = sliding_windows(n_timepoints, window)
    assert covered.any(axis=0).all()
    assert np.all(covered.sum(axis=1) == window)
    assert len(covered) <= max(128, np.ceil(n_timepoints / window))


def test_defaults_depend_on_the_length():
    assert [window_length(None, n) for n in (1, 4, 30, 120, 1000)] == [1, 4, 5, 12, 100]
    assert [smoothing_width(None, n) for n in (1, 2, 4, 30, 120, 1000)] == [1, 1, 3, 5, 13, 101]


@pytest.mark.parametrize("window", [0, -1, 41])
def test_a_window_has_to_fit(window):
    with pytest.raises(SettingsError, match=f"window of {window}"):
        window_length(window, 40)


def test_blocks_begin_where_they_are_told():
    assert blocks(7, 3).tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert blocks(7, 3, 2).tolist() == [0, 1, 1, 1, 2, 2, 2]


def test_smoothing_by_hand():
    np.testing.assert_allclose(smoothed(np.array([6.0, 0, 0, 0, 3]), 3), [3, 3, 0, 1.5, 1.5])
    np.testing.assert_allclose(smoothed(np.array([[1.0, 2], [3, 4]]), 1), [[1, 2], [3, 4]])


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=30), st.integers(0, 14))
def test_smoothing_keeps_the_sum(values, reach):
    width = min(2 * reach + 1, len(values) - 1 + len(values) % 2)
    assert smoothed(np.array(values), width).sum() == pytest.approx(sum(values), abs=1e-6)
