"""What a map is worth is a badge with a word and a colour of its own, and a line of what the series shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_pages import opened, texts, workspace
from tests.explain.rankings import build_ranking
from timemil_core.data import catalogue
from timemil_core.explain.evaluation.standing import Level
from timemil_core.models.shelf import open_model

__all__ = ["workspace"]

ITALY = {"data": "ItalyPowerDemand", "model": "italypowerdemand", "map": "Occlusion", "worth": "true"}


def page_with(level: Level, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    model, series_set = open_model("italypowerdemand"), catalogue.load("ItalyPowerDemand")
    known = build_ranking(("occlusion", level, 0.5), model=model.fingerprint, data=series_set.fingerprint)
    for module in ("app.common.trust", "app.attention.maps"):
        monkeypatch.setattr(f"{module}.known_ranking", lambda *_: known)
    return opened("attention", **ITALY)


@pytest.mark.parametrize(
    ("level", "badge"),
    [
        ("strong", ":green-badge[:material/check_circle: evidence strong]"),
        ("mixed", ":orange-badge[:material/contrast: evidence mixed]"),
        ("none", ":gray-badge[:material/block: no evidence]"),
        ("cannot be tested", ":violet-badge[:material/help: cannot be tested]"),
    ],
)
def test_each_level_has_its_badge(
    level: Level, badge: str, monkeypatch: pytest.MonkeyPatch,
    workspace: Path,
) -> None:  # fmt: skip
    app = page_with(level, monkeypatch)
    assert not app.exception and not app.error
    said = texts(app)
    assert badge in said
    assert "over 8 validation series" in said


def test_what_was_not_measured_is_told(monkeypatch: pytest.MonkeyPatch, workspace: Path) -> None:
    for module in ("app.common.trust", "app.attention.maps"):
        monkeypatch.setattr(f"{module}.known_ranking", lambda *_: None)
    assert "not measured" in texts(opened("attention", **ITALY))
