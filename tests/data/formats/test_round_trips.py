"""Any set, written in any of our layouts, is read back equal as far as the layout can hold it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data.builders import assert_equal_sets, small_set
from tests.data.formats.reading import read
from timemil_core.data.bundled import BUNDLED, load_bundled
from timemil_core.data.export import write_npz, write_ts
from timemil_core.data.series_set import SeriesSet, default_channel_names
from timemil_core.data.tables import write_long_table
from timemil_core.data.tables.melted import write_melted_table, write_series_files
from timemil_core.data.tables.wide import write_ucr_table, write_wide_table
from timemil_core.data.timestamps import Timestamps

LETTERS = st.characters(codec="utf-8", exclude_characters="\x00\r", exclude_categories=("Cs", "Cc"))
# Tables trim the cells that they read, so an id that a space would change cannot come back from one.
IDS = st.text(LETTERS, min_size=1).map(str.strip).filter(bool)
CHANNELS = st.lists(
    st.sampled_from(("left", "right hand", "gyro.z", "acc_x", "acc 1", "=cmd", "<b>", "Δ", "c10", "c9")),
    min_size=1,
    max_size=3,
    unique=True,
)
NUMBERS = st.floats(width=32, allow_nan=True, allow_infinity=False)
KNOWN_NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def sets(draw, numbers=NUMBERS, channels=CHANNELS, groups=True, ids=IDS):
    n, names = draw(st.integers(2, 4)), tuple(draw(channels))
    lengths = [draw(st.integers(1, 5)) for _ in range(n)]
    series = [np.array([[draw(numbers) for _ in range(k)] for _ in names], dtype=np.float32) for k in lengths]
    truth = tuple(np.array([draw(st.booleans()) for _ in range(k)]) for k in lengths)
    return small_set(
        series=tuple(series),
        labels=np.array([0, 1, *(draw(st.integers(-1, 1)) for _ in range(n - 2))]),
        class_names=tuple(sorted(("rest", draw(st.sampled_from(("walk", "=run", "<i>", "é t")))), key=str.casefold)),
        series_ids=tuple(draw(st.lists(ids, min_size=n, max_size=n, unique=True))),
        channel_names=names,
        split=np.array([draw(st.sampled_from(["train", "test"])) for _ in range(n)]),
        instance_labels=draw(st.sampled_from([None, truth])),
        sampling_rate=None,
        groups=draw(st.sampled_from([None, tuple(f"subject {index % 2}" for index in range(n))])) if groups else None,
    )


def without_points(written: SeriesSet) -> SeriesSet:
    """The set without what layouts of a row a series cannot hold."""
    return replace(written, instance_labels=None, sampling_rate=None)


def assert_equal_values(written: SeriesSet, back: SeriesSet) -> None:
    assert [back.label_name(index) for index in range(len(back))] == [
        written.label_name(index) for index in range(len(written))
    ]
    for mine, yours in zip(written.series, back.series, strict=True):
        np.testing.assert_array_equal(mine, yours)


@settings(max_examples=30, deadline=None)
@given(sets())
def test_a_long_table(written):
    assert_equal_sets(written, read(write_long_table(written), name="back.csv"))


@settings(max_examples=30, deadline=None)
@given(sets())
def test_a_melted_table(written):
    back = read(write_melted_table(written), name="back.csv", layout="melted")
    names = back.channel_names
    order = [names.index(name) for name in written.channel_names]  # numbered ones are sorted
    assert sorted(names) == sorted(written.channel_names)
    assert_equal_sets(
        written, replace(back, series=tuple(one[order] for one in back.series), channel_names=written.channel_names)
    )


@settings(max_examples=30, deadline=None)
@given(sets(numbers=KNOWN_NUMBERS))
def test_a_wide_table(written):
    written = without_points(written)
    back = read(write_wide_table(written), name="back.csv", layout="wide")
    if written.n_channels == 1:
        written = replace(written, channel_names=("value",))
    assert_equal_sets(written, back)


@settings(max_examples=30, deadline=None)
@given(sets())
def test_arrays(written):
    assert_equal_sets(written, read(write_npz(written), name="back.npz"))


@settings(max_examples=40, deadline=None)
@given(sets(numbers=KNOWN_NUMBERS, channels=st.just(["one"])))
def test_a_ucr_table(written):
    written = replace(written, labels=np.arange(len(written)) % 2, class_names=("-1", "1"))
    back = read(write_ucr_table(written), name="back.tsv", has_header=False, label_column="column 1", layout="wide")
    assert_equal_values(written, back)


@settings(max_examples=25, deadline=None)
@given(sets(ids=st.text("abcdefgh0123", min_size=3, max_size=6), groups=False))
def test_a_file_a_series(written):
    written = replace(
        written, labels=np.arange(len(written)) % 2, class_names=("a b", "c"), split=np.full(len(written), "train")
    )
    back = read(
        write_series_files(written), name="back.zip", label_from="folder:1", group_from=None, layout="long",
        has_header=True, time_column="time", channel_columns=written.channel_names,
    )  # fmt: skip
    assert back.class_names == ("a_b", "c")
    order = [back.series_ids.index(one) for one in written.series_ids]
    assert_equal_values(replace(written, class_names=back.class_names), back.subset(order))


@settings(max_examples=10, deadline=None)
@given(sets(numbers=KNOWN_NUMBERS))
def test_ts_files(written):
    n = len(written)
    written = replace(
        written, labels=np.arange(n) % 2, class_names=("a", "b"), split=np.where(np.arange(n) % 3, "train", "test")
    )
    back = read(write_ts(written))
    order = [*written.indices("train"), *written.indices("test")]
    assert_equal_values(written.subset(order), back)
    assert back.split.tolist() == written.split[order].tolist()
    assert back.channel_names == default_channel_names(written.n_channels)


@pytest.mark.parametrize("unit", [None, 1.0, 1e-3, 7.5])
def test_times_of_unequal_steps(unit):
    times = Timestamps((np.array([0.0, 1.0, 5.0]), np.array([2.0]), np.array([1.0, 2.5])), unit)
    written = small_set(timestamps=times, sampling_rate=None)
    assert read(write_npz(written), name="back.npz").fingerprint == written.fingerprint
    for write in (write_long_table, write_melted_table):
        back = read(write(written), name="back.csv")
        assert back.timestamps is not None
        assert back.timestamps.unit == (1.0 if unit == 7.5 else unit)
        for mine, yours in zip(times.values, back.timestamps.values, strict=True):
            np.testing.assert_allclose(mine * (unit or 1), yours * (back.timestamps.unit or 1), rtol=1e-12)


@pytest.mark.parametrize("name", BUNDLED[:4])
@pytest.mark.parametrize("write", [write_long_table, write_npz, write_melted_table])
def test_real_sets(name, write):
    written = load_bundled(name)
    if write is write_melted_table:
        written = written.subset(range(0, len(written), 9))
    back = read(write(written), name="back.npz" if write is write_npz else "back.csv")
    assert_equal_sets(written, back)
    assert back.fingerprint == written.fingerprint
