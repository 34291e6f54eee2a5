from __future__ import annotations

import numpy as np

from benchmarks.verdicts import drawn_levels, former
from tests.explain.builders import build_model, build_series
from timemil_core.explain.evaluation.standing import Outcome
from timemil_core.explain.evaluation.verdict import series_verdict


def outcomes(n: int, rank: float) -> list[Outcome]:
    return [
        Outcome(0, rank, 4.0, 5.0, 8.0, True, {"noise, deletion": rank}, tuple(np.eye(n)[row] * 5)) for row in range(n)
    ]


def test_draws_of_true_maps_are_strong_and_of_others_none() -> None:
    assert set(drawn_levels([outcomes(16, 0.95)], 0)) == {"strong"}
    assert set(drawn_levels([outcomes(16, 0.5)], 0)) == {"none"}
    mixed = drawn_levels([outcomes(12, 0.95), outcomes(12, 0.5)], 0)  # each draw takes one of the variants
    assert 0.3 < np.mean(np.array(mixed) == "strong") < 0.7


def test_the_former_rule_takes_both_fillers_by_deletion() -> None:
    model, series = build_model(), build_series()
    verdict = series_verdict(model, series, np.arange(40.0), 0, n_places=39)
    beaten = [
        float((row[0] > row[1:21]).mean()) >= 0.95 and row[0] > 0
        for cell, row in zip(verdict.curves.cells, verdict.curves.changes, strict=True)
        if cell.direction == "deletion"
    ]
    assert len(beaten) == 2 and former(verdict) == all(beaten)
