"""What a row is, where its names leave it open: a series, a time point of a recording, or features."""

import math

import pytest

from tests.data.formats.reading import inspect, read, told, value_of


def wave(row, column, phase=0.0):
    return f"{math.sin(0.31 * row + 1.7 * column + phase):.4f}"


def recording(n_blocks, length, columns, *, labels, separator=",", clock=None, user=None, last=False, end=""):
    """Return rows of a recording without a header: user, label, clock and channels, or the label last."""
    rows = []
    for block in range(n_blocks):
        for point in range(length):
            row = block * length + point
            cells = [wave(row, column) for column in range(columns)]
            label = [labels[block % len(labels)]]
            head = ([] if user is None else [user[block * len(user) // n_blocks]]) + ([] if last else label)
            rows.append([*head, *([] if clock is None else [clock(row)]), *cells, *(label if last else [])])
    return "".join(separator.join(row) + end + "\n" for row in rows)


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("end", ["", ";"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_user_activity_clock_and_channels(end, separator):
    text = recording(
        6,
        40,
        3,
        labels=["Jogging", "Walking", "Sitting"],
        separator=separator,
        clock=lambda row: str(49106012326000 + 50_000_000 * row),
        user=["33", "17"],
        end=end,
    )
    made = read(text)
    assert (len(made), made.n_channels, set(made.lengths.tolist())) == (6, 3, {40})
    assert (made.class_names, set(made.groups or ())) == (("Jogging", "Sitting", "Walking"), {"33", "17"})
    assert made.sampling_rate == 20
    assert any(line.choice == "changing_label" and line.kind == "warning" for line in told(text))


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("columns", [3, 23])
def test_channels_and_an_activity_that_comes_in_stretches(columns):
    text = recording(4, 60, columns, labels=["1", "2", "3", "4"], separator="\t", last=True)
    made = read(text)
    assert (len(made), made.n_channels, made.n_classes) == (4, columns, 4)


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("step", [0.01, 20, 1.0])
def test_a_column_that_rises_like_a_clock_is_no_value(step):
    text = "".join(f"{8.38 + step * row:.2f} {wave(row, 0)} {wave(row, 1)} {wave(row, 2)}\n" for row in range(60))
    made = read(text)
    assert (len(made), made.n_channels, made.lengths.tolist()) == (1, 3, [60])
    assert value_of(inspect(text), "time_column") == "column 1"


@pytest.mark.pitfall(1)
def test_a_class_first_file_sorted_by_class_is_still_a_row_a_series():
    rows = [
        f"{1 + row // 10},{','.join(wave(point, 0, row % 10 + 3.0 * (row // 10)) for point in range(30))}"
        for row in range(20)
    ]
    made = read("\n".join(rows) + "\n")
    assert (len(made), made.lengths.tolist(), made.n_classes) == (20, [30] * 20, 2)


@pytest.mark.pitfall(19)
@pytest.mark.parametrize("extra", ["age", "weight_kg", "height", "site2"])
@pytest.mark.parametrize("place", ["before", "behind"])
@pytest.mark.parametrize("pattern", ["t{}", "{}", "acc_{}", "0.{:02}"])
def test_numbers_beside_time_points_are_left_out_and_told(extra, place, pattern):
    names = [pattern.format(point) for point in range(20)]
    header = ["id", "label", *([extra, *names] if place == "before" else [*names, extra])]
    rows = []
    for row in range(8):
        values = [wave(point, 0, row) for point in range(20)]
        own = str(30 + 3 * row % 7)
        rows.append([f"p{row}", "ab"[row % 2], *([own, *values] if place == "before" else [*values, own])])
    text = "\n".join(map(",".join, [header, *rows])) + "\n"
    made = read(text)
    assert (len(made), made.lengths.tolist()) == (8, [20] * 8)
    assert f"{extra!r} is left out: its name does not count along" in " ".join(line.text for line in told(text))


@pytest.mark.pitfall(22)
def test_a_channel_that_counts_other_time_points_is_left_out_loudly():
    names = [*(f"x_{point}" for point in range(12)), *(f"y_{point}" for point in range(11))]
    text = (
        "id,"
        + ",".join(names)
        + "\n"
        + "".join(f"p{row}," + ",".join(wave(k, 0, row) for k in range(23)) + "\n" for row in range(5))
    )
    assert read(text).lengths.tolist() == [12] * 5
    assert any(line.kind == "warning" and "'y_0' is left out" in line.text for line in told(text))


@pytest.mark.parametrize(
    "names",
    [
        ["mean", "std", "min", "max", "energy"],
        ["acc_mean_1", "acc_std_1", "acc_max_1", "acc_rms_1"],
        ["alpha", "beta", "gamma", "delta"],
    ],
)
def test_a_table_of_features_is_told_loudly(names):
    rows = "".join(f"s{row},{','.join(wave(row, k) for k in range(len(names)))},{'ab'[row % 2]}\n" for row in range(30))
    lines = [line for line in told(f"subject,{','.join(names)},label\n{rows}") if line.kind == "warning"]
    assert any("may hold features" in line.text for line in lines)


def test_few_time_points_are_told_loudly():
    rows = "".join(f"s{row},{','.join(wave(row, k) for k in range(6))},{'ab'[row % 2]}\n" for row in range(30))
    lines = told(f"subject,{','.join(f't{k}' for k in range(6))},label\n{rows}")
    assert any(line.kind == "warning" and "6 time points only" in line.text for line in lines)


@pytest.mark.pitfall(6)
@pytest.mark.parametrize("name", ["sample", "index", "row", "no", "#", "Sample Number"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_column_that_counts_rows_is_an_index_and_a_row_a_time_point(name, first):
    text = f"{name},x,y\n" + "".join(f"{row + first},{wave(row, 0)},{wave(row, 1)}\n" for row in range(40))
    made = read(text)
    assert (len(made), made.channel_names, made.lengths.tolist()) == (1, ("x", "y"), [40])


@pytest.mark.pitfall(6)
def test_an_index_beside_a_time_column_is_no_channel():
    text = "index,time,x,label\n" + "".join(f"{row},{row / 10},{wave(row, 0)},a\n" for row in range(20))
    assert read(text).channel_names == ("x",)


def test_the_title_says_what_a_row_is():
    names = ",".join(f"{axis}_{point}" for axis in "xy" for point in range(12))
    rows = "".join(f"p{row},{','.join(wave(k, row) for k in range(24))},{'ab'[row % 2]}\n" for row in range(6))
    assert (
        inspect(f"id,{names},label\n{rows}").title == "a table, wide: a row is a series of 12 time points of 2 channels"
    )


@pytest.mark.pitfall(20)
def test_an_empty_column_with_a_name_is_left_out_and_told():
    text = "id,time,x,spare,label\na,0,1,,w\na,1,2,,w\nb,0,3,,r\n"
    assert read(text).channel_names == ("x",)
    assert "'spare' is left out: it holds no value" in " ".join(line.text for line in told(text))
