"""What an atlas of long series costs: as many maps and removals as it makes, at the pace that was timed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explain.builders import build_model, build_series, build_set
from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet
from timemil_core.explain import cost as foretelling
from timemil_core.explain.motifs import Occurrence, atlas_cost, cost, removal
from timemil_core.explain.motifs.motif import FEWEST_TO_TELL
from timemil_core.explain.motifs.removal import copies_scored, removal_of


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


def long_set() -> SeriesSet:
    """Twelve training and 12 test series, of 5,000 and 3,000 time points in turn."""
    return SeriesSet(
        name="long",
        series=tuple(build_series(2, 5_000 - 2_000 * (index % 2), seed=index) for index in range(24)),
        labels=np.arange(24) % 3,
        class_names=("class 0", "class 1", "class 2"),
        series_ids=tuple(f"s{index}" for index in range(24)),
        channel_names=("channel 0", "channel 1"),
        split=np.repeat(["train", "test"], 12),
    )


def test_maps_and_removals_are_foretold_from_the_longest_series(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(foretelling, "time", clock)

    def explain(model: object, series: FloatArray, method: str, target: int, **_: object) -> None:
        assert (series.shape, method) == ((2, 2_000), "occlusion")
        clock.now += 1.0

    def score_without(score: object, prepared: FloatArray, removed: BoolArray, *_: object) -> None:
        assert removed.shape == (12, 2_000) and len(np.unique(removed, axis=0)) == 12
        clock.now += 0.3

    monkeypatch.setattr(cost, "explain", explain)
    monkeypatch.setattr(cost, "score_without", score_without)
    told = atlas_cost(build_model(), long_set(), "occlusion")
    # 12 maps of 4,000 points on average; on either side 10 spans, by 2 fillers, 22 copies for each
    assert told.n_series == 12
    assert told.maps == pytest.approx(12 * 4_000 / 2_000)
    assert told.motif == pytest.approx(2 * 10 * 2 * 22 / 12 * 4_000 / 2_000 * 0.3, rel=1e-3)


def test_a_removal_scores_as_many_copies_as_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    model, series_set, scored, real = build_model(), build_set(), [], removal.score_without

    def counting(score: object, prepared: FloatArray, removed: BoolArray, filler: object) -> object:
        scored.append(len(removed))
        return real(score, prepared, removed, filler)

    monkeypatch.setattr(removal, "score_without", counting)
    removal_of(model, series_set, [Occurrence(index, 3, 8) for index in range(12)], 0, seed=0)
    assert sum(scored) == copies_scored(model, 31) == 10 * 2 * 22
    assert copies_scored(model, 100_000) == FEWEST_TO_TELL * 2 * 22
