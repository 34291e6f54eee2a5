"""One small file for each pitfall of reading: what is said of it, and what is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from timemil_core.data.files.choices import Value
from timemil_core.data.files.source import from_path
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError

FOLDER = Path(__file__).resolve().parents[1] / "pitfalls" / "reading"


def read(name: str, **choices: Value) -> tuple[SeriesSet, str]:
    """The set in a file, and all that is said of it."""
    inspection = inspect_files([from_path(FOLDER / name)], choices)
    reading = read_files(inspection)
    return reading.series_set, " ".join(map(str, (*inspection.lines, *reading.lines)))


def refusal(name: str, **choices: Value) -> DataError:
    with pytest.raises(DataError) as caught:
        read(name, **choices)
    assert caught.value.remedy
    return caught.value


def values(series_set: SeriesSet) -> list[object]:
    return [one.tolist() for one in series_set.series]


WALK, RUN = [[1, 2, 3], [1, 0, -1]], [[5, 6, 7], [5, 4, 3]]


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("name", ["01_long.csv", "01_melted.csv", "01_arrays.npz", "01_table.parquet", "01_sheet.xlsx"])
def test_two_series_of_two_channels_in_each_layout(name: str) -> None:
    made, _ = read(name)
    assert values(made) == [WALK, RUN]
    assert [made.label_name(index) for index in range(2)] == ["walk", "run"]


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("name", ["01_series.ts", "01_relational.arff"])
def test_the_archives_own_formats_with_unequal_lengths(name: str) -> None:
    made, _ = read(name)
    assert values(made) == [WALK, [[5, 6], [5, 4]]]
    assert [made.label_name(index) for index in range(2)] == ["walk", "run"]


@pytest.mark.pitfall(1)
def test_a_row_a_series() -> None:
    made, said = read("01_wide.csv")
    assert values(made) == [[[1, 2, 3, 4]], [[5, 6, 7, 8]]]
    assert "'t_0' … 't_3' are taken for 4 time points of one channel" in said


@pytest.mark.pitfall(1, 10)
def test_the_ucr_layout_with_its_padding() -> None:
    made, said = read("01_ucr_TRAIN.tsv")
    assert (made.class_names, made.lengths.tolist()) == (("1", "2"), [3, 2, 3, 1])
    assert "Missing values at the end of 2 rows were taken for padding and cut off" in said


@pytest.mark.pitfall(1)
def test_a_file_a_series_in_a_zip() -> None:
    made, said = read("01_a_file_a_series.zip")
    assert (len(made), made.class_names, made.sampling_rate) == (4, ("run", "walk"), 4.0)
    assert "4 files are read alike, as the first one" in said


@pytest.mark.pitfall(1)
def test_an_edf_recording() -> None:
    pytest.importorskip("pyedflib")
    made, said = read("01_recording.edf")
    assert [made.label_name(index) for index in range(3)] == ["rest", "move", "rest"]
    assert "It is cut into the stretches that are annotated" in said


@pytest.mark.pitfall(1)
def test_a_wfdb_record() -> None:
    pytest.importorskip("wfdb")
    made, _ = read("01_record.zip")
    assert [made.label_name(index) for index in range(3)] == ["N", "AFIB", "N"]


@pytest.mark.pitfall(2)
def test_a_label_in_the_first_column_by_no_telling_name() -> None:
    made, said = read("02_label_first.csv")
    assert made.class_names == ("run", "walk")
    assert "No column is called label; 'kind' was taken for it" in said


@pytest.mark.pitfall(2)
def test_a_label_that_changes_within_an_id() -> None:
    error = refusal("02_label_changes.csv")
    assert error.problem == "Series 'a' has 'move' here, but another value before."
    assert error.where == "02_label_changes.csv, row 4, column 'label'"
    made, _ = read("02_label_changes.csv", changing_label="cut")
    assert (made.series_ids, made.groups) == (("a (1)", "a (2)", "b (1)"), ("a", "a", "b"))


@pytest.mark.pitfall(2)
@pytest.mark.parametrize("name", ["02_label_in_folder.zip", "02_label_in_name.zip"])
def test_a_label_in_the_name_of_folder_or_file(name: str) -> None:
    made, said = read(name)
    assert [made.label_name(index) for index in np.argsort([one[0, 0] for one in made.series])] == [
        *("walk", "walk"),
        *("run", "run"),
    ]
    assert "The class is taken from the" in said


@pytest.mark.pitfall(2)
def test_labels_in_a_table_beside() -> None:
    made, said = read("02_labels_beside.zip")
    assert [made.label_name(index) for index in range(3)] == ["walk", "run", "walk"]
    assert "'labels.csv' tells of each file, which its column 'file' names" in said


@pytest.mark.pitfall(3)
def test_rows_out_of_order_and_interleaved_ids() -> None:
    made, said = read("03_out_of_order.csv")
    assert values(made) == [[[1, 2, 3]], [[5, 6]]]
    assert "Rows were not in the order of time; they were sorted by 'time' in each series" in said


@pytest.mark.pitfall(4)
def test_two_rows_of_one_time() -> None:
    error = refusal("04_same_time_twice.csv")
    assert error.problem == "Rows 3 and 4 of one series (column 'id') have the same time; such pairs of rows: 1."
    assert values(read("04_same_time_twice.csv", same_time="mean")[0]) == [[[1, 3]], [[5]]]


@pytest.mark.pitfall(5)
def test_no_id() -> None:
    made, said = read("05_no_id.csv")
    assert values(made) == [[[1, 3, 5], [2, 4, 6]]]
    assert "No column says which series a row belongs to: the whole file is taken for one series" in said


@pytest.mark.pitfall(6, 19)
def test_a_nameless_column_of_row_numbers() -> None:
    made, said = read("06_row_numbers.csv")
    assert made.channel_names == ("x",)
    assert "'column 1' is left out: it has no name and merely numbers the rows" in said


@pytest.mark.pitfall(6)
def test_no_header() -> None:
    made, said = read("06_no_header.csv")
    assert values(made) == [[[1.5, 2.5, 2.5]], [[3.5, 4.5, 4.5]]]
    assert "no row names the columns" in said


@pytest.mark.pitfall(7)
def test_semicolons_and_decimal_commas() -> None:
    made, said = read("07_semicolons.csv")
    assert values(made) == [[[1.5, 2.25]], [[-0.5]]]
    assert "Cells are separated by semicolons, decimals by a comma" in said


@pytest.mark.pitfall(7)
def test_thousands() -> None:
    made, said = read("07_thousands.csv")
    assert values(made) == [[[1234.5, 2.25]], [[-1000000.5]]]
    assert "Thousands are marked by points, which are taken away" in said


@pytest.mark.pitfall(7)
def test_a_comma_that_is_either() -> None:
    _, said = read("07_thousands_or_decimals.csv")
    assert "it was taken for the decimal mark, but may as well mark thousands" in said
    made, _ = read("07_thousands_or_decimals.csv", decimal=".", thousands=",")
    assert values(made) == [[[1234, 12500]], [[7]]]


@pytest.mark.pitfall(7)
@pytest.mark.parametrize(
    ("name", "said"),
    [("07_utf16.csv", "The text is in UTF-16"), ("07_latin1.csv", "The text is not UTF-8; read as Western")],
)
def test_encodings(name: str, said: str) -> None:
    made, told = read(name)
    assert said in told
    assert "größe" in " ".join((*made.class_names, *made.channel_names))


@pytest.mark.pitfall(8)
def test_day_or_month() -> None:
    error = refusal("08_day_or_month.csv")
    assert error.problem == "'01/02/2024' can be read with the day or with the month first."
    assert read("08_day_or_month.csv", dates="day first")[0].sampling_rate == pytest.approx(1 / 86400)


@pytest.mark.pitfall(8)
def test_zones_are_one_clock() -> None:
    made, said = read("08_zones.csv")
    assert made.sampling_rate == 1.0
    assert "'time' rises in equal steps: 1 Hz" in said


@pytest.mark.pitfall(8)
def test_milliseconds_since_1970() -> None:
    made, said = read("08_epoch_milliseconds.csv")
    assert made.sampling_rate == 125.0
    assert "The numbers of 'timestamp' look like milliseconds since 1970: the first is of 2023-11-14 22:13" in said


@pytest.mark.pitfall(8)
def test_a_spreadsheets_days() -> None:
    made, said = read("08_spreadsheet_serials.csv")
    assert made.sampling_rate == pytest.approx(2 / 86400)
    assert "The numbers of 'date' look like a spreadsheet's days since 1900" in said


@pytest.mark.pitfall(8)
def test_times_that_go_backwards() -> None:
    made, said = read("08_backwards.csv")
    assert values(made)[0] == [[1, 2, 3, 4]]
    assert "08_backwards.csv, row 5, column 'time_s': Rows were not in the order of time" in said


@pytest.mark.pitfall(9)
def test_series_of_two_rates() -> None:
    made, said = read("09_two_rates.csv")
    assert made.timestamps is not None
    assert "but differ between series: they were sampled at different rates" in said


@pytest.mark.pitfall(10)
def test_rows_of_unequal_length() -> None:
    assert read("10_rows_of_unequal_length.csv")[0].lengths.tolist() == [3, 2, 1, 4]


@pytest.mark.pitfall(15)
def test_spellings_and_gaps_of_labels() -> None:
    made, said = read("15_spellings.csv")
    assert (made.class_names, made.labels.tolist()) == (("run", "Walk", "walk"), [2, 2, 1, -1, -1, 0])
    assert "Classes that differ in case only are kept apart: 'Walk', 'walk'" in said


@pytest.mark.pitfall(15)
def test_a_number_to_predict() -> None:
    assert "different numbers such as 0.000 stand where classes were expected" in refusal("15_continuous.csv").problem


@pytest.mark.pitfall(20)
def test_text_among_the_channels() -> None:
    made, said = read("20_text_among_channels.csv")
    assert made.channel_names == ("x",)
    assert "'colour' is left out: it holds text, which is no value of a channel" in said


@pytest.mark.pitfall(20)
def test_words_in_a_channel() -> None:
    error = refusal("20_words_in_a_channel.csv")
    assert error.problem == "'off' is not a number. Such cells in this column: 2."
    made, said = read("20_words_in_a_channel.csv", unreadable="missing")
    np.testing.assert_array_equal(made.series[0], [[1.5, np.nan, 2.5]])
    assert "2 cells that are no numbers were read as missing values" in said


@pytest.mark.pitfall(22)
def test_numbered_names_of_several_channels() -> None:
    made, said = read("22_wide_channels.csv")
    assert values(made)[0] == [[1, 11, 21, 101], [2, 12, 22, 102]]
    assert "2 channels (acc_x, acc_y) of 4 time points" in said


@pytest.mark.pitfall(25)
def test_a_bomb() -> None:
    assert "unpacks to more than 250 times its size (120 MB): a sign of a zip bomb" in refusal("25_bomb.zip").problem


@pytest.mark.pitfall(25)
def test_climbing_names() -> None:
    _, said = read("25_climbing_names.zip")
    assert "Names in the archive lead out of its folder: '../../evil.csv'" in said


@pytest.mark.pitfall(25)
def test_a_link() -> None:
    _, said = read("25_link.zip")
    assert "Links in the archive, and what else is no file, are left out: 'passwords.csv'" in said


@pytest.mark.pitfall(25)
def test_a_nested_archive() -> None:
    assert "The file is an archive inside another, or a document; it is not read" in refusal("25_nested.zip").problem


@pytest.mark.pitfall(25)
def test_a_pickled_array() -> None:
    assert "The array holds Python objects, which are pickled" in refusal("25_pickled.npy").problem


@pytest.mark.pitfall(25)
def test_hostile_names_stay_text() -> None:
    made, _ = read("25_hostile_names.csv")
    assert made.channel_names == ("<script>alert(1)</script>",)
    assert made.series_ids[0] == "<img src=x onerror=alert(2)>"
    assert made.class_names == ("<b>w</b>", "=1+1")
