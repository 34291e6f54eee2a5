"""What the numbers beside a map mean, in plain words. All wording of trust is here."""

from __future__ import annotations

from typing import Literal

from timemil_core.explain.deletion import CurveScores, DeletionScores, InsertionScores
from timemil_core.explain.question import Question

Level = Literal["strong", "weak", "none"]

STRONG, WEAK = 0.95, 0.8
"""Shares of random block orders that a map has to beat to count as evidence, and as weak evidence."""


def level_of(scores: CurveScores) -> Level:
    """Return what a test makes of its map."""
    if scores.area <= 0 or scores.rank < WEAK:
        return "none"
    return "strong" if scores.rank >= STRONG else "weak"


def deletion_sentence(scores: DeletionScores, question: Question) -> str:
    """Tell in plain words what a deletion test means for its map."""
    does = f"Removing what this map marks lowers the {question.quantity}"
    if scores.area <= 0:
        return (
            f"Removing what this map marks does not lower the {question.quantity}: do not read it as evidence for "
            "that class."
        )
    if level_of(scores) == "none":
        return f"{does} no more than random blocks do ({_beaten(scores)}): do not read it as evidence."
    means = "the map points at what the model uses" if level_of(scores) == "strong" else "weak evidence only"
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
            f"{does} no more than random blocks do ({_beaten(scores)}): what it marks is no more than any part of the "
            "series."
        )
    means = "what it marks is enough to move the model" if level_of(scores) == "strong" else "weak evidence only"
    return f"{does} {_beaten(scores)} ({_by(scores)}): {means}. {_by_chance(scores)}"


def _beaten(scores: CurveScores) -> str:
    return f"more than {scores.n_beaten} of {len(scores.random_areas)} random block orders"


def _by(scores: CurveScores) -> str:
    return f"by {scores.area:.2g} on average, random ones by {scores.random_areas.mean():.2g}"


def _by_chance(scores: CurveScores) -> str:
    return f"A map that means nothing does as well in about {scores.chance:.0%} of cases."
