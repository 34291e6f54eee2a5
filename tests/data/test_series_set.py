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
