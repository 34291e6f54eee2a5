"""Melted tables: a row a value, with the channel named beside it."""

import numpy as np
import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of, values

MELTED = """id,time,channel,value,label
a,0,x,1,w
a,0,y,10,w
a,1,x,2,w
a,1,y,20,w
b,0,y,30,r
b,0,x,3,r
"""


@pytest.mark.pitfall(1)
def test_rows_of_one_time_become_one_time_point():
    found = inspect(MELTED)
    assert (value_of(found, "layout"), value_of(found, "channel_column")) == ("melted", "channel")
    made = read(MELTED)
    assert (made.series_ids, made.channel_names, made.class_names) == (("a", "b"), ("x", "y"), ("r", "w"))
    assert values(made) == [[[1, 2], [10, 20]], [[3], [30]]]
    assert [made.label_name(index) for index in range(2)] == ["w", "r"]


@pytest.mark.pitfall(1)
@pytest.mark.parametrize(
    "header",
    [
        "case_id,reading_id,dim_id,value,label",  # aeon
        "id,time,kind,value,label",  # tsfresh
        "id,time,variable,value,label",  # pandas melt
        "id,time,sensor,measured,label",
    ],
)
def test_the_names_that_others_use(header):
    made = read(MELTED.replace("id,time,channel,value,label", header))
    assert values(made) == [[[1, 2], [10, 20]], [[3], [30]]]


@pytest.mark.pitfall(1)
def test_a_text_that_tells_doubled_rows_apart_is_the_channel():
    text = MELTED.replace("channel,value", "place,measured")
    assert read(text).channel_names == ("x", "y")


@pytest.mark.pitfall(9)
def test_channels_of_different_rates_have_gaps_and_a_warning():
    text = "id,time_s,channel,value,label\n" + "".join(f"a,{t / 4},fast,{t},w\n" for t in range(5))
    text += "a,0,slow,7,w\na,1,slow,8,w\n"
    made = read(text)
    np.testing.assert_array_equal(made.series[0], [[0, 1, 2, 3, 4], [7, np.nan, np.nan, np.nan, 8]])
    assert made.sampling_rate == 4.0
    line = next(line for line in told(text) if line.kind == "warning" and line.choice == "channel_column")
    assert "Channel 'slow' has a row at 2 of 5 time points" in line.text


def test_without_a_time_column_a_channels_rows_are_in_the_files_order():
    text = "id,channel,value,label\na,x,1,w\na,x,2,w\na,y,10,w\nb,x,3,r\na,y,20,w\nb,y,30,r\n"
    assert values(read(text)) == [[[1, 2], [10, 20]], [[3], [30]]]


def test_without_an_id_the_file_is_one_series():
    text = "time,channel,value\n0,x,1\n0,y,10\n1,x,2\n1,y,20\n"
    assert values(read(text)) == [[[1, 2], [10, 20]]]


@pytest.mark.pitfall(22)
def test_numbered_channels_are_in_the_order_of_their_numbers():
    rows = "".join(f"a,0,c{channel},{channel},w\n" for channel in (1, 10, 2))
    assert read(f"id,time,channel,value,label\n{rows}b,0,c1,5,r\n").channel_names == ("c1", "c2", "c10")


@pytest.mark.pitfall(4)
def test_two_values_of_one_channel_and_time_are_refused_by_their_rows():
    error = refused(MELTED + "a,1,x,7,w\n")
    assert error.where == "data/file.csv, row 8, column 'value'"
    assert "Rows 4 and 8 give one channel two values at one time" in error.problem


def test_a_row_without_a_channel_is_refused():
    error = refused(MELTED + "a,1,,7,w\n", layout="melted", channel_column="channel")
    assert error.where == "data/file.csv, row 8, column 'channel'"


@pytest.mark.pitfall(2)
def test_a_label_that_differs_between_channels_is_refused():
    error = refused(MELTED.replace("a,1,y,20,w", "a,1,y,20,r"))
    assert error.where == "data/file.csv, row 5, column 'label'"


def test_a_label_called_kind_beside_one_channel_is_no_channel_name():
    text = "id,time,x,kind\na,0,1,w\na,1,2,w\nb,0,3,r\nb,1,3,r\n"
    assert value_of(inspect(text), "layout") == "long"


@pytest.mark.pitfall(23)
def test_more_channels_than_allowed_are_refused_before_they_are_laid_out(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_CHANNELS", "1")
    assert "has 2 channels; at most 1 are read" in refused(MELTED).problem
