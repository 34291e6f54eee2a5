"""What the numbers beside a map mean, in plain words. All wording of trust is here."""

from __future__ import annotations

from typing import Literal

from timemil_core.explain.deletion import CurveScores, DeletionScores, InsertionScores
from timemil_core.explain.question import Question

Level = Literal["strong", "weak", "none"]

STRONG = 0.95
"""The share of random places that a map has to beat to count among those that do, where many are counted."""
STRONG_CHANCE, WEAK_CHANCE = 0.1, 0.25
"""How often a map that means nothing may do as well for evidence, and for weak evidence: 19 and 16 beaten of 20."""

BY_CHANCE_MEASURED = (
    "Of 900 random smooth maps of three shipped models 2 % passed both removal tests (noise, and masked out), "
    "and 14 to 19 % were called weak evidence."
)
"""How often the verdict of two fillers is wrong about a map that means nothing (``python -m benchmarks.verdicts``)."""

IN_PLACE = {
    "noise": "replaced by noise",
    "local mean": "replaced by the local mean",
    "interpolation": "interpolated",
    "masked out": "masked out",
}
"""How each filler is told of removed points."""
_TOGETHER = {
    frozenset(("strong",)): " as well.",
    frozenset(("weak",)): ": weak evidence as well.",
    frozenset(("none",)): ": no evidence either.",
    frozenset(("strong", "weak")): ": weak evidence, taken together.",
    frozenset(("strong", "none")): ": what this map is worth depends on what stands in their place.",
    frozenset(("weak", "none")): ": no evidence, taken together.",
}


def level_of(scores: CurveScores) -> Level:
    """Return what a test makes of its map; a short series has too few places for much."""
    if scores.area <= 0 or scores.chance > WEAK_CHANCE:
        return "none"
    return "strong" if scores.chance <= STRONG_CHANCE else "weak"


def level_of_both(first: Level, second: Level) -> Level:
    """Return what two tests that differ in the filler make of one map.

    Where they differ, one alone has to be strong for weak evidence: of maps that mean nothing, two in five would else
    pass as weak by one test or the other (were the tests independent).
    """
    if first == second:
        return first
    return "weak" if "strong" in (first, second) else "none"


def second_sentence(first: Level, second: Level, fillers: tuple[str, str], outcome: str) -> str:
    """Tell in plain words what the test by a second filler, and its outcome, add to a map's verdict."""
    told = f"With removed points {IN_PLACE[fillers[1]]} instead of {IN_PLACE[fillers[0]]}, {outcome}"
    return f"{told}{_TOGETHER[frozenset((first, second))]}"


def deletion_sentence(scores: DeletionScores, question: Question) -> str:
    """Tell in plain words what a deletion test means for its map."""
    does = f"Removing what this map marks lowers the {question.quantity}"
    if scores.area <= 0:
        return (
            f"Removing what this map marks does not lower the {question.quantity}: do not read it as evidence for "
            "that class."
        )
    if level_of(scores) == "none":
        return f"{does} no more than the same marks at random places do ({_beats(scores)}): do not read it as evidence."
    points = "by this test the map points at what the model uses"
    means = points if level_of(scores) == "strong" else "weak evidence only"
    return f"{does} {_beaten(scores)} ({_by(scores)}): {means}. {_by_chance(scores)}"


def insertion_sentence(scores: InsertionScores, question: Question) -> str:
    """Tell in plain words what an insertion test means for its map."""
    does = f"Restoring what this map marks first raises the {question.quantity}"
    if scores.area <= 0:
        return (
            f"Restoring what this map marks does not raise the {question.quantity}: what it marks is not enough to "
            "bring the model to that class."
        )
    if level_of(scores) == "none":
        return (
            f"{does} no more than the same marks at random places do ({_beats(scores)}): what it marks is "
            "no more than any part of the series."
        )
    means = "what it marks is enough to move the model" if level_of(scores) == "strong" else "weak evidence only"
    return f"{does} {_beaten(scores)} ({_by(scores)}): {means}. {_by_chance(scores)}"


def _beaten(scores: CurveScores) -> str:
    return f"more than at {scores.n_beaten} of {len(scores.random_areas)} random places"


def _beats(scores: CurveScores) -> str:
    return f"it beats {scores.n_beaten} of {len(scores.random_areas)}"


def _by(scores: CurveScores) -> str:
    return f"by {scores.area:.2g} on average, random ones by {scores.random_areas.mean():.2g}"


def _by_chance(scores: CurveScores) -> str:
    return f"A map that means nothing does as well in about {scores.chance:.0%} of cases."
