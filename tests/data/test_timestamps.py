import numpy as np

from timemil_core.data.timestamps import Timestamps


def times(*values: object) -> Timestamps:
    return Timestamps(tuple(np.array(one) for one in values))


def test_the_step_is_the_median_of_all_steps():
    assert times([0.0, 1.0, 3.0], [5.0, 6.0]).step == 1.0
    assert times([4.0], [7.0]).step is None


def test_equal_steps_have_a_rate_whatever_the_start():
    assert times([0.0, 0.5, 1.0], [7.0, 7.5]).rate == 2.0


def test_a_gap_or_another_rate_has_none():
    assert times([0.0, 0.5, 3.0]).rate is None
    assert times([0.0, 0.5, 1.0], [0.0, 0.25, 0.5]).rate is None
    assert times([1.0]).rate is None


def test_rounding_of_large_times_does_not_show_in_the_rate():
    epoch = 1.7e9 + np.arange(1000) / 128
    assert times(epoch).rate == 128.0


def test_numbers_that_count_points_are_told_from_times():
    assert times([0.0, 1.0, 2.0], [0.0, 1.0]).counts_points
    assert not times([5.0, 6.0]).counts_points
    assert not Timestamps((np.array([0.0, 1.0]),), unit=1.0).counts_points
