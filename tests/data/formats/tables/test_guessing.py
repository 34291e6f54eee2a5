"""What each column is taken for, and why."""

import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of, values

LONG = "id,time,x,label\na,0,1.5,walk\na,1,2.5,walk\nb,0,3.5,run\nb,1,4.5,run\n"
ROLES = ("layout", "id_column", "time_column", "label_column", "channel_columns")


def roles(text, **choices):
    found = inspect(text, **choices)
    return tuple(value_of(found, name) for name in ROLES)


def warnings(text, **choices):
    return [line for line in inspect(text, **choices).lines if line.kind == "warning"]


@pytest.mark.pitfall(1)
def test_a_long_table_by_its_names():
    assert roles(LONG) == ("long", "id", "time", "label", ("x",))
    assert warnings(LONG) == []
    assert inspect(LONG).title == "a table, long: a row a time point"


def test_each_column_has_its_reason_and_its_choice():
    lines = {line.choice: line.text for line in inspect(LONG).lines}
    for choice, sentence in (
        ("id_column", "'id' is taken for the id"),
        ("time_column", "'time' is taken for the time"),
        ("channel_columns", "'x' is taken for a channel"),
        ("label_column", "'label' is taken for the label"),
    ):
        assert sentence in lines[choice]


def test_a_reason_goes_when_its_guess_is_replaced():
    lines = inspect(LONG, label_column=None).lines
    assert not [line for line in lines if line.choice == "label_column" and "its name says so" in line.text]


def test_the_head_is_the_first_twenty_rows_as_text():
    rows = "".join(f"a,{index},0.50,w\n" for index in range(50))
    head = inspect("id,time,x,label\n" + rows).head
    assert head is not None
    assert head.shape == (20, 4)
    assert head["x"].tolist() == ["0.50"] * 20


@pytest.mark.pitfall(1)
def test_a_ucr_file_without_header():
    text = "1\t0.5\t0.6\t0.7\n2\t0.1\t0.2\t0.3\n1\t0.1\t0.2\t0.4\n2\t0.1\t0.2\t0.4\n"
    assert roles(text)[0:1] + roles(text)[3:] == ("wide", "column 1", ("column 2", "column 3", "column 4"))
    assert value_of(inspect(text), "has_header") is False
    assert any("'column 1' was taken for it" in warning.text for warning in warnings(text))


@pytest.mark.pitfall(22)
def test_a_wide_table_in_the_order_of_its_numbers():
    names = ["x_1", "x_10", "x_2", *(f"x_{index}" for index in range(3, 10))]
    text = f"id,{','.join(names)},label\na,{','.join('1' * 10)},w\nb,{','.join('2' * 10)},r\n"
    assert roles(text)[0] == "wide"
    assert roles(text)[4] == tuple(f"x_{index}" for index in range(1, 11))


@pytest.mark.pitfall(22)
@pytest.mark.parametrize("pattern", ["acc_{channel}_{time}", "acc_{channel}[{time}]", "t{time}_acc_{channel}"])
def test_a_wide_table_of_several_channels(pattern):
    names = [pattern.format(channel=channel, time=time) for time in range(5) for channel in "xyz"]
    text = f"id,{','.join(names)},label\na,{','.join('1' * 15)},w\nb,{','.join('2' * 15)},r\n"
    expected = tuple(pattern.format(channel=channel, time=time) for channel in "xyz" for time in range(5))
    assert (roles(text)[0], roles(text)[4]) == ("wide", expected)
    assert any("3 channels (acc_x, acc_y, acc_z) of 5 time points" in line.text for line in inspect(text).lines)


def test_a_header_of_positions():
    text = "id,0,1,2,3,4,label\na,.1,.2,.3,.4,.5,w\nb,.1,.2,.3,.4,.5,r\n"
    assert (roles(text)[0], roles(text)[4]) == ("wide", ("0", "1", "2", "3", "4"))


