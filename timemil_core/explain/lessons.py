"""Which trained models teach what a picture of attention can be: chosen by what was measured, told with the numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.ranking import ATTENTION, FACT, Ranking
from timemil_core.explain.evaluation.wording import in_percent
from timemil_core.models.shelf import ShelfEntry


@dataclass(frozen=True)
class Lesson:
    """A model that teaches something.

    Attributes
    ----------
    title
        What it teaches.
    entry
        The model.
    sentence
        What was measured.
    """

    title: str
    entry: ShelfEntry
    sentence: str


def lessons(entries: Sequence[ShelfEntry]) -> tuple[Lesson, ...]:
    """Choose, of the models that are shipped, one for each lesson that any teaches.

    *Found and true*: of those whose truth is known and that open on a map that is strong evidence, the one whose map
    finds the truth by most more than the size of the signal does. *A real set*: of the others with strong evidence,
    the one whose best map ranks highest. *Attention misleads*: of those whose attention is no evidence where another
    map is, the one with the greatest gap between their ranks.
    """
    ranked = [
        (one, ranking) for one in entries if one.kind == "pretrained" and (ranking := ranking_of(one)) is not None
    ]
    strong = [(one, ranking) for one, ranking in ranked if ranking.opening.standing.level == "strong"]
    true = [(one, ranking) for one, ranking in strong if _auroc(one, ranking) is not None]
    real = [(one, ranking) for one, ranking in strong if not _has_truth(one)]
    misled = [(one, ranking) for one, ranking in strong if _gap(ranking) > 0]
    chosen = (
        ("Found, and true", true, _auroc_gap, _true_told),
        ("A real set", real, lambda one, ranking: ranking.opening.standing.mean_rank, _real_told),
        ("Where attention misleads", misled, lambda one, ranking: _gap(ranking), _misled_told),
    )
    return tuple(_lesson(title, some, key, told) for title, some, key, told in chosen if some)


Found = tuple[ShelfEntry, Ranking]


def _lesson(
    title: str,
    some: Sequence[Found],
    key: Callable[[ShelfEntry, Ranking], float],
    told: Callable[[ShelfEntry, Ranking], str],
) -> Lesson:
    entry, ranking = max(some, key=lambda one: key(*one))
    return Lesson(title, entry, told(entry, ranking))


def _true_told(entry: ShelfEntry, ranking: Ranking) -> str:
    found = _auroc(entry, ranking)
    assert found is not None
    return (
        f"Where the planted pattern lies is known. {ranking.opening.title} finds it with AUROC {found[0]:.2f}, the "
        f"size of the signal alone with {found[1]:.2f} (chance: 0.5)."
    )


def _real_told(entry: ShelfEntry, ranking: Ranking) -> str:
    opening = ranking.opening
    return (
        f"Evidence strong. {opening.title}: what it marks matters more than {in_percent(opening)} of other places do "
        "(chance: 50 %)."
    )


def _misled_told(entry: ShelfEntry, ranking: Ranking) -> str:
    attention = ranking.of(ATTENTION)
    assert attention is not None
    return (
        f"What attention marks matters more than {in_percent(attention)} of other places do, and chance alone gives "
        f"50 %. {ranking.opening.title}: {in_percent(ranking.opening)}."
    )


def ranking_of(entry: ShelfEntry) -> Ranking | None:
    """Return what is known of a model's methods without opening it; None where nothing is."""
    try:
        return Ranking.from_json(entry.facts.get(FACT))
    except SettingsError:
        return None


def _gap(ranking: Ranking) -> float:
    """Return by how much attention ranks below the best map; 0 where it is evidence."""
    attention = ranking.of(ATTENTION)
    if attention is None or attention.standing.level != "none":
        return 0.0
    return ranking.opening.standing.mean_rank - attention.standing.mean_rank


def _auroc(entry: ShelfEntry, ranking: Ranking) -> tuple[float, float] | None:
    """Return how well the map that is opened on, and the signal's size, find the known truth; None if unmeasured."""
    opened = [one for one in _maps(entry) if one.get("method") == ranking.opening.title]
    auroc, of_signal = (opened[0].get(name) if opened else None for name in ("auroc", "signal_auroc"))
    return (auroc, of_signal) if isinstance(auroc, float) and isinstance(of_signal, float) else None


def _auroc_gap(entry: ShelfEntry, ranking: Ranking) -> float:
    found = _auroc(entry, ranking)
    return found[0] - found[1] if found else 0.0


def _has_truth(entry: ShelfEntry) -> bool:
    return any(one.get("signal_auroc") is not None for one in _maps(entry))


def _maps(entry: ShelfEntry) -> list[dict[str, Any]]:
    maps = entry.facts.get("maps")
    return [one for one in maps if isinstance(one, dict)] if isinstance(maps, list) else []
