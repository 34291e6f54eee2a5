"""The table of numbers beside one map, each with what it is to be read against."""

from __future__ import annotations

from timemil_core.explain.evaluation.truth import flatness
from timemil_core.explain.faithfulness import CurveTest, InsertionTest
from timemil_core.explain.importance import Importance
from timemil_core.explain.removal_verdict import RemovalVerdict
from timemil_core.explain.verdicts import IN_PLACE

WAITING = "…"


def number_table(
    importance: Importance,
    verdict: RemovalVerdict | None,
    insertion: InsertionTest | None,
    on_padding: float | None = None,
) -> str:
    """Return a Markdown table; what is not computed yet is an ellipsis, and no row where ``on_padding`` is None."""
    removal = None if verdict is None else verdict.test
    rows = [
        ("Removed: the logit falls by", *_curve(removal)),
        *([] if verdict is None else [(f"The same, {IN_PLACE[verdict.second.filler]}", *_curve(verdict.second))]),
        ("Restored: the logit rises by", *_curve(insertion)),
        ("AOPCR", _number(None if removal is None else removal.aopcr), "0: random places"),
        ("Comprehensiveness", _number(None if removal is None else removal.comprehensiveness), "high is good"),
        ("Sufficiency", _number(None if removal is None else removal.sufficiency), "low is good"),
    ]
    if not importance.signed:
        rows.append(("Flatness", f"{flatness(importance.values):.3f}", "1: flat, 0: one point"))
    if importance.class_token_mass is not None:
        rows.append(("On the class token", f"{100 * importance.class_token_mass:.1f} %", "at no time point"))
    if on_padding is not None:
        rows.append(("On padding", f"{100 * on_padding:.1f} %", "0: it never counts"))
    lines = [f"| {name} | {value} | {against} |" for name, value, against in rows]
    class_free = "\n\nThis map has neither a sign nor a class: it is no evidence *for* the predicted class."
    return "\n".join(["| | value | read it against |", "|:---|---:|:---|", *lines]) + (
        "" if importance.class_specific else class_free
    )


def _curve(test: CurveTest | None) -> tuple[str, str]:
    if test is None:
        return WAITING, WAITING
    beats = f"beats {test.n_beaten} of {len(test.random_areas)}"
    return _number(test.area), f"{_number(float(test.random_areas.mean()))} at random places; {beats}"


def _number(value: float | None) -> str:
    return WAITING if value is None else f"{value:+.3f}".replace("-", "−")