def test_x_y_z_are_axes_and_not_a_label():
    assert roles("id,t,x,y,z\na,0,1,2,3\na,1,1,2,3\nb,0,1,2,3\n")[4] == ("x", "y", "z")


@pytest.mark.pitfall(2)
@pytest.mark.parametrize("place", [0, 2, 3])
def test_the_label_in_any_column(place):
    rows = [line.split(",") for line in LONG.splitlines()]
    moved = [[cells[3] if index == place else None for index in range(4)] for cells in rows]
    for cells, row in zip(rows, moved, strict=True):
        rest = iter(cells[:3])
        row[:] = [cell if cell is not None else next(rest) for cell in row]
    text = "\n".join(",".join(row) for row in moved) + "\n"
    assert read(text).class_names == ("run", "walk")
    assert values(read(text)) == values(read(LONG))


@pytest.mark.pitfall(2)
def test_a_label_without_a_telling_name_is_taken_with_a_warning():
    text = "id,time,x,kind\na,0,1,w\na,1,2,w\nb,0,3,r\nb,1,3,r\n"
    assert roles(text)[3] == "kind"
    line = next(line for line in warnings(text) if line.choice == "label_column")
    assert line.text == "No column is called label; 'kind' was taken for it."


def test_an_id_without_a_telling_name_is_where_time_starts_anew():
    text = "who,sec,acc,activity\np1,0,1,w\np1,1,2,w\np2,0,3,r\np2,1,3,r\n"
    assert roles(text)[1:4] == ("who", "sec", "activity")


def test_a_subject_is_the_id_where_nothing_else_is():
    text = "participant,sec,acc,activity\np1,0,1,w\np1,1,2,w\np2,0,3,r\np2,1,3,r\n"
    assert roles(text)[1] == "participant"
    assert value_of(inspect(text), "group_column") is None


@pytest.mark.pitfall(17)
def test_a_subject_beside_an_id_is_the_group():
    text = "subject,trial,time,x,label\nann,1,0,1,w\nann,1,1,2,w\nann,2,0,3,r\nann,2,1,4,r\nbob,3,0,5,w\nbob,3,1,6,w\n"
    made = read(text)
    assert (made.series_ids, made.groups) == (("1", "2", "3"), ("ann", "ann", "bob"))


@pytest.mark.pitfall(3)
def test_ids_that_start_anew_in_each_group_are_kept_apart():
    text = "subject,trial,time,x,label\nann,1,0,1,w\nann,1,1,2,w\nbob,1,0,5,w\nbob,1,1,6,w\nbob,2,0,7,r\nbob,2,1,8,r\n"
    made = read(text)
    assert made.series_ids == ("ann/1", "bob/1", "bob/2")
    assert values(made) == [[[1, 2]], [[5, 6]], [[7, 8]]]
    assert "have the same time" in refused(text, ids_within_groups=False).problem


@pytest.mark.pitfall(20)
def test_text_among_the_channels_is_left_out_and_told():
    text = "id,time,x,colour,label\na,0,1,red,w\na,1,2,blue,w\nb,0,2,blue,r\n"
    assert read(text).channel_names == ("x",)
    line = next(line for line in inspect(text).lines if "'colour' is left out" in line.text)
    assert (line.kind, line.choice) == ("repair", "channel_columns")


def test_split_and_instance_labels_by_name():
    text = "id,time,x,label,instance_label,split\na,0,1,w,0,train\na,1,1,w,1,train\nb,0,2,r,0,test\n"
    found = inspect(text)
    assert value_of(found, "instance_label_column") == "instance_label"
    assert value_of(found, "split_column") == "split"


@pytest.mark.pitfall(5)
def test_a_table_without_id_is_one_series_and_says_so_loudly():
    text = "time,x,y\n0,1,2\n1,2,3\n2,3,4\n"
    made = read(text)
    assert (made.series_ids, values(made)) == (("file",), [[[1, 2, 3], [2, 3, 4]]])
    assert any("the whole file is taken for one series" in warning.text for warning in warnings(text))


