"""Where a table begins: the row of names, what stands before it, and what stands between it and the data."""

import math

import pytest

from tests.data.formats.reading import inspect, read, told, value_of, values


def numbers(n_rows, n_columns, separator=","):
    rows = [[f"{math.sin(1 + 0.7 * row + 1.3 * column):.4f}" for column in range(n_columns)] for row in range(n_rows)]
    return [separator.join(row) for row in rows]


def body(n_rows, columns=2, mark=","):
    return "".join(f"{place / 10:.1f}{mark}{row}\n" for place, row in enumerate(numbers(n_rows, columns, mark)))


@pytest.mark.pitfall(6)
@pytest.mark.parametrize(
    "classes", ["yn", "st", ["case", "control"], ["step", "turn"], ["group", "class"], ["t", "id"]]
)
@pytest.mark.parametrize("place", [0, -1])
def test_a_class_that_is_a_word_for_a_column_does_not_make_its_row_a_header(classes, place):
    rows = [row.split(",") for row in numbers(20, 40)]
    for index, row in enumerate(rows):
        row.insert(len(row) if place else 0, classes[index % 2])
    made = read("\n".join(map(",".join, rows)) + "\n")
    assert (len(made), set(made.class_names), made.lengths.tolist()) == (20, set(classes), [40] * 20)


@pytest.mark.pitfall(6)
@pytest.mark.parametrize("word", ["gesture", "y", "series", "walk"])
def test_a_word_that_stands_in_the_first_row_only_is_a_value_beside_numbers(word):
    rows = [f"{word if not index else 'rest'},{row}" for index, row in enumerate(numbers(12, 30))]
    assert value_of(inspect("\n".join(rows) + "\n"), "has_header") is False


@pytest.mark.pitfall(6)
def test_long_rows_without_names_whose_ids_are_words_for_columns():
    text = "".join(
        f"{name},{point},{point * 0.25},{label}\n"
        for name, label in (("s", "step"), ("t", "turn"))
        for point in range(6)
    )
    assert value_of(inspect(text), "has_header") is False
    made = read(text)
    assert (made.series_ids, made.lengths.tolist(), made.class_names) == (("s", "t"), [6, 6], ("step", "turn"))


@pytest.mark.pitfall(6)
@pytest.mark.parametrize(
    "header",
    [
        ",".join(f"{place * 0.1:.1f}" for place in range(12)),
        ",".join(str(1990 + place) for place in range(12)),
        ",".join(f"2024-01-{place + 1:02}" for place in range(12)),
        ",".join(str(3 * place * place + 1) for place in range(12)),
    ],
)
def test_names_that_are_numbers_rise_beside_a_word(header):
    text = f"label,{header}\n" + "".join(f"{'ab'[index % 2]},{row}\n" for index, row in enumerate(numbers(9, 12)))
    assert value_of(inspect(text), "has_header") is True
    assert len(read(text)) == 9


def test_a_header_that_comes_again_where_files_were_joined_is_still_one():
    rows = [f"a,{point},{point * 0.5},w" for point in range(5)]
    text = "\n".join(["id,time,x,label", *rows, "id,time,x,label", *rows]) + "\n"
    assert value_of(inspect(text), "has_header") is True


@pytest.mark.pitfall(6)
@pytest.mark.parametrize(
    "units",
    [",s,m/s²,m/s²,", ",(s),(g),(g),", ",[ms],[µV],[%],[-]", '"",seconds,°C,mV,class', "text,float,float,float,text"],
)
def test_a_row_of_units_beneath_the_names_is_passed_over_and_told(units):
    rows = "".join(f"{name},{row[:-1]},{name}\n" for name in "ab" for row in body(20).splitlines(keepends=True))
    text = f"id,time,x,y,label\n{units}\n{rows}"
    made = read(text)
    assert (len(made), made.channel_names, made.lengths.tolist()) == (2, ("x", "y"), [20, 20])
    assert any(line.choice == "skip_rows" and "passed over" in line.text for line in told(text))
    assert value_of(inspect(text), "skip_rows") == 1


@pytest.mark.pitfall(6)
def test_units_beneath_the_names_tell_the_unit_of_time():
    assert read("id,time,x,label\n,ms,g,\n" + "".join(f"a,{20 * k},{k % 3},w\n" for k in range(9))).sampling_rate == 50


