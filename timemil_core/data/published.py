"""Accuracies that others have published for public sets, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from timemil_core.data.facts import sections, table

OURS = "TimeMIL"


@dataclass(frozen=True)
class Source:
    """Where figures come from: a short title, the whole citation, and what to know of how they were obtained."""

    title: str
    citation: str
    note: str


@dataclass(frozen=True)
class Published:
    """One test accuracy in [0, 1], as printed."""

    method: str
    accuracy: float
    source: Source


def published(name: str) -> tuple[Published, ...]:
    """Return every published accuracy of a set, the best first; () where none is known."""
    return _by_set().get(name, ())


def of_timemil(name: str) -> float | None:
    """Return the paper's accuracy of TimeMIL, the lower one where its two tables differ; None where it has none."""
    return min((one.accuracy for one in published(name) if one.method == OURS), default=None)


def best_other(name: str) -> Published | None:
    """Return the best published accuracy of any other method; None where none is known."""
    return next((one for one in published(name) if one.method != OURS), None)


@cache
def _by_set() -> dict[str, tuple[Published, ...]]:
    sources = {name: Source(**section) for name, section in sections("sources").items()}
    collected: dict[str, list[Published]] = {}
    for row in table("accuracies"):
        one = Published(row["method"], float(row["accuracy"]), sources[row["source"]])
        collected.setdefault(row["set"], []).append(one)
    return {name: tuple(sorted(ones, key=lambda one: -one.accuracy)) for name, ones in collected.items()}
