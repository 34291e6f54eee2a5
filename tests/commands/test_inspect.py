"""``inspect`` prints the page's report, and says in one line what cannot be read; ``--data`` takes the same files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data.checks.builders import FOLDER
from tests.data.formats.recordings.builders import edf
from timemil_core.__main__ import main
from timemil_core.commands.reading import data_reference
from timemil_core.data.catalogue import load
from timemil_core.data.tables import example_tables
from timemil_core.errors import DataError

LONG = "id,time,x,kind,label\na,0,1,p,w\na,1,2,p,w\nb,0,3,q,r\nb,1,4,q,r\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text(LONG)
    return path


def test_the_report_of_a_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(table)]) == 0
    told = capsys.readouterr().out
    for line in (
        "mine: a table, long: a row a time point",
        "  series: 2",
        "  classes: r (1), w (1)",
        "  'id' is taken for the id: its name says so. [id_column]",
        "  'time' counts time points. Give the sampling rate to have seconds on the axis. [sampling_rate]",
        "  Warning: There is no test part",
        "  label_column=label  (Class label)  of: 'id', 'time', 'x', 'kind', 'label'",
    ):
        assert line in told


def test_a_choice_corrects_the_guess(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(table), "--choose", "label_column=kind", "--choose", "sampling_rate=50"]) == 0
    told = capsys.readouterr().out
    assert "  classes: p (1), q (1)" in told
    assert "  sampling rate: 50 Hz, equal steps" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no/such/file.csv"], "no such file"),
        (["{folder}/broken.csv"], "broken.csv, row 2, column 'x': 'one' is not a number."),
        (["{folder}/a.xls"], "The file is no workbook that can be read"),
        (["{folder}/mine.csv", "--choose", "label=kind"], "There is no choice 'label' for this file."),
        (["{folder}/mine.csv", "--choose", "label_column"], "'label_column' is no choice."),
    ],
)
def test_what_cannot_be_read_is_one_line_and_a_code(
    words: list[str], told: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (table.parent / "broken.csv").write_text(LONG.replace("a,0,1", "a,0,one"))
    (table.parent / "a.xls").write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 50)
    assert main(["inspect", *(word.format(folder=table.parent) for word in words)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_what_cannot_be_read_as_it_was_understood_shows_the_choices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.csv"
    path.write_text(LONG.replace("a,0,1", "a,0,one"))
    assert main(["inspect", str(path)]) == 2
    told = capsys.readouterr().out
    assert "'label' is taken for the label: its name says so. [label_column]" in told
    assert "  unreadable=refuse  (Cells that are no numbers)  of: 'refuse', 'missing'" in told
    assert main(["inspect", str(path), "--choose", "unreadable=missing"]) == 0


def test_choices_are_shown_also_where_looking_at_a_file_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "head.csv"
    path.write_text("id,time,x,label\n")
    assert main(["inspect", str(path)]) == 2
    told = capsys.readouterr()
    assert "no row of data" in told.err
    assert "  has_header=yes  (The first row names the columns)" in told.out
    assert "  header_row=1  (The table begins in row)" in told.out


def test_several_files_and_a_folder_are_one_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "mine" / name for name in ("walk_1.csv", "run_2.csv", "walk_3.csv", "run_4.csv")]
    files[0].parent.mkdir()
    for path in files:
        path.write_text("x,z\n1,2\n3,4\n")
    assert main(["inspect", *map(str, files)]) == 0
    by_files = capsys.readouterr().out
    assert main(["inspect", str(files[0].parent)]) == 0
    by_folder = capsys.readouterr().out
    for told in (by_files, by_folder):
        assert "4 files, each a table, long: a row a time point" in told
        assert "  classes: run (2), walk (2)" in told


@pytest.mark.parametrize("name", ["example_a_file_a_series.zip", "example_ucr.tsv", "example_melted.csv"])
def test_any_format_becomes_a_set_of_the_workspace(name: str, tmp_path: Path, home: Path) -> None:
    path = tmp_path / name
    path.write_bytes(example_tables()[name])
    kept = load(data_reference(str(path), test_share=0.3, seed=0))
    assert kept.n_classes == (2 if "ucr" in name else 4)
    assert len(kept.indices("test")) > 0


def test_choices_are_followed_and_refused_for_what_is_no_file(table: Path, home: Path) -> None:
    assert load(data_reference(str(table), 0, 0, {"label_column": "kind"})).class_names == ("p", "q")
    with pytest.raises(DataError, match="choices are for files"):
        data_reference("BasicMotions", 0, 0, {"label_column": "kind"})


def test_recordings_are_split_by_their_group(tmp_path: Path, home: Path) -> None:
    pytest.importorskip("pyedflib")
    folder = tmp_path / "recordings"
    folder.mkdir()
    for name in ("ann", "bob", "cy", "dan"):
        (folder / f"{name}.edf").write_bytes(edf([(0, 2, "rest"), (2, 2, "move"), (4, 1, "rest"), (5, 1, "move")]))
    kept = load(data_reference(str(folder), test_share=0.25, seed=0))
    assert kept.groups is not None
    of_part = {part: {kept.groups[index] for index in kept.indices(part)} for part in ("train", "test")}
    assert len(of_part["test"]) == 1
    assert not of_part["train"] & of_part["test"]


def test_a_set_is_prepared_before_it_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / "17_subject_on_both_sides.csv")
    words = ["--prepare", "groups=id before its last mark", "--prepare", "split=by class", "--prepare", "step=0.1"]
    assert main(["inspect", path]) == 0
    before = capsys.readouterr().out
    assert "3 groups, such as 'ann', can be told by: id before its last mark" in before
    assert "  split=given  (Training and test part)  of: 'given', 'by class', 'in order'" in before
    assert main(["inspect", path, *words]) == 0
    after = capsys.readouterr().out
    assert "  subjects or recordings: 3" in after
    assert "  sampling rate: 10 Hz, equal steps" in after
    assert "both sides of the split" not in after
    assert main(["inspect", path, "--prepare", "mood=good"]) == 2
    assert "no choice 'mood'" in capsys.readouterr().err


def test_a_set_of_the_catalogue_is_prepared_and_kept() -> None:
    reference = data_reference("BasicMotions", 0.3, 0, prepare={"rate": "5", "channels": "gyroscope x,gyroscope z"})
    made = load(reference)
    assert (made.sampling_rate, made.channel_names) == (5.0, ("gyroscope x", "gyroscope z"))
    assert set(made.lengths) == {50}
    assert len(made.indices("test")) == 40


def test_the_first_rows_stand_beneath_what_their_columns_were_taken_for(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(table)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["[id]", "[time]", "[value]", "[…]", "[label]"]
    assert lines[2].split() == ["id", "time", "x", "kind", "label"]
    assert lines[3].split() == ["a", "0", "1", "p", "w"]


def test_the_report_for_programs(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(table), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["facts"]["series"] == "2"
    assert told["roles"] == {"id": "id", "time": "time", "x": "value", "kind": "", "label": "label"}
    assert {"name", "title", "found", "checks", "choices"} <= set(told)
    assert all(line["kind"] in ("note", "repair", "warning") for line in told["found"])
