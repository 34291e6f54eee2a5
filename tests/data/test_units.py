import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.timestamps import Timestamps
from timemil_core.data.units import with_step, with_time_unit
from timemil_core.errors import DataError

REGULAR = Timestamps((np.array([5.0, 5.25, 5.5]), np.array([0.0]), np.array([1.0, 1.25])))
UNEQUAL = Timestamps((np.array([0.0, 1.0, 5.0]), np.array([0.0]), np.array([1.0, 2.0])))


@pytest.mark.parametrize(
    ("step", "unit", "rate"),
    [(20, "milliseconds", 50.0), (1, "hours", 1 / 3600), (0.0078125, "seconds", 128.0), (1, "days", 1 / 86400)],
)
def test_a_step_gives_the_sampling_rate(step, unit, rate):
    made = with_step(small_set(timestamps=REGULAR), step, unit)
    assert made.sampling_rate == pytest.approx(rate, rel=1e-11)
    assert made.timestamps is None
    assert f"One time point every {step:g} {unit}" in made.provenance[-1]


def test_the_unit_of_equal_steps_gives_the_sampling_rate():
    made = with_time_unit(small_set(timestamps=REGULAR, sampling_rate=None), "minutes")
    assert made.sampling_rate == pytest.approx(4 / 60)
    assert made.timestamps is None
    assert made.times(0) == pytest.approx([0, 15, 30])


def test_the_unit_of_unequal_steps_is_kept_with_the_times():
    made = with_time_unit(small_set(timestamps=UNEQUAL, sampling_rate=None), "milliseconds")
    assert made.timestamps is not None
    assert made.timestamps.unit == 1e-3
    assert made.sampling_rate is None


def test_what_makes_no_sense_is_refused():
    with pytest.raises(DataError, match="impossible"):
        with_step(small_set(), 0)
    with pytest.raises(DataError, match="fortnights"):
        with_step(small_set(), 1, "fortnights")
    with pytest.raises(DataError, match="no time column"):
        with_time_unit(small_set(), "seconds")
