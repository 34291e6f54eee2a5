import numpy as np
import pytest

from timemil_core.explain.where import middle_of, places, where_of


def box(n, first, stop, height=1.0):
    values = np.zeros(n)
    values[first:stop] = height
    return values


def test_the_place_of_a_box_is_all_of_it():
    assert places(box(100, 40, 61)) == ((40, 61),)
    assert middle_of(box(100, 40, 61), [(40, 61)]) == 50


def test_a_window_that_blurs_does_not_widen_the_place():
    blurred = np.convolve(box(200, 90, 111), np.ones(11) / 11, mode="same")
    assert places(blurred) == ((90, 111),)  # half of the height is at the box's own borders


def test_two_places_and_what_is_negative():
    values = box(100, 10, 20) + box(100, 60, 70) - box(100, 80, 100, 5.0)
    assert places(values) == ((10, 20), (60, 70))
    assert places(-np.ones(10)) == ()
    assert places(np.full(10, np.nan)) == ()


def test_scattered_points_are_one_stretch():
    values = np.zeros(100)
    values[[5, 25, 45, 65, 85]] = 1.0  # half of it needs three of them
    assert places(values) == ((5, 46),)


def told(maps):
    parts = [places(one) for one in maps]
    times = [np.arange(len(one)) / 10 for one in maps]
    return where_of(np.stack(maps), times[0], parts, times)


def test_places_that_agree_are_one():
    where = told([box(100, 40 + shift, 50 + shift) for shift in (-1, 0, 1)])
    assert where.kind == "same"
    assert where.spans == ((4.0, 4.9),)  # the mean has a third of its height in points 39 and 50: a half from 40 to 49
    assert where.width == pytest.approx(1.0)


def test_places_apart_tell_their_width_alone():
    where = told([box(100, first, first + 8) for first in (2, 30, 55, 80)])
    assert (where.kind, where.spans) == ("moving", ())
    assert where.width == pytest.approx(0.8)


def test_a_strong_map_that_meets_itself_alone_is_no_agreement():
    maps = [box(100, 10, 20, 9.0), box(100, 15, 25, 0.1), box(100, 60, 70, 0.2), box(100, 80, 90, 0.2)]
    assert told(maps).kind == "moving"  # the mean is all but the first map, and only that and the second meet it
    assert told([*maps[:2], box(100, 12, 22, 0.2), box(100, 13, 23, 0.2)]).kind == "same"


def test_even_evidence_is_spread_and_none_is_nowhere():
    assert told([np.ones(100), np.ones(100)]).kind == "spread"
    assert told([np.ones(100), np.ones(100)]).spans == ()
    assert told([-np.ones(100), -np.ones(100)]).kind == "nowhere"


def test_of_spread_evidence_the_stretch_is_told_where_most_series_have_most_of_it():
    maps = [np.ones(100) + box(100, 30 + shift, 50, 2.0) for shift in (-1, 0, 1)]
    assert (told(maps).kind, told(maps).spans) == ("spread", ((2.9, 4.9),))
    assert told([maps[0], *[np.ones(100) + box(100, first, 90, 0.2) for first in (70, 80)]]).spans == ()
