"""Whether maps point to the same time, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from timemil_core.explain.agreement import agreement_of, place_in, share_in, spans_told

TIMES = np.arange(100) / 50.0  # 0.02 s apart


def bump(first: int, stop: int) -> np.ndarray:
    values = np.zeros(100)
    values[first:stop] = 1.0
    return values


def test_maps_of_the_same_place_agree_wholly() -> None:
    agreement = agreement_of([bump(60, 81), 5 * bump(60, 81)])
    assert agreement.common == ((60, 81),)
    assert agreement.overlap == 1
    assert agreement.sentence(["A", "B"], TIMES, "s") == "Both point to 1.20–1.60 s."


def test_maps_of_places_that_overlap_agree_in_part() -> None:
    agreement = agreement_of([bump(10, 20), bump(18, 28)])
    assert agreement.common == ((18, 20),)
    assert agreement.overlap == pytest.approx(2 / 18)
    told = agreement.sentence(["A", "B"], TIMES, "s")
    assert told == "Both point to 0.36–0.38 s, but not there alone: A to 0.20–0.38 s; B to 0.36–0.54 s."


def test_maps_of_other_places_do_not_agree_however_alike_they_order_the_rest() -> None:
    agreement = agreement_of([bump(10, 20), bump(50, 60), bump(50, 60)])
    assert agreement.common == () and agreement.overlap == 0
    told = agreement.sentence(["A", "B", "C"], TIMES, "s")
    assert told == "They point to different places: A to 0.20–0.38 s; B to 1.00–1.18 s; C to 1.00–1.18 s."


def test_a_map_with_nothing_in_it_marks_nothing() -> None:
    agreement = agreement_of([bump(10, 20), -bump(50, 60)])
    assert agreement.sentence(["A", "B"], TIMES, "s") == "B marks nothing here."


def test_a_span_is_snapped_to_time_points_and_told_as_fine_as_they_are() -> None:
    place = place_in((1.195, 1.645), TIMES)
    assert place == (60, 83)
    assert spans_told([place], TIMES, "s") == "1.20–1.64 s"
    assert place_in((1.205, 1.206), TIMES) == (60, 61)  # between two points: the nearest
    assert spans_told([(60, 61)], TIMES, "s") == "1.20 s"
    assert spans_told([(3, 6)], np.arange(10.0), "time points") == "time points 3–5"
    assert spans_told([(1, 3)], np.arange(10) * 0.25, "h") == "0.25–0.50 h"


def test_the_share_within_a_place_is_of_what_speaks_for_the_class() -> None:
    values = np.array([1.0, 2.0, -8.0, 1.0])
    assert share_in(values, (1, 3)) == 0.5
    assert share_in(-np.abs(values), (0, 2)) is None
