"""Cells: missing values, mistakes and their places, what float32 loses."""

import numpy as np
import pytest

from tests.data.formats.reading import read, refused, told

NAN = np.nan


@pytest.mark.parametrize("text", ["abc", "1.2.3", "0x1f", "1,5", "1 2", "=1+1", "<b>", "1_000", "²"])
def test_an_unreadable_number_is_refused_by_row_column_and_text(text):
    error = refused(f'# a comment\nid,time,x,label\na,0,1.5,w\na,1,"{text}",w\nb,1,6,r\n')
    assert error.where == "data/file.csv, row 4, column 'x'"
    assert repr(text) in error.problem


@pytest.mark.pitfall(20)
def test_unreadable_cells_can_be_read_as_missing_and_are_counted():
    text = "id,time,x,label\na,0,1.5,w\na,1,broken,w\na,2,off,w\nb,1,6,r\nb,2,7,r\n"
    assert "'broken' is not a number. Such cells in this column: 2." in refused(text).problem
    np.testing.assert_array_equal(read(text, unreadable="missing").series[0], [[1.5, NAN, NAN]])
    lines = [line.text for line in told(text, unreadable="missing")]
    assert "2 cells that are no numbers were read as missing values." in lines


def test_rows_are_counted_as_in_a_spreadsheet_blank_ones_included():
    error = refused("id,time,x,label\na,0,1,w\n\n,,,\na,1,wrong,w\n")
    assert error.where == "data/file.csv, row 5, column 'x'"


def test_a_row_with_too_many_cells_is_refused_by_its_number():
    for extra in (",9", ",9,9"):
        error = refused(f"id,time,x,label\na,0,1,w\na,1,2,w{extra}\nb,1,6,r\n")
        assert error.where == "data/file.csv, row 3"


def test_a_quotation_mark_that_is_not_closed_is_refused_by_its_row():
    error = refused('id,time,x,label\na,0,1,w\na,1,2,"w\nb,1,6,r\n')
    assert error.where == "data/file.csv, row 3"


@pytest.mark.pitfall(11)
@pytest.mark.parametrize(
    "token", ["", "?", "NA", "NaN", "nan", "-", "null", "N/A", "inf", "-inf", " ? ", "None", "#DIV/0!"]
)
def test_signs_for_missing_values(token):
    made = read(f"id,time,x,label\na,0,1,w\na,1,{token},w\na,2,3,w\nb,0,2,r\n")
    np.testing.assert_array_equal(made.series[0], [[1, NAN, 3]])


def test_truth_values_in_a_channel_are_0_and_1():
    made = read("id,time,x,on,label\na,0,1,True,w\na,1,2,,w\nb,0,2,false,r\n", channel_columns=("x", "on"))
    np.testing.assert_array_equal(made.series[0], [[1, 2], [1, NAN]])
    np.testing.assert_array_equal(made.series[1], [[2], [0]])


@pytest.mark.pitfall(7)
def test_decimal_commas():
    made = read("id;time;x;label\na;0;1,5;w\na;1;-2,25e1;w\nb;0;?;r\n")
    np.testing.assert_array_equal(made.series[0], [[1.5, -22.5]])


@pytest.mark.pitfall(26)
def test_a_large_offset_that_costs_detail_is_told():
    rows = "id,time,x,c,label\n" + "".join(f"a,{i},{1700000000 + i},1700000001,w\n" for i in range(4))
    warnings = [line.text for line in told(rows) if "small differences between them are rounded away" in line.text]
    assert len(warnings) == 1
    assert "'x'" in warnings[0]  # the constant 'c' has no detail to lose


@pytest.mark.pitfall(26)
def test_values_beyond_float32_are_missing_and_told():
    text = "id,time,x,label\na,0,1e39,w\na,1,2,w\nb,0,3,r\n"
    np.testing.assert_array_equal(read(text).series[0], [[NAN, 2]])
    assert any("Values too large for a network, treated as missing: 1" in line.text for line in told(text))


@pytest.mark.pitfall(26)
def test_whole_numbers_beyond_64_bits_are_read():
    assert read(f"id,time,x,label\na,0,{'9' * 30},w\nb,0,3,r\n").series[0].item() == np.float32(1e30)