PREAMBLES = {
    "unmarked lines": "Recorded by a logger, firmware 2\nSerial: 4711\nStart 12:00:00\n----------\n",
    "keys and values": "Subject,17\nDevice,Logger 3\nOperator,ann\n",
    "a title": "Experiment 5 of May\n\n",
    "a title in cells": "Experiment 5,,\n,,\n",
    "many lines": "".join(f"note {place}: what was done\n" for place in range(25)),
    "numbers among them": "Serial,4711\nVoltage: 4.21 V\nChannels: 2, Gain: 8\n",
}


@pytest.mark.pitfall(6)
@pytest.mark.parametrize("preamble", PREAMBLES.values(), ids=PREAMBLES)
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_lines_before_the_table_are_passed_over_and_told(preamble, mark):
    text = preamble.replace(",", mark) + f"time{mark}left hand{mark}right hand\n" + body(30, 2, mark)
    made = read(text)
    assert (made.channel_names, made.lengths.tolist()) == (("left hand", "right hand"), [30])
    row = preamble.count("\n") + 1
    assert value_of(inspect(text), "header_row") == row
    line = next(line for line in told(text) if line.choice == "header_row")
    assert (line.kind, f"The table begins in row {row}" in line.text) == ("warning", True)


@pytest.mark.pitfall(6)
def test_where_the_table_begins_can_be_chosen():
    text = "alpha,beta\n1,2\n" + "x,y\nunit,unit\n" + "".join(f"{row}\n" for row in numbers(9, 2))
    assert read(text, header_row=3, skip_rows=1).channel_names == ("x", "y")
    assert read(text, header_row=3, skip_rows=1).lengths.tolist() == [9]
    assert read(text, header_row=5, has_header=False, skip_rows=0).lengths.tolist() == [9]


@pytest.mark.pitfall(8)
@pytest.mark.parametrize(
    ("line", "rate"),
    [
        ("Data at 30 Hz, filter normal", 30),
        ("Sampling rate: 62.5", 62.5),
        ("Sample Frequency (Hz);128", 128),
        ("fs = 250 Hz", 250),
        ("recorded at 100 Hz, filtered at 20 Hz", None),
        ("nothing", None),
    ],
)
def test_a_rate_before_the_table_is_taken_and_told(line, rate):
    text = f"Recorded in May\n{line}\nleft;right\n" + "".join(f"{row}\n" for row in numbers(30, 2, ";"))
    assert read(text).sampling_rate == rate
    assert rate is None or any(f"tell a sampling rate of {rate:g} Hz" in line.text for line in told(text))


@pytest.mark.pitfall(8)
@pytest.mark.parametrize("n_columns", [1, 3])
@pytest.mark.parametrize("rate", ["32.000000", "1.0", "4"])
def test_a_wristbands_start_and_rate_are_no_values(n_columns, rate):
    rows = [", ".join([cell] * n_columns) for cell in ("1677672000.00", rate)]
    text = "\n".join([*rows, *numbers(50, n_columns)]) + "\n"
    made = read(text)
    assert (made.n_channels, made.lengths.tolist(), made.sampling_rate) == (n_columns, [50], float(rate))
    assert any("are no values but the start" in line.text for line in told(text))


def test_a_column_of_times_since_1970_is_no_wristbands_start():
    text = "".join(f"{1677672000 + place},{place % 5}\n" for place in range(30))
    assert read(text, layout="long").lengths.tolist() == [30]


@pytest.mark.pitfall(6)
def test_cells_that_are_no_numbers_in_the_first_rows_of_data_do_not_move_the_header():
    text = "id,time,x,label\na,0,err,w\na,1,err,w\n" + "".join(f"a,{place},0.5,w\n" for place in range(2, 20))
    assert value_of(inspect(text), "header_row") == 1
    assert read(text, unreadable="missing").lengths.tolist() == [20]


@pytest.mark.pitfall(6)
def test_values_survive_whatever_stands_before_them():
    text = "Title\n\ntime;x\n0,5;1,25\n1,0;2,5\n1,5;3,75\n2,0;5,0\n"
    assert values(read(text)) == [[[1.25, 2.5, 3.75, 5.0]]]


@pytest.mark.pitfall(6)
@pytest.mark.parametrize("mark", ["#", "# ", "%"])
def test_names_in_the_last_comment_are_the_names(mark):
    text = f"# saved in May\n{mark}time left right\n" + body(20, 2, " ")
    assert read(text).channel_names == ("left", "right")
    assert read(f"# saved\n# by ann and bob\n{body(20, 2, ' ')}").lengths.tolist() == [20]
