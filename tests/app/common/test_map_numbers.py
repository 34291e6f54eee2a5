from __future__ import annotations

from timemil_core.explain.faithfulness import insertion_test
from timemil_core.explain.removal_verdict import removal_verdict

from app.common.map_numbers import number_table
from tests.explain.builders import build_model, build_series
from timemil_core.explain.importance import explain


def rows(table: str) -> dict[str, str]:
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    return {line.split("|")[1].strip(): line.split("|")[2].strip() for line in lines}


def test_numbers_stand_in_the_table_as_they_arrive() -> None:
    model, series = build_model(), build_series()
    importance = explain(model, series, "attention", 0)
    before = rows(number_table(importance, None, None))
    assert before["AOPCR"] == "…"
    assert before["Flatness"] not in ("…", "")
    verdict = removal_verdict(model, series, importance.values, 0)
    middle = rows(number_table(importance, verdict, None))
    assert middle["AOPCR"] == f"{verdict.test.aopcr:+.3f}".replace("-", "−")
    assert middle["The same, masked out"] == f"{verdict.second.area:+.3f}".replace("-", "−")
    assert middle["Restored: the logit rises by"] == "…"
    insertion = insertion_test(model, series, importance.values, 0)
    full = number_table(importance, verdict, insertion)
    assert "…" not in full
    assert f"beats {round(insertion.rank * 20)} of 20" in full


def test_what_a_map_has_not_is_not_told_and_what_it_lacks_is() -> None:
    model, series = build_model(), build_series()
    attention = number_table(explain(model, series, "attention", 0), None, None)
    occlusion = number_table(explain(model, series, "occlusion", 0), None, None)
    assert "On the class token" in attention
    assert "no evidence *for* the predicted class" in attention
    assert "On the class token" not in occlusion
    assert "Flatness" not in occlusion  # a signed map has no entropy
    assert "no evidence" not in occlusion


def test_the_mass_on_padding_stands_beside_what_it_has_to_be() -> None:
    importance = explain(build_model(), build_series(), "attention", 0)
    assert "On padding" not in number_table(importance, None, None)
    assert rows(number_table(importance, None, None, 0.0))["On padding"] == "0.0 %"
    assert rows(number_table(importance, None, None, 0.384))["On padding"] == "38.4 %"
