import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data.builders import assert_equal_sets, small_set
from timemil_core.data.bundled import load_bundled
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.synthetic import distractor_set
from timemil_core.data.tables import example_tables, inspect_table, read_table, write_long_table
from timemil_core.data.tables.examples import write_wide_table


def read_back(content: bytes) -> SeriesSet:
    return read_table(content, "back.csv", inspect_table(content, "back.csv"))


def test_the_layout_of_the_file():
    text = write_long_table(small_set()).decode()
    assert text.splitlines()[:4] == [
        "id,time_s,left,right hand,label,instance_label,split",
        "a,0.0,1.0,4.0,walk,1,train",
        "a,0.08,2.0,,walk,0,train",
        "a,0.16,3.0,6.0,walk,1,train",
    ]


def test_a_set_with_everything_is_read_back_equal():
    assert_equal_sets(small_set(), read_back(write_long_table(small_set())))


@pytest.mark.parametrize("name", ["BasicMotions", "JapaneseVowels", "GunPoint", "ItalyPowerDemand"])
def test_real_sets_are_read_back_equal(name):
    written = load_bundled(name)
    back = read_back(write_long_table(written))
    assert_equal_sets(written, back)
    assert back.fingerprint == written.fingerprint


def test_instance_labels_are_read_back_equal():
    written = distractor_set(12, 4)
    assert read_back(write_long_table(written)).fingerprint == written.fingerprint


def test_names_that_begin_with_a_blank_are_quoted():
    written = small_set(series_ids=(" a", "a", "b"))
    assert_equal_sets(written, read_back(write_long_table(written)))


@pytest.mark.pitfall(25)
def test_what_a_spreadsheet_would_run_is_guarded_and_read_back_unchanged():
    written = small_set(
        series_ids=("=1+1", "'=quoted", "-3"), channel_names=("@left", "right"), class_names=("+low", "-high")
    )
    text = write_long_table(written).decode()
    cells = {cell for line in text.splitlines() for cell in line.split(",")}
    assert {"'=1+1", "''=quoted", "-3", "'@left", "'+low", "'-high"} <= cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    assert_equal_sets(written, read_back(write_long_table(written)))


@pytest.mark.parametrize("rate", [None, 10.0, 33.333333333, 128.0, 44100.0, 0.001])
def test_sampling_rates_are_read_back_exactly(rate):
    written = load_bundled("BasicMotions").subset(range(6))
    written = small_set(
        series=written.series,
        labels=np.array([0, 0, 0, 1, 1, 1]),
        series_ids=written.series_ids,
        channel_names=written.channel_names,
        split=written.split,
        instance_labels=None,
        sampling_rate=rate,
    )
    assert read_back(write_long_table(written)).sampling_rate == rate


IDS = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r", exclude_categories=("Cs", "Cc")), min_size=1)


@st.composite
def sets(draw):
    n, n_channels = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    lengths = [draw(st.integers(1, 5)) for _ in range(n)]
    numbers = st.floats(width=32, allow_nan=True, allow_infinity=False)
    series = [
        np.array([[draw(numbers) for _ in range(length)] for _ in range(n_channels)], dtype=np.float32)
        for length in lengths
    ]
    truth = tuple(np.array([draw(st.booleans()) for _ in range(length)]) for length in lengths)
    return small_set(
        series=tuple(series),
        labels=np.array([0, 1, *(draw(st.integers(-1, 1)) for _ in range(n - 2))]),
        series_ids=tuple(draw(st.lists(IDS, min_size=n, max_size=n, unique=True))),
        channel_names=("left", "right hand", "gyro.z")[:n_channels],
        split=np.array([draw(st.sampled_from(["train", "test"])) for _ in range(n)]),
        instance_labels=draw(st.sampled_from([None, truth])),
        sampling_rate=None,
    )


@settings(max_examples=60, deadline=None)
@given(sets())
def test_any_set_is_read_back_equal(written):
    assert_equal_sets(written, read_back(write_long_table(written)))


def test_a_wide_table_is_read_back_equal():
    written = load_bundled("JapaneseVowels").subset(range(0, 270, 40))
    back = read_back(write_wide_table(written))
    assert back.series_ids == written.series_ids
    assert [back.label_name(index) for index in range(7)] == [written.label_name(index) for index in range(7)]
    for mine, yours in zip(written.series, back.series, strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_the_examples_can_be_uploaded_unchanged():
    examples = example_tables()
    made = {name: read_back(content) for name, content in examples.items()}
    long, wide = made["example_long.csv"], made["example_wide.csv"]
    assert (len(long), long.n_channels, long.n_classes, long.sampling_rate) == (12, 6, 4, 10.0)
    assert (len(wide), wide.n_channels, wide.class_names, wide.lengths.tolist()) == (6, 1, ("1", "2"), [150] * 6)
    assert max(len(content) for content in examples.values()) < 200_000
    assert all(inspect_table(content, name).warnings == () for name, content in examples.items())
