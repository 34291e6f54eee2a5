import numpy as np
import pytest

from benchmarks.faithfulness import maps_of_series
from benchmarks.verdicts import LEVELS, shares_for
from tests.explain.builders import build_model, build_set
from timemil_core.explain.removal_verdict import removal_verdict


def test_shares_are_those_of_the_verdicts() -> None:
    model, series_set = build_model(), build_set(6)
    found = shares_for(model, series_set, "occlusion")
    predicted = model.predict(series_set.series).labels
    maps = [maps[0] for maps in maps_of_series(model, series_set, "occlusion", predicted)]
    levels = [
        removal_verdict(model, series, values, int(target)).level
        for series, values, target in zip(series_set.series, maps, predicted, strict=True)
    ]
    assert {level: found[level] for level in LEVELS} == {level: np.mean(np.array(levels) == level) for level in LEVELS}
    assert sum(found[level] for level in LEVELS) == pytest.approx(1)


def test_maps_that_mean_nothing_are_rarely_called_evidence() -> None:
    found = shares_for(build_model(), build_set(12), "random")
    assert found["strong"] <= 0.1  # of 120 maps
    assert found["strong"] <= min(found["strong by noise alone"], found["strong by masked out alone"])
