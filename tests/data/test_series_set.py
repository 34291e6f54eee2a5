import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

TIMES = Timestamps((np.array([0.0, 1.0, 5.0]), np.array([0.0]), np.array([3.0, 4.0])), unit=1.0)


def test_a_subset_keeps_groups_and_times_with_their_series():
    chosen = small_set(groups=("ann", "bob", "cy"), timestamps=TIMES).subset([2, 0])
    assert chosen.groups == ("cy", "ann")
    assert chosen.timestamps is not None
    assert [times.tolist() for times in chosen.timestamps.values] == [[3.0, 4.0], [0.0, 1.0, 5.0]]


def test_groups_and_times_change_the_fingerprint_and_their_absence_does_not():
    plain = small_set().fingerprint
    grouped = small_set(groups=("ann", "bob", "cy")).fingerprint
    assert len({plain, grouped, small_set(timestamps=TIMES).fingerprint}) == 3
    assert small_set(groups=None, timestamps=None).fingerprint == plain == "a0e8a98b298ec1d7"


@pytest.mark.parametrize(
    "changes",
    [
        {"groups": ("ann",)},
        {"timestamps": Timestamps(TIMES.values[:2])},
        {"timestamps": Timestamps((np.array([0.0, 1.0]), *TIMES.values[1:]))},
        {"timestamps": Timestamps((np.array([0.0, 1.0, 1.0]), *TIMES.values[1:]))},
        {"timestamps": Timestamps((np.array([0.0, 1.0, np.nan]), *TIMES.values[1:]))},
    ],
)
def test_groups_and_times_that_do_not_fit_are_refused(changes):
    with pytest.raises(DataError):
        small_set(**changes)


def test_points_of_unequal_steps_stand_where_they_were_observed_since_the_first():
    """Steps of 1 and 4 min: the axis counts minutes, each series from its first point."""
    minutes = small_set(sampling_rate=None, timestamps=Timestamps(TIMES.values, unit=60.0))
    assert minutes.time_unit == "time (min)"
    assert [minutes.times(index).tolist() for index in range(3)] == [[0, 1, 5], [0], [0, 1]]
    quick = small_set(sampling_rate=None, timestamps=Timestamps((TIMES.values[0] + 7, *TIMES.values[1:]), unit=0.001))
    assert quick.time_unit == "time (s)"
    np.testing.assert_allclose(quick.times(0), [0, 0.001, 0.005])


def test_points_whose_times_have_no_unit_are_counted():
    unknown = small_set(sampling_rate=None, timestamps=Timestamps(TIMES.values))
    assert unknown.time_unit == "time point"
    assert unknown.times(0).tolist() == [0, 1, 2]


def test_times_of_single_points_have_a_unit_to_be_drawn_in():
    single = small_set(sampling_rate=None, timestamps=TIMES).subset([1])
    assert single.times(0).tolist() == [0]
    assert single.time_unit == "time point"


def test_a_set_of_no_channels_is_refused():
    with pytest.raises(DataError, match="holds no channels"):
        small_set(series=tuple(np.zeros((0, 3), dtype=np.float32) for _ in range(3)), channel_names=())
