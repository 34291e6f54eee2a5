import json
from dataclasses import replace

import numpy as np
import pytest

from tests.explain.builders import build_set
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError, SettingsError
from timemil_core.explain.edits import Edit, EditedSeries, Place, place_between

MASK = Edit("mask", Place(2, 4, (1,)))
SWAP = Edit("swap", Place(0, 10), donor="s3", donor_start=5)
SCALE = Edit("scale", Place(5, 8), amount=2.0, level="zero")


@pytest.fixture
def series_set():
    return build_set(6)


@pytest.fixture
def original(series_set):
    return EditedSeries(series_set, 1)


def test_edits_are_done_one_after_the_other_and_the_original_stays(original, series_set):
    before = series_set.series[1].copy()
    edited = original.with_edit(SWAP).with_edit(SCALE).with_edit(MASK)
    expected = before.copy()
    expected[:, :10] = series_set.series[3][:, 5:15]
    expected[:, 5:8] *= 2
    expected[1, 2:4] = np.nan
    np.testing.assert_array_equal(edited.values, expected)
    np.testing.assert_array_equal(series_set.series[1], before)
    assert original.edits == () and original.changed_share == 0
    assert edited.changed_share == pytest.approx(20 / (2 * 21))


def test_undo_drops_the_last_edit(original):
    edited = original.with_edit(SCALE).with_edit(MASK)
    assert edited.undone().edits == (SCALE,)
    np.testing.assert_array_equal(edited.undone().values, original.with_edit(SCALE).values)
    assert edited.undone().undone().undone().edits == ()


def test_comes_back_from_json_with_its_lineage(original, series_set):
    edited = original.with_edit(SWAP).with_edit(MASK)
    again = EditedSeries.from_json(json.loads(json.dumps(edited.to_json())), series_set)
    assert (again.index, again.edits) == (1, (SWAP, MASK))
    np.testing.assert_array_equal(again.values, edited.values)


def test_the_lineage_is_told_in_words_and_in_the_series_unit(original, series_set):
    assert original.with_edit(MASK).with_edit(SWAP).lineage == (
        "'channel 1', 2 to 3: taken away, as missing",
        "all channels, 0 to 9: replaced by series 's3', from its time point 5 on",
    )
    in_seconds = EditedSeries(replace(series_set, sampling_rate=10.0), 1)
    shifted = in_seconds.with_edit(Edit("shift", Place(2, 4), amount=-0.2))
    assert shifted.lineage == ("all channels, 0.2 to 0.3 s: moved 0.2 s earlier",)
    assert original.with_edit(Edit("smooth", Place(2, 4), amount=3)).lineage == (
        "all channels, 2 to 3: averaged over 3 time points",
    )


def test_is_a_set_of_its_own_that_tells_its_lineage(original, series_set):
    edited = original.with_edit(MASK)
    own = edited.as_set()
    assert own.series_ids == ("s1, edited",) and len(own) == 1 and own.label_name(0) is None
    assert "taken away" in own.provenance[-1]
    np.testing.assert_array_equal(own.series[0], edited.values)
    assert own.fingerprint != original.as_set().fingerprint


@pytest.mark.parametrize(
    "edit",
    [
        Edit("mask", Place(20, 22)),
        Edit("mask", Place(0, 2, (2,))),
        Edit("swap", Place(0, 10), donor="nobody", donor_start=0),
        Edit("swap", Place(0, 10), donor="s0", donor_start=11),
        Edit("shift", Place(0, 2), amount=40),
    ],
)
def test_refuses_what_is_not_possible_and_stays_as_it_is(original, edit):
    with pytest.raises(SettingsError):
        original.with_edit(edit)
    assert original.edits == ()


def test_refuses_values_too_large(original):
    million = Edit("scale", Place(0, 5), amount=1e6, level="zero")
    edited = original
    with pytest.raises(SettingsError, match="too large"):
        for _ in range(10):
            edited = edited.with_edit(million)


def test_refuses_json_of_another_set_or_of_something_else(original, series_set):
    content = original.with_edit(MASK).to_json()
    with pytest.raises(DataError, match="another data set"):
        EditedSeries.from_json(content, build_set(5))
    for broken in (None, {}, {**content, "edits": None}, {**content, "edits": [{"kind": "mask"}]}):
        with pytest.raises(SettingsError):
            EditedSeries.from_json(broken, series_set)


def test_where_steps_are_unequal_an_edit_is_done_and_told_in_the_times_of_the_axis(series_set):
    """Observed at 0, 1, 2, 6, 7 … h: five hours later lie 6 and 7 h, beyond the gap."""
    times = np.concatenate([[0.0, 1.0, 2.0], np.arange(6.0, 6.0 + 18)])
    own = tuple(times if index == 1 else np.arange(float(n)) for index, n in enumerate(series_set.lengths))
    hourly = replace(series_set, timestamps=Timestamps(own, unit=3600.0))
    original = EditedSeries(hourly, 1)
    np.testing.assert_array_equal(original.times, hourly.times(1))
    place = place_between(original.times, 1.0, 3.5)
    assert (place.start, place.stop) == (1, 3)
    moved = original.with_edit(Edit("shift", place, amount=5.0))
    assert moved.lineage == ("all channels, 1 to 2 h: moved 5 h later",)
    np.testing.assert_allclose(moved.values[:, 3:5], original.original[:, 1:3])
    left = original.original[:, 0], moved.values[:, 3]
    np.testing.assert_allclose(moved.values[:, 1], left[0] + (left[1] - left[0]) / 6, rtol=1e-5)
    alone = original.with_edit(Edit("smooth", Place(2, 3), amount=3.0))  # within 1.5 h: the points at 1 and 2 h
    np.testing.assert_allclose(alone.values[:, 2], original.original[:, 1:3].mean(axis=1), rtol=1e-6)


def test_the_unit_of_the_axis_is_that_of_the_lineage(series_set):
    daily = EditedSeries(replace(series_set, sampling_rate=1 / 86400), 1)
    assert daily.with_edit(MASK).lineage == ("'channel 1', 2 to 3 days: taken away, as missing",)
