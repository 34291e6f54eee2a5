import pytest

from tests.data.builders import small_set
from timemil_core.data.time_axis import axis_rate, axis_unit, rate_in_words


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


@pytest.mark.parametrize(
    ("rate", "length", "frequency"),
    [
        (None, "time points", "cycles per time point"),
        (128.0, "s", "Hz"),
        (1 / 60, "min", "cycles per minute"),
        (1 / 3600, "h", "cycles per hour"),
        (1 / 86400, "days", "cycles per day"),
    ],
)
def test_lengths_and_frequencies_are_told_in_the_axis_s_unit(rate, length, frequency):
    assert (axis_unit(rate).length, axis_unit(rate).frequency) == (length, frequency)


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (50.0, "50 Hz"),
        (0.1, "0.1 Hz"),
        (1 / 60, "every 1 min"),
        (1 / 43200, "every 12 h"),
        (float(f"{1 / 86400:.12g}"), "every day"),
        (1 / (7 * 86400), "every 7 days"),
    ],
)
def test_a_rate_of_long_steps_is_told_by_their_length(rate, words):
    assert rate_in_words(rate) == words