@pytest.mark.pitfall(5)
@pytest.mark.parametrize("text", ["1.5\n2.5\n3.25\n", "value\n1.5\n2.5\n3.25\n"])
def test_a_single_column_of_numbers_is_one_series(text):
    assert values(read(text)) == [[[1.5, 2.5, 3.25]]]


@pytest.mark.pitfall(5)
def test_numbers_without_names_and_classes_are_one_series():
    text = "".join(f"{index / 7:.3f} {index / 3:.3f} {-index / 9:.3f}\n" for index in range(1, 31))
    made = read(text)
    assert (len(made), made.n_channels, made.lengths.tolist()) == (1, 3, [30])
    assert len(read(text, layout="wide")) == 30


@pytest.mark.pitfall(25)
def test_hostile_names_stay_text():
    text = "id,time,<script>alert(1)</script>,=cmd|' /C calc'!A0,label\na,0,1,2,w\na,1,1,2,w\n"
    assert read(text).channel_names == ("<script>alert(1)</script>", "=cmd|' /C calc'!A0")


def test_a_name_of_a_hundred_thousand_letters_takes_no_time():
    text = f"id,time,{'_' * 100_000}1,label\na,0,1,w\na,1,1,w\n"
    assert len(read(text).channel_names[0]) == 100_001


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"label_column": "nothing"}, "There is no 'nothing' to choose"),
        ({"channel_columns": ()}, "No column holds"),
        ({"channel_columns": ("x", "label")}, "'label' is used twice"),
        ({"time_column": "id"}, "'id' is used twice"),
        ({"layout": "melted"}, "one column that names the channel"),
    ],
)
def test_a_layout_that_the_table_cannot_have_is_refused(choices, message):
    assert message in refused(LONG, **choices).problem


def test_a_choice_that_there_is_not_is_refused():
    assert "There is no choice 'labels'" in refused(LONG, labels="label").problem


@pytest.mark.pitfall(23)
@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ("BYTES", "has 66 bytes; at most 2 are read"),
        ("CELLS", "cells; at most 2 are read"),
        ("COLUMNS", "has 4 columns; at most 2 are read"),
        ("VALUES", "has 4 values; at most 2 are read"),
    ],
)
def test_limits_are_settings_and_are_checked(monkeypatch, variable, message):
    monkeypatch.setenv(f"TIMEMIL_MAX_{variable}", "2")
    error = refused(LONG)
    assert message in error.problem
    assert f"TIMEMIL_MAX_{variable} changes the limit" in error.remedy


@pytest.mark.pitfall(23)
def test_a_column_of_ever_new_texts_is_no_id(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_SERIES", "1")
    assert "more than 1 different texts" in refused(LONG).problem


def test_the_lines_of_inspection_and_reading_are_told_once():
    lines = told(LONG)
    assert len(set(lines)) == len(lines)


@pytest.mark.pitfall(19)
@pytest.mark.parametrize("name", ["加速度y", "größe_y", "Скорость y", "加速度 t", "速度class", "y₂"])
def test_a_name_in_any_script_is_a_name_of_its_own(name):
    text = f"id,time,a,{name},label\n1,0,1,2,walk\n1,1,2,4,walk\n2,0,2,4,run\n2,1,2,5,run\n"
    assert roles(text)[3:] == ("label", ("a", name))


@pytest.mark.parametrize(
    "names",
    [
        "编号,时间,加速度x,类别",
        "Proband;Zeit [ms];a;Klasse",
        "номер,время,a,класс",
        "ＩＤ,Ｔｉｍｅ,a,ｌａｂｅｌ",
        "id,Timestamp (µs),a,Étiquette",
    ],
)
def test_the_words_of_other_languages(names):
    mark = ";" if ";" in names else ","
    text = names + "\n" + "a,0,1.5,walk\na,1,2.5,walk\nb,0,3.5,run\nb,1,4.5,run\n".replace(",", mark)
    one, two, three, four = names.split(mark)
    assert roles(text) == ("long", one, two, four, (three,))
