from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.evaluation import kept, measuring
from timemil_core.explain.evaluation.kept import rank_and_keep, share_measured
from timemil_core.explain.evaluation.ranking import FACT, known_ranking
from timemil_core.models.storage import load_model, save_model


@pytest.fixture(autouse=True)
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(measuring, "FEWEST_SERIES", 3)
    monkeypatch.setattr(measuring, "OF_A_CLASS", 1)
    monkeypatch.setattr(measuring, "N_PLACES", 5)
    monkeypatch.setattr(kept, "SECONDS_BETWEEN_NOTES", 0.0)


def test_a_ranking_is_kept_with_the_model_and_on_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, series_set, folder = build_model(), build_set(), tmp_path / "model"
    save_model(model, folder)
    found = rank_and_keep(model, series_set, folder)
    assert known_ranking(model, series_set) == found
    again = load_model(folder)
    assert again.facts[FACT] == json.loads(json.dumps(found.to_json()))
    assert known_ranking(again, series_set) == found
    assert not list((tmp_path / "home" / "choices").glob("*-pieces"))

    def not_again(*_args: object, **_settings: object) -> None:
        raise AssertionError("what is known is not measured again")

    monkeypatch.setattr(kept, "rank_methods", not_again)
    assert rank_and_keep(model, series_set) == found


def test_others_see_how_far_it_has_come_until_it_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    model, series_set = build_model(), build_set()
    assert share_measured(model, series_set) is None
    seen = []

    def look(done: int, of: int) -> None:
        seen.append(share_measured(model, series_set))
        if done / of > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rank_and_keep(model, series_set, progress=look)
    assert seen[0] is None and 0 < (seen[-1] or 0) < 0.4
    assert share_measured(model, series_set) == seen[-1]
    monkeypatch.setattr(kept, "ABANDONED_AFTER", 0.0)
    assert share_measured(model, series_set) is None
    found = rank_and_keep(model, series_set)  # goes on with what was kept
    assert found.n_series == 3
