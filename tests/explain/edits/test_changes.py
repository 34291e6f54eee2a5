"""Each change against values worked out by hand; a second channel shows that nothing else changes."""

import numpy as np
import pytest

from timemil_core.errors import SettingsError
from timemil_core.explain.edits import changes
from timemil_core.explain.edits.place import Place

NAN = np.nan
TIMES = np.arange(6.0)
VALUES = np.array([[0, 1, 2, 6, 4, 5], [10, 11, 12, 13, 14, 15]], dtype=np.float32)
WITH_GAP = np.array([[0, 1, NAN, 6, 4, 5]], dtype=np.float32)
INSIDE = Place(1, 4, (0,))


def row(values):
    return values[0].tolist()


@pytest.fixture(autouse=True)
def original_stays():
    before = VALUES.copy()
    yield
    assert np.array_equal(VALUES, before)


def equal(values, expected):
    np.testing.assert_allclose(values[0], expected, rtol=1e-6)
    if len(values) == 2:
        assert np.array_equal(values[1], VALUES[1])


def test_mask_makes_values_missing():
    equal(changes.mask(VALUES, INSIDE), [0, NAN, NAN, NAN, 4, 5])
    assert np.isnan(changes.mask(VALUES, Place(1, 4))[:, 1:4]).all()


def test_flatten_holds_the_mean_of_the_span_or_of_the_series():
    equal(changes.flatten(VALUES, INSIDE), [0, 3, 3, 3, 4, 5])
    equal(changes.flatten(VALUES, INSIDE, level="series mean"), [0, 3, 3, 3, 4, 5])
    equal(changes.flatten(VALUES, Place(0, 2, (0,)), level="series mean"), [3, 3, 2, 6, 4, 5])


def test_flatten_leaves_what_is_missing_and_averages_the_rest():
    equal(changes.flatten(WITH_GAP, INSIDE), [0, 3.5, NAN, 3.5, 4, 5])


def test_scale_goes_around_the_mean_or_around_zero():
    equal(changes.scale(VALUES, INSIDE, factor=2), [0, -1, 1, 9, 4, 5])
    equal(changes.scale(VALUES, INSIDE, factor=-1), [0, 5, 4, 0, 4, 5])
    equal(changes.scale(VALUES, INSIDE, factor=2, around="zero"), [0, 2, 4, 12, 4, 5])
    equal(changes.scale(WITH_GAP, INSIDE, factor=0), [0, 3.5, NAN, 3.5, 4, 5])


def test_smooth_takes_neighbours_beyond_the_span_too():
    equal(changes.smooth(VALUES, INSIDE, TIMES, width=2), [0, 1, 3, 4, 4, 5])
    equal(changes.smooth(VALUES, Place(0, 6, (0,)), TIMES, width=2), [0.5, 1, 3, 4, 5, 4.5])
    equal(changes.smooth(VALUES, INSIDE, TIMES, width=0.5), row(VALUES))


def test_smooth_goes_by_time_and_by_what_is_observed():
    times = np.array([0, 0.5, 1, 5, 5.5, 9])
    equal(changes.smooth(VALUES, Place(0, 6, (0,)), times, width=2), [1, 1, 1, 5, 5, 5])
    equal(changes.smooth(WITH_GAP, INSIDE, TIMES, width=2), [0, 0.5, NAN, 5, 4, 5])


def test_smooth_keeps_small_changes_on_a_large_offset():
    offset = np.float32(2**20)
    equal(changes.smooth(VALUES[:1] + offset, INSIDE, TIMES, width=2), np.array([0, 1, 3, 4, 4, 5]) + offset)


def test_shift_moves_over_what_was_there_and_joins_what_is_left():
    equal(changes.shift(VALUES, INSIDE, TIMES, by=2), [0, 1 / 3, 2 / 3, 1, 2, 6])
    equal(changes.shift(VALUES, INSIDE, TIMES, by=-1), [1, 2, 6, 5, 4, 5])


def test_shift_loses_what_leaves_the_series():
    equal(changes.shift(VALUES, INSIDE, TIMES, by=4), [0, 1, 2, 3, 4, 1])
    with pytest.raises(SettingsError, match="out of the series"):
        changes.shift(VALUES, INSIDE, TIMES, by=5)


def test_shift_between_time_points_interpolates_and_keeps_gaps():
    equal(changes.shift(VALUES, INSIDE, TIMES, by=0.5), [0, 0.75, 1.5, 4, 4, 5])
    equal(changes.shift(WITH_GAP, INSIDE, TIMES, by=1), [0, 0.5, 1, NAN, 6, 5])


def test_shift_goes_by_time_where_steps_are_unequal():
    times = np.array([0.0, 1, 2, 4, 5, 6])
    # what was seen at 2 is seen at 4, half of the way from 2 (at 2) to 6 (at 4) at 5
    equal(changes.shift(VALUES, Place(2, 4, (0,)), times, by=2), [0, 1, 4 / 3, 2, 4, 6])


def test_shift_of_a_whole_channel_holds_its_end():
    equal(changes.shift(VALUES, Place(0, 6, (0,)), TIMES, by=2), [0, 0, 0, 1, 2, 6])


def test_swap_takes_the_other_series_values_with_its_gaps():
    donor = np.array([[7, NAN, 9], [70, 80, 90]], dtype=np.float32)
    arguments = {"donor": donor, "donor_times": np.arange(3.0)}
    equal(changes.swap(VALUES, INSIDE, TIMES, **arguments, donor_start=0), [0, 7, NAN, 9, 4, 5])
    equal(changes.swap(VALUES, Place(4, 6, (0,)), TIMES, **arguments, donor_start=1), [0, 1, 2, 6, NAN, 9])
    with pytest.raises(SettingsError, match="ends too early"):
        changes.swap(VALUES, INSIDE, TIMES, **arguments, donor_start=1)
    with pytest.raises(SettingsError, match="channels"):
        changes.swap(VALUES[:1], INSIDE, TIMES, **arguments, donor_start=0)


def test_swap_goes_by_time_where_steps_differ():
    donor, donor_times = np.array([[0, 10]], dtype=np.float32), np.array([0.0, 4])
    equal(
        changes.swap(WITH_GAP, INSIDE, TIMES, donor=donor, donor_times=donor_times, donor_start=0), [0, 0, 2.5, 5, 4, 5]
    )


@pytest.mark.parametrize("rate", [3.0, 7.0, 1e3 / 3, 1e6])
def test_rounded_times_of_a_sampling_rate_find_their_points(rate):
    times = np.arange(6) / rate
    equal(changes.shift(VALUES, INSIDE, times, by=2 / rate), [0, 1 / 3, 2 / 3, 1, 2, 6])
    donor = {"donor": VALUES[:, ::-1].copy(), "donor_times": times, "donor_start": 3}
    equal(changes.swap(VALUES, INSIDE, times, **donor), [0, 2, 1, 0, 4, 5])


def test_a_channel_of_which_nothing_is_observed_stays_missing():
    nothing = np.full((1, 6), NAN, dtype=np.float32)
    for changed in (
        changes.flatten(nothing, INSIDE),
        changes.scale(nothing, INSIDE, factor=2),
        changes.smooth(nothing, INSIDE, TIMES, width=2),
        changes.shift(nothing, INSIDE, TIMES, by=1),
    ):
        assert np.isnan(changed).all()
