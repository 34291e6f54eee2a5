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


def rate_of(stamps):
    return read("time,x\n" + "".join(f'"{stamp}",{place % 7}\n' for place, stamp in enumerate(stamps))).sampling_rate


@pytest.mark.pitfall(8)
@pytest.mark.parametrize(
    "stamps",
    [
        [f"03/01/2023 1:00:{k:02} PM" for k in range(9)],
        [f"2023-03-01 11:59:{k:02} am" for k in range(51, 60)],
        [f"1:00:{k:02} PM" for k in range(9)],
        [f"12:59:{k:02} a.m." for k in range(9)],
        [f"21-Mar-2023 10:00:{k:02}" for k in range(9)],
        [f"21 March 2023 10:00:{k:02}" for k in range(9)],
        [f"Mar 21, 2023 10:00:{k:02} PM" for k in range(9)],
        [f"2023-03-01 12:00:{k:02},000" for k in range(9)],
        [f"2023-03-01 12:00:{k:02}:000" for k in range(9)],
        [f"12:00:{k:02}:500" for k in range(9)],
        [f"2023-03-01 12:00:{k:02} UTC" for k in range(9)],
        [f"31-12-2023 12:00:{k:02}" for k in range(9)],
        [f"31/12/23 12:00:{k:02}" for k in range(9)],
        [f"00:{k:02}.000" for k in range(9)],
        ["23:59:58", "23:59:59", "00:00:00", "00:00:01", "00:00:02"],
    ],
)
def test_times_as_people_write_them(stamps):
    assert rate_of(stamps) == 1


@pytest.mark.pitfall(8)
def test_fractions_behind_a_colon_or_comma():
    assert rate_of([f"2023-03-01 12:00:00:{k * 40:03}" for k in range(20)]) == 25
    assert rate_of([f"12:00:00,{k * 40:03}" for k in range(20)]) == 25
    assert rate_of([f"61:{k * 0.5:04.1f}" for k in range(20)]) == 2


@pytest.mark.pitfall(8)
@pytest.mark.parametrize("names", ["Date,Time", "Day of measurement,Clock", "Time,Date"])
def test_a_date_and_a_clock_in_two_columns_are_joined(names):
    rows = [("2023-03-01", "23:59:00"), ("2023-03-02", "00:00:00"), ("2023-03-02", "00:01:00")]
    if names == "Time,Date":
        rows = [(clock, day) for day, clock in rows]
    made = read(f"{names},x\n" + "".join(f"{one},{two},{k}\n" for k, (one, two) in enumerate(rows)))
    assert (made.channel_names, made.sampling_rate) == (("x",), pytest.approx(1 / 60))
    assert made.series[0].tolist() == [[0, 1, 2]]


@pytest.mark.pitfall(8)
def test_stamps_under_any_name_are_the_time():
    made = read("recorded,x,y\n" + "".join(f"2023-03-01 12:00:{k:02},{k % 3},{k % 5}\n" for k in range(20)))
    assert (made.channel_names, made.sampling_rate) == (("x", "y"), 1)


@pytest.mark.pitfall(9)
@pytest.mark.parametrize(("months", "word"), [(1, "month"), (3, "quarter"), (12, "year")])
def test_months_are_no_equal_steps(months, word):
    stamps = [f"{2000 + k * months // 12}-{1 + k * months % 12:02}-01" for k in range(14)]
    text = "date,x\n" + "".join(f"{stamp},{k % 5}\n" for k, stamp in enumerate(stamps))
    assert read(text).sampling_rate is None
    assert read(text).timestamps is not None
    assert any(f"of one {word} each" in line.text for line in told(text))


@pytest.mark.pitfall(5)
def test_time_that_begins_anew_begins_a_new_series():
    text = "time,x\n" + "".join(f"{k / 10},{100 * series + k}\n" for series in range(3) for k in range(20))
    made = read(text)
    assert made.lengths.tolist() == [20, 20, 20]
    assert made.series[1][0, 0] == 100
    line = next(line for line in told(text) if line.choice == "restarts")
    assert (line.kind, "3 stretches" in line.text) == ("warning", True)
    assert "have the same time" in refused(text, restarts="sort").problem


@pytest.mark.pitfall(3)
def test_rows_that_are_merely_out_of_order_are_sorted():
    order = [*range(10), *range(11, 20), 10, *range(20, 30)]
    made = read("time,x\n" + "".join(f"{k / 10},{k}\n" for k in order))
    assert made.series[0].tolist() == [list(range(30))]
    halves = read("time,x\n" + "".join(f"{k / 10},{k}\n" for k in [*range(15, 30), *range(15)]))
    assert halves.series[0].tolist() == [list(range(30))]
