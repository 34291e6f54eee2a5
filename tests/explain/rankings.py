"""A ranking made by hand, for tests of what is told of it."""

from __future__ import annotations

from timemil_core.explain.evaluation.attainable import Concentration
from timemil_core.explain.evaluation.ranking import Ranked, Ranking
from timemil_core.explain.evaluation.standing import Level, Standing


def build_standing(level: Level = "strong", effect: float = 0.5) -> Standing:
    """Return a standing over eight series, with an effect as a share of the attainable."""
    return Standing(8, 0.9, 0.001, 0.01, 3.0, 0.4, effect, 1.0, "noise", 0.8, level)


def build_ranking(*methods: tuple[str, Level, float] | tuple[str, Level, float, Level], model: str = "m",
                  data: str = "d") -> Ranking:  # fmt: skip
    """Return methods in this order: key, level, effect, and the level for class "A" where it differs."""
    ranked = []
    for key, level, effect, *of_class in methods:
        by_class = {"A": build_standing(of_class[0] if of_class else level, effect)}
        ranked.append(Ranked(key, build_standing(level, effect), by_class, 0.1))
    places = Concentration(0.6, 0.1)
    return Ranking(tuple(ranked), build_standing(), places, {"A": places}, "validation", 8, ("noise", "masked out"),
                   model, data)  # fmt: skip
