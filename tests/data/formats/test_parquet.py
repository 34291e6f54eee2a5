"""Parquet files: flat columns are read as a table's."""

import io
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.data.formats.reading import inspect, read, refused, told, values


def written(columns, **options):
    content = io.BytesIO()
    parquet.write_table(pa.table(columns), content, **options)
    return content.getvalue()


LONG = {"id": ["a", "a", "b"], "time": [0, 1, 0], "x": [1.5, None, 3.0], "label": ["walk", "walk", "run"]}


@pytest.mark.pitfall(1)
def test_a_long_table():
    content = written(LONG)
    made = read(content, name="mine.parquet")
    assert (made.name, made.series_ids, made.class_names) == ("mine", ("a", "b"), ("run", "walk"))
    np.testing.assert_array_equal(made.series[0], [[1.5, np.nan]])
    assert inspect(content, name="mine.parquet").title == "a Parquet table, long: a row a time point"


def test_numbers_are_exact_and_categories_are_texts():
    numbers = np.array([1 / 3, np.pi, 1e-30], dtype=np.float32)
    columns = {
        "id": pa.array([1, 1, 2]),
        "x": pa.array(numbers),
        "on": pa.array([True, False, None]),
        "label": pa.array(["w", "w", "r"]).dictionary_encode(),
    }
    made = read(written(columns), name="a.parquet", channel_columns=("x", "on"), layout="long")
    np.testing.assert_array_equal(made.series[0], [numbers[:2], [1, 0]])
    assert made.class_names == ("r", "w")


@pytest.mark.pitfall(8)
def test_time_stamps_with_a_zone():
    start = datetime(2024, 1, 31, 12)
    stamps = pa.array([start + timedelta(milliseconds=8 * place) for place in range(3)], pa.timestamp("us", "UTC"))
    made = read(written({"id": ["a"] * 3, "time": stamps, "x": [1, 2, 3], "label": ["w"] * 3}), name="a.parquet")
    assert made.sampling_rate == 125.0


def test_a_wide_table():
    columns = {"id": ["a", "b"], "label": ["w", "r"], **{f"t_{place}": [place, place + 0.5] for place in range(4)}}
    assert values(read(written(columns), name="a.parquet")) == [[[0, 1, 2, 3]], [[0.5, 1.5, 2.5, 3.5]]]


def test_columns_of_structures_are_left_out_and_told():
    content = written({**LONG, "more": [[1], [2], [3]]})
    assert read(content, name="a.parquet").channel_names == ("x",)
    assert any(
        "Columns of lists or structures are left out: 'more'" in one.text for one in told(content, name="a.parquet")
    )


def test_nothing_but_structures_is_refused():
    assert (
        "No column holds numbers, text or lists"
        in refused(written({"x": [{"a": 1}, {"a": 2}]}), name="a.parquet").problem
    )


@pytest.mark.pitfall(25)
def test_damaged_files_are_refused():
    content = written(LONG)
    for harmed in (content[:50], content[:4] + b"\xff" * 60 + content[64:], b"PAR1" + b"\xff" * 100 + b"PAR1"):
        assert "damaged or of an unknown kind" in refused(harmed, name="a.parquet").problem


@pytest.mark.pitfall(25)
def test_a_small_file_of_many_rows_is_refused_before_they_are_laid_out(monkeypatch):
    content = written({"id": np.zeros(100_000, dtype=np.int64), "x": np.zeros(100_000)}, compression="zstd")
    monkeypatch.setenv("TIMEMIL_MAX_CELLS", "1000")
    assert len(content) < 2000
    assert "has 200,000 cells; at most 1,000 are read" in refused(content, name="a.parquet").problem
