from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report
from timemil_core.data.checks.missing import find_sentinels


@pytest.mark.pitfall(11)
def test_a_number_that_stands_for_a_missing_value():
    line = only_line(read("11_sentinel.csv"), "warning", "The number 9999 looks like a sign for a missing value")
    assert "3 times in 'value'" in line.text
    assert (line.remedy, line.choice) == ("Treat it as missing.", "sentinels")


@pytest.mark.pitfall(11)
def test_missing_values_that_tell_the_class():
    line = only_line(read("11_gaps_tell_the_class.csv"), "warning", "Missing values tell the class")
    assert "42% are missing in 'rest', 0% in 'walk'" in line.text


@pytest.mark.pitfall(11)
def test_the_share_of_missing_values_is_told():
    assert (
        "20.83% of the values are missing, in 4 of 8 series"
        in only_line(read("11_gaps_tell_the_class.csv"), "note", "of the values are missing").text
    )


@pytest.mark.pitfall(12)
def test_a_series_without_a_value():
    line = only_line(read("12_single_point_and_empty.csv"), "warning", "hold no value at all")
    assert "'s5'" in line.text
    assert "neither trained on nor classified" in line.text


@pytest.mark.pitfall(12)
def test_a_channel_that_is_wholly_missing_in_a_series():
    line = only_line(read("12_single_point_and_empty.csv"), "warning", "It is wholly missing in 1 of 6 series")
    assert "('s6')" in line.text
    assert line.where == "channel 'right'"


def test_much_that_is_missing_is_a_warning():
    base = read("11_gaps_tell_the_class.csv")
    holes = tuple(np.where(np.arange(12) % 2, one, np.nan).astype(np.float32) for one in base.series)
    assert only_line(replace(base, series=holes), "warning", "of the values are missing")


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ([-999, -999, 0.5, 1, 2, 1.5], {-999.0: {"value": 2}}),
        ([-999, 0.5, 1, 2, 1.5, 0.1], {}),  # once may be a measurement
        ([999, 999, 990, 980, 1005, 970], {}),  # among its like
        ([999, 999, -999, -999, 1, 2, 3, 2], {-999.0: {"value": 2}, 999.0: {"value": 2}}),
        ([99, 99, 99, 99, 1, 2], {}),  # most of the values: not a sign but the signal
        ([500, 500, 1, 2, 3, 4], {}),
    ],
)
def test_signs_for_missing_values(numbers, found):
    base = read("00_nothing_wrong.csv").subset([0])
    series = (np.array([numbers], dtype=np.float32),)
    assert find_sentinels(replace(base, series=series)) == found


def test_a_complete_set_has_no_line():
    assert not any("missing" in line.text for line in report(read("00_nothing_wrong.csv")))
