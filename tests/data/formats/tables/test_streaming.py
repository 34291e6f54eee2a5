"""A table is read some thousand rows at a time; what is found must not depend on where it is cut."""

import numpy as np
import pytest

from tests.data.formats.reading import read, refused, values
from timemil_core.data.files.contract import unheard
from timemil_core.data.files.source import from_bytes
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats.tables import chunks

ROWS = [f"{'ab'[place % 2]},{place // 2},{place * 1.5},{'wr'[place % 2]}" for place in range(20)]


@pytest.fixture(params=[1, 3, 7])
def small_chunks(request, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_CELLS", 1)
    monkeypatch.setattr(chunks, "FEWEST_ROWS", request.param)


def table(rows):
    return "id,time,x,label\n" + "\n".join(rows) + "\n"


@pytest.mark.pitfall(23)
def test_series_come_together_across_chunks(small_chunks):
    made = read(table(ROWS))
    assert values(made) == [[[3.0 * place for place in range(10)]], [[1.5 + 3 * place for place in range(10)]]]
    assert made.class_names == ("r", "w")


def test_mistakes_are_counted_and_placed_across_chunks(small_chunks):
    rows = [*ROWS, "a,10,oops,w", "b,10,oh,r", "", "a,11,1,w"]
    error = refused(table(rows))
    assert error.where == "data/file.csv, row 22, column 'x'"
    assert "'oops' is not a number. Such cells in this column: 2." in error.problem


def test_a_row_too_long_is_placed_across_chunks(small_chunks):
    assert refused(table([*ROWS, "a,10,1,w,9"])).where == "data/file.csv, row 22"
    assert refused(table([*ROWS, "a,10,1,w,9,9"])).where == "data/file.csv, row 22"


def test_an_open_quotation_mark_is_placed_across_chunks(small_chunks):
    assert refused(table([*ROWS, 'a,10,1,"w', "b,10,1,r"])).where == "data/file.csv, row 22"


def test_a_column_that_is_text_in_one_chunk_alone(small_chunks):
    rows = [*ROWS[:4], "a,2,?,w", "a,2.5,None,w", "a,2.75,inf,w", *ROWS[4:]]
    made = read(table(rows), same_time="last")
    assert np.isnan(made.series[0]).sum() == 2  # the third was doubled


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_across_chunks(small_chunks, encoding):
    made = read(table(ROWS).replace("label", "größe").replace("w\n", "ü\n").encode(encoding), label_column="größe")
    assert made.class_names == ("r", "ü")


def test_time_stamps_across_chunks(small_chunks):
    rows = [f"a,2024-01-31 12:00:{place:02d},{place},w" for place in range(20)]
    assert read(table(rows)).sampling_rate == 1.0
    error = refused(table([*rows, "a,tomorrow,1,w"]))
    assert (error.where, "'tomorrow' is not a time" in error.problem) == ("data/file.csv, row 22, column 'time'", True)


def test_precision_is_judged_over_all_chunks(small_chunks):
    rows = [f"a,{place},{1.7e9 + place},w" for place in range(20)]
    assert any("small differences" in sentence for sentence in read(table(rows)).provenance)


def test_the_progress_rises_to_its_end(small_chunks):
    shares = []
    read_files(inspect_files([from_bytes("a.csv", table(ROWS).encode())]), lambda share, _doing: shares.append(share))
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    unheard(0.5, "nobody hears")
