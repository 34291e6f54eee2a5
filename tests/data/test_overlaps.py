from dataclasses import replace

import numpy as np

from tests.data.checks.builders import read
from timemil_core.data import overlaps
from timemil_core.data.overlaps import Overlap, find_overlaps, overlapping_groups
from timemil_core.data.series_set import SeriesSet


def set_of(*series: np.ndarray) -> SeriesSet:
    base = read("00_nothing_wrong.csv").subset(range(len(series)))
    names = tuple("ab"[: series[0].shape[0]])
    return replace(base, series=tuple(one.astype(np.float32) for one in series), channel_names=names)


RECORDING = np.random.default_rng(1).normal(size=(2, 100))


def test_a_beginning_in_the_middle_of_another_series():
    found = find_overlaps(set_of(RECORDING[:, :60], RECORDING[:, 40:]))
    assert found == [Overlap(earlier=0, later=1, offset=40, length=20)]


def test_a_stretch_inside_another_series():
    found = find_overlaps(set_of(RECORDING[:, 30:50], RECORDING))
    assert found == [Overlap(earlier=1, later=0, offset=30, length=20)]


def test_every_channel_must_agree():
    other = RECORDING[:, 40:].copy()
    other[1, 15] += 1
    assert find_overlaps(set_of(RECORDING[:, :60], other)) == []


def test_gaps_overlap_too():
    holed = RECORDING.copy()
    holed[0, 45:48] = np.nan
    assert find_overlaps(set_of(holed[:, :60], holed[:, 40:])) == [Overlap(0, 1, 40, 20)]


def test_flat_stretches_and_short_overlaps_do_not_count():
    flat = np.concatenate([RECORDING[:, :30], np.zeros((2, 30))], axis=1)
    rising = np.concatenate([np.zeros((2, 30)), RECORDING[:, 50:80]], axis=1)
    assert find_overlaps(set_of(flat, rising)) == []
    assert find_overlaps(set_of(RECORDING[:, :60], RECORDING[:, 53:])) == []  # seven points
    assert find_overlaps(set_of(RECORDING[:1, :7], RECORDING[:1, 2:8])) == []


def test_a_series_that_repeats_itself_does_not_overlap():
    assert find_overlaps(set_of(np.tile(RECORDING[:, :10], 5), RECORDING[:, 20:])) == []


def test_windows_that_hang_together_by_overlaps_are_a_group():
    other = np.random.default_rng(2).normal(size=(2, 60))
    pieces = set_of(RECORDING[:, :40], other[:, :40], RECORDING[:, 30:70], other[:, 20:], RECORDING[:, 60:])
    a, b = pieces.series_ids[:2]
    assert overlapping_groups(pieces) == (a, b, a, b, a)
    assert overlapping_groups(set_of(RECORDING, other)) is None


def test_a_set_that_is_too_large_is_not_looked_into(monkeypatch):
    monkeypatch.setattr(overlaps, "MOST_VALUES", 100)
    assert find_overlaps(set_of(RECORDING)) is None
