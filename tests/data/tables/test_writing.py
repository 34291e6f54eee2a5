import numpy as np
import pytest

from tests.data.builders import assert_equal_sets, small_set
from tests.data.formats.reading import read
from timemil_core.data.bundled import load_bundled
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.synthetic import distractor_set
from timemil_core.data.tables import write_long_table


def read_back(content: bytes) -> SeriesSet:
    return read(content, name="back.csv")


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
