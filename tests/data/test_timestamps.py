import numpy as np

from timemil_core.data.timestamps import Timestamps


def times(*values: list[float]) -> Timestamps:
    return Timestamps(tuple(np.array(one) for one in values))


def test_the_step_is_the_median_of_all_steps():
    assert times([0.0, 1.0, 3.0], [5.0, 6.0]).step == 1.0
    assert times([4.0], [7.0]).step is None


def test_equal_steps_are_regular_whatever_the_start():
    assert times([0.0, 0.5, 1.0], [7.0, 7.5]).is_regular


def test_a_gap_or_another_rate_is_not_regular():
    assert not times([0.0, 0.5, 3.0]).is_regular
    assert not times([0.0, 0.5, 1.0], [0.0, 0.25, 0.5]).is_regular
    assert not times([1.0]).is_regular
