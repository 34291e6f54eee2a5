import pytest

from tests.data.builders import small_set
from timemil_core.data.time_axis import axis_rate, axis_unit


@pytest.mark.parametrize(
    ("rate", "title", "points"),
    [
        (None, "time point", 1.0),
        (128.0, "time (s)", 128.0),
        (0.5, "time (s)", 0.5),
        (1 / 60, "time (min)", 1.0),
        (1 / 900, "time (min)", 1 / 15),
        (1 / 3600, "time (h)", 1.0),
        (float(f"{1 / 3600:.12g}"), "time (h)", 1.0),
        (1 / 86400, "time (days)", 1.0),
        (1 / (7 * 86400), "time (days)", 1 / 7),
    ],
)
def test_the_unit_fits_the_step(rate, title, points):
    assert axis_unit(rate).title == title
    assert axis_rate(rate) == pytest.approx(points)


def test_a_set_measures_its_times_in_the_unit_of_its_axis():
    hourly = small_set(sampling_rate=1 / 3600)
    assert hourly.time_unit == "time (h)"
    assert hourly.times(0) == pytest.approx([0, 1, 2])
    assert small_set(sampling_rate=None).times(0).tolist() == [0, 1, 2]
