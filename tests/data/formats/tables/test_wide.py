"""Wide tables: a row a series."""

import numpy as np
import pytest

from tests.data.formats.reading import read, refused, told, values

NAN = np.nan
WIDE = "id,label,t_0,t_1,t_2,t_3\na,w,1,2,3,4\nb,r,5,NA,7,\nc,w,,,,\n"


@pytest.mark.pitfall(10, 12)
def test_a_wide_table_with_padding_gaps_and_an_empty_row():
    made = read(WIDE)
    assert (made.series_ids, made.channel_names) == (("a", "b"), ("value",))
    np.testing.assert_array_equal(made.series[0], [[1, 2, 3, 4]])
    np.testing.assert_array_equal(made.series[1], [[5, NAN, 7]])
    lines = [str(line) for line in told(WIDE)]
    assert "row 4, to begin with: Rows that hold no value, left out: 1." in lines
    assert any("Missing values at the end of 1 row were taken for padding and cut off" in line for line in lines)


@pytest.mark.pitfall(22)
def test_a_wide_table_of_channels_is_put_in_order():
    text = "id,x_1,y_1,x_0,y_0,label\na,2,20,1,10,w\nb,4,40,3,30,r\n"
    made = read(text, channel_columns=("x_1", "y_1", "x_0", "y_0"))
    assert made.channel_names == ("x", "y")
    assert values(made) == [[[1, 2], [10, 20]], [[3, 4], [30, 40]]]


@pytest.mark.pitfall(1)
def test_a_ucr_file():
    made = read("-1\t0.5\t0.6\tNaN\n1\t0.1\t0.2\t0.3\n-1\t0.1\t0.2\t0.4\n1\t0.1\t0.2\t0.4\n", name="Toy_TRAIN.tsv")
    assert (made.name, made.class_names, made.series_ids) == ("Toy", ("-1", "1"), ("1", "2", "3", "4"))
    assert made.lengths.tolist() == [2, 3, 3, 3]


@pytest.mark.pitfall(1)
def test_an_old_ucr_file_of_blanks_and_powers():
    rows = ["   1.0000000e+00  -7.9e-01   1.2e+00\n", "   2.0000000e+00   7.9e-01  -1.2e+00\n"]
    made = read("".join(rows * 2), name="Toy_TEST.txt")
    assert made.class_names == ("1", "2")
    assert values(made)[0] == [[pytest.approx(-0.79), pytest.approx(1.2)]]


@pytest.mark.pitfall(10)
def test_rows_of_unequal_length_without_header():
    made = read("1,0.5,0.6,0.7\n2,0.1,0.2\n1,0.3\n2,1.5,2.5,3.5,4.5\n")
    assert made.lengths.tolist() == [3, 2, 1, 4]


def test_an_id_that_occurs_twice_in_a_wide_table_is_refused():
    text = "id,label,t_0,t_1,t_2,t_3\na,w,1,2,3,4\na,r,5,6,7,8\n"
    error = refused(text, layout="wide", id_column="id")
    assert error.where == "data/file.csv, row 3, column 'id'"


@pytest.mark.pitfall(17)
def test_subjects_and_a_split_of_rows():
    text = "subject,trial,label,split,t_0,t_1,t_2,t_3\nann,1,w,train,1,2,3,4\nbob,1,r,test,5,6,7,8\n"
    made = read(text)
    assert (made.series_ids, made.groups) == (("ann/1", "bob/1"), ("ann", "bob"))
    assert made.split.tolist() == ["train", "test"]


def test_a_wrong_number_in_a_wide_table_is_refused_by_row_and_column():
    error = refused(WIDE.replace("3,4", "3,four"))
    assert error.where == "data/file.csv, row 2, column 't_3'"


@pytest.mark.pitfall(12)
def test_a_wide_table_without_any_value_is_refused():
    assert "No row holds a value" in refused("id,label,t_0,t_1,t_2,t_3\na,w,,,,\nb,r,?,?,?,?\n").problem


@pytest.mark.pitfall(23)
def test_too_many_channels_are_refused(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_CHANNELS", "1")
    assert "has 2 channels; at most 1 are read" in refused("id,time,x,z,label\na,0,1,2,w\n").problem


def test_words_of_which_each_row_has_another_are_the_ids():
    rows = "".join(f"X{row}.V1,{row},{row + 1},{row + 2},{row + 3},{row % 2}\n" for row in range(6))
    made = read(f",t1,t2,t3,t4,y\n{rows}")
    assert made.series_ids[:2] == ("X0.V1", "X1.V1")
    assert made.series[0].tolist() == [[0, 1, 2, 3]]
    again = read(f",t1,t2,t3,t4,y\n{rows.replace('X1.V1', 'X0.V1')}")
    assert again.series_ids[:2] == ("1", "2")
