"""The time column: units, stamps, regularity."""

import numpy as np
import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of
from timemil_core.errors import DataError


def table(name, times):
    rows = "".join(f"a,{time},{index},w\n" for index, time in enumerate(times))
    return f"id,{name},x,label\n{rows}b,{times[0]},1,r\n"


@pytest.mark.pitfall(8)
@pytest.mark.parametrize(
    ("name", "times", "rate"),
    [
        ("time_s", ["0", "0.1", "0.2", "0.3"], 10.0),
        ("Time [ms]", ["0", "4", "8", "12"], 250.0),
        ("seconds", ["10", "12", "14"], 0.5),
        ("time_ms", ["0", "17", "33", "50"], 60.0),  # 60 Hz, rounded to milliseconds
        ("epoch_s", ["1700000000.00", "1700000000.01", "1700000000.02"], 100.0),
        ("time", ["0", "0.1", "0.2"], None),  # the unit is not known
        ("time", ["0", "1", "2"], None),
        ("timestamp", ["1700000000", "1700000001"], 1.0),
        ("timestamp", ["1700000000000", "1700000000008", "1700000000016"], 125.0),
        ("t", ["1700000000000000", "1700000000001000"], 1000.0),
        ("t", ["1700000000000000000", "1700000000001000000"], 1000.0),
        ("date", ["45322.0", "45322.000011574074", "45322.000023148148"], 1.0),  # a spreadsheet's days
        ("time_s", ["0", "1", "5", "6"], None),  # not regular
        ("timestamp", ["2024-01-01T00:00:00.00Z", "2024-01-01T00:00:00.02Z", "2024-01-01T00:00:00.04Z"], 50.0),
        ("timestamp", ["2024-01-01T01:00:00+01:00", "2024-01-01T00:00:01Z", "2024-01-01T01:00:02+01:00"], 1.0),
        ("date", ["2024-01-31", "2024-02-01", "2024-02-02"], 1.1574074e-05),
        ("date", ["31.01.2024 12:00:00", "31.01.2024 12:00:01"], 1.0),
        ("date", ["31/01/2024 12:00:00", "31/01/2024 12:00:01"], 1.0),
        ("time", ["00:00:01.5", "00:00:02.0", "00:00:02.5"], 2.0),
    ],
)
def test_the_sampling_rate_is_what_the_time_column_can_tell(name, times, rate):
    found = read(table(name, times)).sampling_rate
    assert found == (None if rate is None else pytest.approx(rate, rel=1e-5))
    if rate is not None and rate >= 0.5 and name != "date":
        assert found == rate  # without the crumbs of floating point


@pytest.mark.pitfall(8)
@pytest.mark.parametrize(
    ("name", "times", "unit", "reason"),
    [
        ("timestamp", ["1700000000000", "1700000000008"], "milliseconds", "since 1970: the first is of 2023-11-14"),
        ("date", ["45322.0", "45322.5"], "days", "look like a spreadsheet's days since 1900"),
        ("time", ["0", "8"], None, ""),
    ],
)
def test_the_unit_is_guessed_with_its_reason_and_can_be_changed(name, times, unit, reason):
    text = table(name, times)
    assert value_of(inspect(text), "time_unit") == unit
    assert reason in " ".join(line.text for line in inspect(text).lines)
    step = float(times[1]) - float(times[0])
    assert read(text, time_unit="minutes").sampling_rate == pytest.approx(1 / (60 * step))


@pytest.mark.pitfall(9)
def test_irregular_times_are_kept_and_told():
    text = table("time_s", ["0", "1", "5"])
    made = read(text)
    assert made.sampling_rate is None
    assert made.timestamps is not None
    assert [times.tolist() for times in made.timestamps.values] == [[0, 1, 5], [0]]
    assert any("The steps of 'time_s' are not equal" in line.text for line in told(text))


@pytest.mark.pitfall(9)
def test_series_of_different_rates_are_told_apart_from_irregular_ones():
    text = "id,time_s,x,label\na,0,1,w\na,1,1,w\na,2,1,w\nb,0,1,r\nb,0.5,1,r\nb,1,1,r\n"
    assert read(text).timestamps is not None
    assert any("they were sampled at different rates" in line.text for line in told(text))


def test_a_rate_given_by_hand_is_used():
    made = read("id,time,x,label\na,0,1,w\na,1,2,w\nb,0,1,r\n", sampling_rate="128")
    assert (made.sampling_rate, made.timestamps) == (128.0, None)


@pytest.mark.parametrize("rate", ["-1", "inf", "many"])
def test_an_impossible_rate_is_refused(rate):
    with pytest.raises(DataError, match="is not a positive number"):
        read(table("time", ["0", "1"]), sampling_rate=rate)


@pytest.mark.pitfall(8)
def test_day_and_month_that_cannot_be_told_apart_are_refused_and_can_be_chosen():
    text = "id,date,x,label\na,01/02/2024,1,w\na,02/02/2024,2,w\nb,03/02/2024,6,r\n"
    error = refused(text)
    assert "can be read with the day or with the month first" in error.problem
    assert error.where == "data/file.csv, row 2, column 'date'"
    assert read(text, dates="day first").sampling_rate == pytest.approx(1 / 86400)
    assert read(text, dates="month first").sampling_rate == pytest.approx(1 / (31 * 86400))


@pytest.mark.pitfall(8)
def test_times_that_go_backwards_are_sorted_and_told_by_their_row():
    text = table("time_s", ["0", "1", "3", "2"])
    np.testing.assert_array_equal(read(text).series[0], [[0, 1, 3, 2]])
    line = next(line for line in told(text) if "not in the order of time" in line.text)
    assert (line.kind, line.where) == ("repair", "data/file.csv, row 5, column 'time_s'")


@pytest.mark.parametrize("wrong", ["soon", "12h", "0x1f"])
def test_a_time_that_is_none_is_refused_by_its_row(wrong):
    error = refused(f"id,time,x,label\na,0,1,w\na,{wrong},2,w\nb,0,3,r\n")
    assert (error.where, repr(wrong) in error.problem) == ("data/file.csv, row 3, column 'time'", True)


def test_stamps_of_several_kinds_are_refused():
    text = "id,time,x,label\na,2024-01-31 12:00:00,1,w\na,31.01.2024 12:00:01,2,w\nb,2024-01-31 12:00:00,3,r\n"
    assert "not written in one known way" in refused(text).problem
