"""Long tables: rows put together by id and sorted by time, and what is refused or chosen where they do not fit."""

import numpy as np
import pytest

from tests.data.formats.reading import read, refused, told, values

TWICE = "id,time,x,label\na,1,1,w\nb,1,6,r\na,1,2,w\na,2,9,w\n"
CHANGING = "id,time,x,label\na,0,1,w\na,1,2,w\na,2,3,r\na,3,4,r\na,4,5,r\nb,0,6,r\nb,1,7,\n"


def texts(text, **choices):
    return " ".join(str(line) for line in told(text, **choices))


@pytest.mark.pitfall(3)
def test_interleaved_ids_and_rows_out_of_order_come_together_and_are_told():
    text = "id,time,x,label\na,1,1,w\nb,0,5,r\na,0,2,w\nb,1,6,r\n"
    made = read(text)
    assert (made.name, made.series_ids) == ("file", ("a", "b"))
    assert values(made) == [[[2, 1]], [[5, 6]]]
    assert [made.label_name(0), made.label_name(1)] == ["w", "r"]
    assert "row 4, column 'time': Rows were not in the order of time; they were sorted by 'time'" in texts(text)
    assert "Rows of one series do not stand together; they were put together by 'id'." in texts(text)
    assert any("not in the order of time" in sentence for sentence in made.provenance)


@pytest.mark.pitfall(3)
def test_rows_in_order_are_not_reported_as_sorted():
    text = "id,time,x,label\nb,0,5,r\na,0,2,w\nb,1,6,r\na,1,3,w\n"
    assert read(text).series_ids == ("b", "a")
    assert "order of time" not in texts(text)


@pytest.mark.pitfall(3)
def test_without_a_time_column_the_files_order_counts_and_scattered_ids_are_a_warning():
    text = "id,x,label\na,1,w\nb,5,r\na,0,w\n"
    assert values(read(text)) == [[[1, 0]], [[5]]]
    line = next(line for line in told(text) if "in the order of the file" in line.text)
    assert line.kind == "warning"


@pytest.mark.pitfall(4)
def test_the_same_time_twice_is_refused_by_its_rows():
    error = refused(TWICE)
    assert error.where == "data/file.csv, row 4, column 'time'"
    assert error.problem == "Rows 2 and 4 of one series (column 'id') have the same time; such pairs of rows: 1."


@pytest.mark.pitfall(4)
@pytest.mark.parametrize(("choice", "kept"), [("mean", 1.5), ("first", 1), ("last", 2)])
def test_the_same_time_twice_becomes_one_row_as_chosen(choice, kept):
    assert values(read(TWICE, same_time=choice)) == [[[kept, 9]], [[6]]]
    line = next(line for line in told(TWICE, same_time=choice) if line.choice == "same_time")
    assert (line.kind, "another row of their series: 1" in line.text) == ("repair", True)


@pytest.mark.pitfall(4)
def test_the_mean_of_doubled_rows_leaves_missing_values_out():
    text = "id,time,x,z,label\na,1,1,,w\na,1,?,,w\na,1,4,,w\nb,0,3,1,r\n"
    made = read(text, same_time="mean")
    np.testing.assert_array_equal(made.series[0], [[2.5], [np.nan]])


@pytest.mark.pitfall(2)
def test_a_label_that_changes_within_a_series_is_refused_by_its_row():
    error = refused("id,time,x,label\na,0,1,w\nb,1,6,r\na,1,2,r\n")
    assert error.where == "data/file.csv, row 4, column 'label'"
    assert error.problem == "Series 'a' has 'r' here, but another value before."


@pytest.mark.pitfall(2)
def test_a_label_that_changes_cuts_the_series_and_makes_the_recording_its_group():
    made = read(CHANGING, changing_label="cut")
    assert made.series_ids == ("a (1)", "a (2)", "b (1)")
    assert values(made) == [[[1, 2]], [[3, 4, 5]], [[6]]]
    assert [made.label_name(index) for index in range(3)] == ["w", "r", "r"]
    assert made.groups == ("a", "a", "b")
    told = texts(CHANGING, changing_label="cut")
    assert "2 series were cut into 3 where the label changes." in told
    assert "Left out, for they have no label: 1 time point." in told


@pytest.mark.pitfall(2)
def test_what_was_not_cut_and_what_was_not_left_out_is_not_told():
    told = texts("id,time,x,label\na,0,1,w\na,1,2,w\nb,0,6,r\n", changing_label="cut")
    assert "where the label changes" not in told
    assert "Left out" not in told


