"""Measurements made small where a test is about who shows them; what they say is tested in ``tests/explain``."""

from __future__ import annotations

from inspect import unwrap

import pytest

from timemil_core.explain.edits import comparison
from timemil_core.explain.evaluation import verdict
from timemil_core.reports import findings

PLACES, TIMEPOINTS = 19, 60_000


@pytest.fixture(autouse=True)
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold maps and edits against fewer places, in fewer steps of removal."""
    monkeypatch.setitem(unwrap(verdict.series_verdict).__kwdefaults__, "n_places", PLACES)
    monkeypatch.setitem(unwrap(comparison.elsewhere).__kwdefaults__, "n_places", comparison.FEWEST_PLACES)
    monkeypatch.setattr(findings, "N_PLACES", PLACES)
    for module in (verdict, findings):
        monkeypatch.setattr(module, "TIMEPOINTS", TIMEPOINTS)
