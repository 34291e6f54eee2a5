"""The table of numbers beside one map, each with what it is to be read against."""

from __future__ import annotations

from timemil_core.explain.evaluation.fillers import IN_PLACE
from timemil_core.explain.evaluation.truth import flatness
from timemil_core.explain.evaluation.verdict import SeriesVerdict
from timemil_core.explain.importance import Importance

WAITING = "…"


def number_table(importance: Importance, verdict: SeriesVerdict | None, on_padding: float | None = None) -> str:
    """Return a Markdown table; what is not computed yet is an ellipsis, and no row where ``on_padding`` is None."""
    rows = [
        (
            "Beyond other places",
            _number(None if verdict is None else verdict.excess),
            _rank(verdict),
        ),
        *_probabilities(verdict),
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


def _rank(verdict: SeriesVerdict | None) -> str:
    if verdict is None:
        return WAITING
    return f"0: other places; beats {verdict.n_beaten} of {verdict.n_places}, p = {verdict.chance:.2f}"


def _probabilities(verdict: SeriesVerdict | None) -> list[tuple[str, str, str]]:
    if verdict is None:
        return [("Comprehensiveness", WAITING, "high is good"), ("Sufficiency", WAITING, "low is good")]
    return [
        (f"{name}, {IN_PLACE[filler]}", _number(value), against)
        for name, found, against in (
            ("Comprehensiveness", verdict.comprehensiveness, "high is good"),
            ("Sufficiency", verdict.sufficiency, "low is good"),
        )
        for filler, value in found.items()
    ]


def _number(value: float | None) -> str:
    return WAITING if value is None else f"{value:+.3f}".replace("-", "−")