def test_recordings_of_the_same_name_in_two_files_are_two_groups():
    part = "run,sample,x,label\n" + "".join(f"1,{row % 9},{row},{row // 9}\n" for row in range(27))
    made = read(
        {"p_train.csv": part, "p_test.csv": part}, id_column="run", time_column="sample", changing_label="refuse"
    )
    assert made.series_ids[0] == "train 1 (1)"
    assert set(made.groups) == {"train 1", "test 1"}


def test_a_column_whose_name_ends_in_label_is_the_label_unless_one_is_called_so():
    rows = "".join(f"{index},{time},{index},{index % 2},{index % 3}\n" for index in range(6) for time in range(4))
    assert read(f"id,time,x,SepsisLabel,kind\n{rows}").class_names == ("0", "1")
    assert read(f"id,time,x,fault_label,class\n{rows}").class_names == ("0", "1", "2")


@pytest.mark.pitfall(2)
def test_a_label_that_changes_labels_windows_by_most_of_their_points():
    made = read(CHANGING, changing_label="windows", window="2")
    assert made.series_ids == ("a @0", "a @2", "b @0")
    assert [made.label_name(index) for index in range(3)] == ["w", "r", "r"]
    assert made.groups == ("a", "a", "b")
    assert [marks.tolist() for marks in made.instance_labels] == [[True, True], [True, True], [True, False]]


@pytest.mark.pitfall(2)
def test_a_label_that_changes_may_count_by_its_most_frequent_value():
    made = read(CHANGING, changing_label="most")
    assert [made.label_name(index) for index in range(2)] == ["r", "r"]


def test_windows_need_a_length():
    assert "length of a window was not given" in refused(CHANGING, changing_label="windows").problem


def test_nothing_is_cut_where_no_row_has_a_label():
    assert "No row has a label" in refused("id,time,x,label\na,0,1,\na,1,2,\n", changing_label="cut").problem


@pytest.mark.parametrize(("row", "column"), [(",1,2,w", "id"), ("a,,2,w", "time")])
def test_a_missing_id_or_time_is_refused_by_its_row(row, column):
    error = refused(f"id,time,x,label\na,0,1,w\n{row}\n")
    assert error.where == f"data/file.csv, row 3, column '{column}'"


@pytest.mark.parametrize("truth", ["1,0,,True", "w,none,w,r"])
def test_instance_labels_by_zero_and_one_or_by_the_series_own_class(truth):
    cells = truth.split(",")
    rows = ("a,1,1,w", "a,0,1,w", "b,0,3,r", "b,1,3,r")
    text = "id,time,x,label,instance_label\n" + "".join(
        f"{row},{cell}\n" for row, cell in zip(rows, cells, strict=True)
    )
    assert [marks.tolist() for marks in read(text).instance_labels] == [[False, True], [False, True]]


def test_an_instance_label_that_is_no_class_is_refused_by_its_row():
    error = refused("id,time,x,label,instance_label\na,0,1,w,w\na,1,1,w,jump\nb,0,3,r,r\n")
    assert error.where == "data/file.csv, row 3, column 'instance_label'"
    assert error.problem == "'jump' is neither 0 or 1 nor a class of the label column."


def test_a_split_column():
    made = read("id,time,x,label,split\na,0,1,w,Train\na,1,1,w,Train\nb,0,3,r,TEST\nc,0,3,r,validation\n")
    assert made.split.tolist() == ["train", "test", "train"]


def test_a_split_within_a_series_or_of_another_word_is_refused():
    rows = "id,time,x,label,split\na,0,1,w,train\na,1,1,w,{}\n"
    assert refused(rows.format("test"), split_column="split").where == "data/file.csv, row 3, column 'split'"
    error = refused(rows.format("later"), split_column="split", channel_columns=("x",))
    assert error.problem == "'later' is neither train nor test."


def test_a_group_that_changes_within_a_series_is_refused():
    text = "id,time,x,subject,label\na,0,1,ann,w\na,1,1,bob,w\nb,0,3,bob,r\n"
    assert refused(text, ids_within_groups=False).where == "data/file.csv, row 3, column 'subject'"


def test_a_corrected_layout_is_obeyed():
    text = "id,time,x,z,label\na,0,1,2,w\na,1,3,4,w\nb,0,5,6,r\n"
    made = read(text, channel_columns=("z",), label_column=None)
    assert (made.channel_names, made.class_names) == (("z",), ())
    assert values(made) == [[[2, 4]], [[6]]]


def test_a_windows_path_gives_the_files_own_name():
    assert read("id,time,x,label\na,0,1,w\n", name="C:\\data\\walk.csv").name == "walk"
