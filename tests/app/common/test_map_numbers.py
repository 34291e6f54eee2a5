from __future__ import annotations

from app.common.map_numbers import number_table
from tests.explain.builders import build_model, build_series
from timemil_core.explain.evaluation.verdict import series_verdict
from timemil_core.explain.importance import explain


def rows(table: str) -> dict[str, str]:
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    return {line.split("|")[1].strip(): line.split("|")[2].strip() for line in lines}


def test_numbers_stand_in_the_table_as_they_arrive() -> None:
    model, series = build_model(), build_series()
    importance = explain(model, series, "attention", 0)
    before = rows(number_table(importance, None))
    assert before["Comprehensiveness"] == "…"
    assert before["Flatness"] not in ("…", "")
    verdict = series_verdict(model, series, importance.values, 0, n_places=19)
    full = number_table(importance, verdict)
    assert "…" not in full
    assert f"beats {verdict.n_beaten} of 19" in full
    told = f"{verdict.comprehensiveness['masked out']:+.3f}".replace("-", "−")
    assert rows(full)["Comprehensiveness, masked out"] == told


def test_what_a_map_has_not_is_not_told_and_what_it_lacks_is() -> None:
    model, series = build_model(), build_series()
    attention = number_table(explain(model, series, "attention", 0), None)
    occlusion = number_table(explain(model, series, "occlusion", 0), None)
    assert "On the class token" in attention
    assert "no evidence *for* the predicted class" in attention
    assert "On the class token" not in occlusion
    assert "Flatness" not in occlusion  # a signed map has no entropy
    assert "no evidence" not in occlusion


def test_the_mass_on_padding_stands_beside_what_it_has_to_be() -> None:
    importance = explain(build_model(), build_series(), "attention", 0)
    assert "On padding" not in number_table(importance, None)
    assert rows(number_table(importance, None, 0.0))["On padding"] == "0.0 %"
    assert rows(number_table(importance, None, 0.384))["On padding"] == "38.4 %"
