"""From bytes to series: values, labels, times, and the place of every mistake."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timemil_core.data.tables import inspect_table, read_table
from timemil_core.errors import DataError

NAN = np.nan


def read(text, **changes):
    content = text if isinstance(text, bytes) else text.encode()
    guess = inspect_table(content, "data/file.csv")
    return read_table(content, "data/file.csv", guess, dataclasses.replace(guess.layout, **changes))


def refused(text, **changes):
    with pytest.raises(DataError) as caught:
        read(text, **changes)
    assert caught.value.remedy
    return caught.value


def values(series_set):
    return [one.tolist() for one in series_set.series]


def test_interleaved_ids_and_rows_out_of_order_come_together_and_are_told():
    made = read("id,time,x,label\na,1,1,w\nb,0,5,r\na,0,2,w\nb,1,6,r\n")
    assert (made.name, made.series_ids) == ("file", ("a", "b"))
    assert values(made) == [[[2, 1]], [[5, 6]]]
    assert [made.label_name(0), made.label_name(1)] == ["w", "r"]
    assert any("not in the order of time" in sentence for sentence in made.provenance)


def test_rows_in_order_are_not_reported_as_sorted():
    made = read("id,time,x,label\nb,0,5,r\na,0,2,w\nb,1,6,r\na,1,3,w\n")
    assert made.series_ids == ("b", "a")
    assert not any("order of time" in sentence for sentence in made.provenance)


def test_without_a_time_column_the_files_order_counts():
    made = read("id,x,label\na,1,w\nb,5,r\na,0,w\n")
    assert values(made) == [[[1, 0]], [[5]]]


def test_without_an_id_the_file_is_one_series():
    made = read("time,x,z\n0,1,2\n1,2,3\n")
    assert values(made) == [[[1, 2], [2, 3]]]
    assert made.labels.tolist() == [-1]


def test_the_same_time_twice_is_refused_by_its_rows():
    error = refused("id,time,x,label\na,1,1,w\nb,1,6,r\na,1,2,w\n")
    assert error.where == "data/file.csv, row 4, column 'time'"
    assert "Rows 2 and 4" in error.problem


def test_a_label_that_changes_within_a_series_is_refused_by_its_row():
    error = refused("id,time,x,label\na,0,1,w\nb,1,6,r\na,1,2,r\n")
    assert error.where == "data/file.csv, row 4, column 'label'"
    assert "'a'" in error.problem


@pytest.mark.parametrize("text", ["abc", "1.2.3", "0x1f", "1,5", "1 2", "=1+1", "<b>"])
def test_an_unreadable_number_is_refused_by_row_column_and_text(text):
    error = refused(f'# a comment\nid,time,x,label\na,0,1.5,w\na,1,"{text}",w\nb,1,6,r\n')
    assert error.where == "data/file.csv, row 4, column 'x'"
    assert repr(text) in error.problem


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


@pytest.mark.parametrize(("row", "column"), [(",1,2,w", "id"), ("a,,2,w", "time")])
def test_a_missing_id_or_time_is_refused_by_its_row(row, column):
    error = refused(f"id,time,x,label\na,0,1,w\n{row}\n")
    assert error.where == f"data/file.csv, row 3, column '{column}'"


@pytest.mark.parametrize("token", ["", "?", "NA", "NaN", "nan", "-", "null", "N/A", "inf", "-inf", " ? ", "None"])
def test_signs_for_missing_values(token):
    made = read(f"id,time,x,label\na,0,1,w\na,1,{token},w\na,2,3,w\nb,0,2,r\n")
    np.testing.assert_array_equal(made.series[0], [[1, NAN, 3]])
    assert any("1 value of 4 missing" in sentence for sentence in made.provenance)


def test_truth_values_in_a_channel_are_0_and_1():
    made = read("id,time,x,on,label\na,0,1,True,w\na,1,2,,w\nb,0,2,false,r\n", channel_columns=("x", "on"))
    np.testing.assert_array_equal(made.series[0], [[1, 2], [1, NAN]])
    np.testing.assert_array_equal(made.series[1], [[2], [0]])


def test_decimal_commas():
    made = read("id;time;x;label\na;0;1,5;w\na;1;-2,25e1;w\nb;0;?;r\n")
    np.testing.assert_array_equal(made.series[0], [[1.5, -22.5]])


def test_a_thousands_separator_is_refused_rather_than_misread():
    assert "'1.234,5'" in refused("id;time;x;label\na;0;1.234,5;w\na;1;2,5;w\n").problem


def test_labels_of_one_class_in_several_spellings():
    made = read("id,time,x,label\na,0,1, walk\nb,0,1,walk \nc,0,1,run\nd,0,1,\ne,0,1,?\n")
    assert made.class_names == ("run", "walk")
    assert made.labels.tolist() == [1, 1, 0, -1, -1]
    assert any("Series without a label: 2" in sentence for sentence in made.provenance)


def test_numeric_labels_are_one_class_by_value_and_sorted_by_it():
    made = read("id,time,x,label\na,0,1,10\nb,0,1,1.0\nc,0,1,1\nd,0,1,-1\n")
    assert made.class_names == ("-1", "1", "10")
    assert made.labels.tolist() == [2, 1, 1, 0]


def test_consistent_numeric_labels_keep_their_spelling():
    assert read("id,time,x,label\na,0,1,1.0\nb,0,1,2.0\n").class_names == ("1.0", "2.0")


def test_truth_values_are_one_class_in_any_case():
    made = read("id,time,x,label\na,0,1,True\nb,0,1,false\nc,0,1,FALSE\n")
    assert (made.class_names, made.labels.tolist()) == (("false", "true"), [1, 0, 0])


def test_classes_that_differ_in_case_are_kept_apart_and_told():
    made = read("id,time,x,label\na,0,1,Walk\nb,0,1,walk\n")
    assert made.n_classes == 2
    assert any("differ in case only" in sentence for sentence in made.provenance)


def test_a_class_may_be_called_none():
    assert read("id,time,x,label\na,0,1,none\nb,0,1,spike\n").class_names == ("none", "spike")


def test_a_target_that_varies_continuously_is_refused():
    rows = "".join(f"{index},1,2,3,4,{index * 0.37:.3f}\n" for index in range(40))
    error = refused("id,x_1,x_2,x_3,x_4,target\n" + rows)
    assert "different numbers" in error.problem
    assert "column 'target'" in error.where


def test_instance_labels_by_zero_and_one():
    made = read("id,time,x,label,instance_label\na,1,1,w,1\na,0,1,w,0\nb,0,3,r,\nb,1,3,r,True\n")
    assert [truth.tolist() for truth in made.instance_labels] == [[False, True], [False, True]]


def test_instance_labels_by_class_mark_the_series_own_class():
    made = read("id,time,x,label,instance_label\na,0,1,w,none\na,1,1,w,w\nb,0,3,r,w\nb,1,3,r,r\n")
    assert [truth.tolist() for truth in made.instance_labels] == [[False, True], [False, True]]


def test_an_instance_label_that_is_no_class_is_refused_by_its_row():
    error = refused("id,time,x,label,instance_label\na,0,1,w,w\na,1,1,w,jump\nb,0,3,r,r\n")
    assert error.where == "data/file.csv, row 3, column 'instance_label'"


def test_a_split_column():
    made = read("id,time,x,label,split\na,0,1,w,Train\na,1,1,w,Train\nb,0,3,r,TEST\nc,0,3,r,validation\n")
    assert made.split.tolist() == ["train", "test", "train"]


def test_a_split_within_a_series_or_of_another_word_is_refused():
    rows = "id,time,x,label,split\na,0,1,w,train\na,1,1,w,{}\n"
    assert refused(rows.format("test"), split_column="split").where == "data/file.csv, row 3, column 'split'"
    assert "'later'" in refused(rows.format("later"), split_column="split", channel_columns=("x",)).problem


def test_without_a_split_column_all_are_training_series_and_that_is_told():
    made = read("id,time,x,label\na,0,1,w\nb,0,1,r\n")
    assert made.split.tolist() == ["train", "train"]
    assert any("all are training series" in sentence for sentence in made.provenance)


def timed(name, times):
    rows = "".join(f"a,{time},{index},w\n" for index, time in enumerate(times))
    return read(f"id,{name},x,label\n{rows}b,{times[0]},1,r\n")


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
        ("timestamp", ["1700000000", "1700000001"], None),
        ("time_s", ["0", "1", "5", "6"], None),  # not regular
        ("timestamp", ["2024-01-01T00:00:00.00Z", "2024-01-01T00:00:00.02Z", "2024-01-01T00:00:00.04Z"], 50.0),
        ("date", ["2024-01-31", "2024-02-01", "2024-02-02"], 1.1574074e-05),
        ("date", ["31.01.2024 12:00:00", "31.01.2024 12:00:01"], 1.0),
        ("date", ["31/01/2024 12:00:00", "31/01/2024 12:00:01"], 1.0),
        ("time", ["00:00:01.5", "00:00:02.0", "00:00:02.5"], 2.0),
    ],
)
def test_the_sampling_rate_is_what_the_time_column_can_tell(name, times, rate):
    found = timed(name, times).sampling_rate
    assert found == (None if rate is None else pytest.approx(rate, rel=1e-6))
    if rate is not None and rate >= 0.5:
        assert found == rate  # without the crumbs of floating point


def test_irregular_times_are_a_warning():
    assert any(sentence.startswith("Warning") for sentence in timed("time_s", ["0", "1", "5"]).provenance)


def test_a_rate_given_by_hand_is_used():
    made = read("id,time,x,label\na,0,1,w\na,1,2,w\nb,0,1,r\n", sampling_rate=128.0)
    assert made.sampling_rate == 128.0


def test_day_and_month_that_cannot_be_told_apart_are_refused():
    error = refused("id,date,x,label\na,01/02/2024,1,w\na,02/02/2024,2,w\nb,03/02/2024,6,r\n")
    assert "day or with the month" in error.problem


def test_a_time_that_is_none_is_refused_by_its_row():
    error = refused("id,time,x,label\na,0,1,w\na,soon,2,w\nb,0,3,r\n")
    assert (error.where, "'soon'" in error.problem) == ("data/file.csv, row 3, column 'time'", True)


def test_a_large_offset_that_costs_detail_is_told():
    rows = "id,time,x,c,label\n" + "".join(f"a,{i},{1700000000 + i},1700000001,w\n" for i in range(4))
    warnings = [sentence for sentence in read(rows).provenance if "rounded away" in sentence]
    assert len(warnings) == 1
    assert "'x'" in warnings[0]  # the constant 'c' has no detail to lose


def test_values_beyond_float32_are_missing_and_told():
    made = read("id,time,x,label\na,0,1e39,w\na,1,2,w\nb,0,3,r\n")
    np.testing.assert_array_equal(made.series[0], [[NAN, 2]])
    assert any("too large" in sentence for sentence in made.provenance)


WIDE = "id,label,t_0,t_1,t_2,t_3\na,w,1,2,3,4\nb,r,5,NA,7,\nc,w,,,,\n"


def test_a_wide_table_with_padding_gaps_and_an_empty_row():
    made = read(WIDE)
    assert (made.series_ids, made.channel_names) == (("a", "b"), ("value",))
    np.testing.assert_array_equal(made.series[0], [[1, 2, 3, 4]])
    np.testing.assert_array_equal(made.series[1], [[5, NAN, 7]])
    assert any("hold no value, left out: 1 (the first is row 4)" in sentence for sentence in made.provenance)
    assert any("padding" in sentence for sentence in made.provenance)


def test_a_wide_table_of_channels_is_put_in_order():
    made = read(
        "id,x_1,y_1,x_0,y_0,label\na,2,20,1,10,w\nb,4,40,3,30,r\n", channel_columns=("x_1", "y_1", "x_0", "y_0")
    )
    assert made.channel_names == ("x", "y")
    assert values(made) == [[[1, 2], [10, 20]], [[3, 4], [30, 40]]]


def test_a_ucr_file():
    made = read("-1\t0.5\t0.6\tNaN\n1\t0.1\t0.2\t0.3\n-1\t0.1\t0.2\t0.4\n1\t0.1\t0.2\t0.4\n")
    assert (made.class_names, made.series_ids, made.lengths.tolist()) == (
        ("-1", "1"),
        ("1", "2", "3", "4"),
        [2, 3, 3, 3],
    )


def test_rows_of_unequal_length_without_header():
    made = read("1,0.5,0.6,0.7\n2,0.1,0.2\n1,0.3\n2,1.5,2.5,3.5,4.5\n")
    assert made.lengths.tolist() == [3, 2, 1, 4]


def test_an_id_that_occurs_twice_in_a_wide_table_is_refused():
    error = refused("id,label,t_0,t_1,t_2,t_3\na,w,1,2,3,4\na,r,5,6,7,8\n", kind="wide", id_column="id")
    assert error.where == "data/file.csv, row 3, column 'id'"


def test_a_wrong_number_in_a_wide_table_is_refused_by_row_and_column():
    error = refused(WIDE.replace("3,4", "3,four"))
    assert error.where == "data/file.csv, row 2, column 't_3'"


def test_a_wide_table_without_any_value_is_refused():
    assert "No row holds a value" in refused("id,label,t_0,t_1,t_2,t_3\na,w,,,,\nb,r,?,?,?,?\n").problem


def test_too_many_channels_are_refused(monkeypatch):
    monkeypatch.setattr("timemil_core.data.tables.reading.MAX_CHANNELS", 1)
    with pytest.raises(DataError, match="at most 1"):
        read("id,time,x,z,label\na,0,1,2,w\n")


def test_a_corrected_layout_is_obeyed():
    made = read("id,time,x,z,label\na,0,1,2,w\na,1,3,4,w\nb,0,5,6,r\n", channel_columns=("z",), label_column=None)
    assert (made.channel_names, made.class_names) == (("z",), ())
    assert values(made) == [[[2, 4]], [[6]]]


def test_a_windows_path_gives_the_files_own_name():
    content = b"id,time,x,label\na,0,1,w\n"
    assert read_table(content, "C:\\data\\walk.csv", inspect_table(content, "x.csv")).name == "walk"


def reads_or_refuses(content: bytes) -> None:
    try:
        guess = inspect_table(content, "any.csv")
        for kind in ("long", "wide"):
            try:
                read_table(content, "any.csv", guess, dataclasses.replace(guess.layout, kind=kind)).fingerprint  # noqa: B018
            except DataError as error:
                assert str(error)
    except DataError as error:
        assert str(error)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=120))
def test_any_bytes_either_read_or_raise_our_own_error(content):
    reads_or_refuses(content)


NUMBERS = ("1", "2", "0.5", "-3", "1e5", "1e999", "1,5", "9" * 40, "0x1f", "1_000", "inf", "²")
WORDS = ("", "NA", "?", "a", "walk", "true", "train", '"x', "'", "é", "\x00", "\u2028", "\ufeff")
TIMES = ("2024-01-01", "01/02/2024", "12:00")
CELL = st.sampled_from((*NUMBERS, *WORDS, *TIMES))
NAME = st.sampled_from(
    ("id", "time", "label", "x", "x_1", "x_2", "y", "", "split", "instance_label", "time_s", "0", "1")
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(NAME, max_size=6),
    st.lists(st.lists(CELL, max_size=6), max_size=6),
    st.sampled_from([",", ";", "\t", " "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]),
)
def test_any_table_either_reads_or_raises_our_own_error(names, rows, separator, ending, encoding):
    reads_or_refuses(ending.join(separator.join(row) for row in [names, *rows]).encode(encoding))
