"""What the numbers beside a map mean, in plain words. All wording of trust is here, and takes plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

from timemil_core.explain.evaluation.attainable import Concentration
from timemil_core.explain.evaluation.fillers import IN_PLACE, FillerName
from timemil_core.explain.evaluation.ranking import ATTENTION, Ranked, Ranking
from timemil_core.explain.evaluation.standing import LEAST_OF_ATTAINABLE, LEAST_OF_LOGIT, Level, Standing
from timemil_core.explain.evaluation.verdict import SIGNIFICANT, SeriesVerdict

CHIP: dict[Level, str] = {
    "strong": "evidence strong",
    "mixed": "evidence mixed",
    "none": "no evidence",
    "cannot be tested": "cannot be tested",
}
MEANING: dict[Level, str] = {
    "strong": "The model uses what these maps mark, and they tell one series from another.",
    "mixed": "The model uses some of what these maps mark, but one of the tests says otherwise.",
    "none": "Removing what these maps mark moves the model no more than removing other places does.",
    "cannot be tested": "The model gives this class to an empty series as well, so nothing can be taken away from it.",
}
"""What a level says, in a line."""


def standing_sentence(title: str, standing: Standing, measured_on: str) -> str:
    """Say in plain words what a method's maps are worth over many series, with the numbers that decide it."""
    told = f"{title}: {CHIP[standing.level]}, over {measured_on}."
    if standing.level == "cannot be tested":
        return f"{told} {MEANING['cannot be tested']}"
    if standing.level == "none":
        return (
            f"{told} {MEANING['none']} Maps that mean nothing reach a mean rank of {standing.mean_rank:.2f} in "
            f"{standing.chance:.0%} of cases."
        )
    moved = (
        f"Removing or restoring what they mark moves the logit by {standing.of_logit:.0%} of itself more than at other "
        f"places, {standing.of_attainable:.0%} of what a search for the most harmful removal finds"
    )
    return f"{told} {moved} ({_chance(standing.chance)} by chance). {_reservations(standing)}".strip()


def _reservations(standing: Standing) -> str:
    if standing.swap_chance > SIGNIFICANT:
        return (
            "But other series' maps do as well here: they may mark only where patterns usually are "
            f"({_chance(standing.swap_chance)} by chance)."
        )
    if standing.weakest_rank <= 0.5:
        return f"But by {standing.weakest} alone they do no better than chance."
    if standing.of_logit < LEAST_OF_LOGIT or standing.of_attainable < LEAST_OF_ATTAINABLE:
        return "That is sure, but a trifle."
    if standing.level == "mixed":
        return f"{standing.n_series} series are too few, or too few of them can be tested, to call it strong."
    return f"They do better than other series' maps ({_chance(standing.swap_chance)} by chance)."


def of_itself_sentence(ranking: Ranking) -> str:
    """Say whether what the model itself uses, its attention or what it adds up, is evidence; "" where it has neither.

    Where it is none, the map that the pages open on stands beside it.
    """
    used, best = ranking.of_itself, ranking.opening
    if used is None:
        return ""
    title = "Attention" if used.method == ATTENTION else "What this model adds up"
    if used.standing.level == "cannot be tested":
        return f"{title} cannot be tested here: {MEANING[used.standing.level]}"
    told = {"strong": "is evidence here", "mixed": "is mixed evidence here", "none": "misleads here"}
    beside = f" {best.title}: {in_percent(best)}." if used.standing.level == "none" and best is not used else ""
    return (
        f"{title} {told[used.standing.level]}: what it marks matters more than {in_percent(used)} of other places do, "
        f"and chance alone gives 50 %.{beside}"
    )


def of_itself_in_short(ranking: Ranking) -> str:
    """Say the same in three words, for a list of models; "" where the model uses neither."""
    used = ranking.of_itself
    if used is None:
        return ""
    return f"{'attention' if used.method == ATTENTION else 'what it adds up'}: {CHIP[used.standing.level]}"


def in_percent(ranked: Ranked) -> str:
    """Return than how many of other places a method's marks matter more."""
    return f"{100 * ranked.standing.mean_rank:.0f} %"


def series_sentence(verdict: SeriesVerdict, ranked: Ranked | None) -> str:
    """Say in plain words what one series shows of its map; a series that shows nothing alone decides nothing."""
    quantity = verdict.question.quantity
    beats = f"it beats {verdict.n_beaten} of {verdict.n_places} other places"
    if verdict.chance <= SIGNIFICANT:
        apart = verdict.n_as_good_apart
        elsewhere = "no place farther away does as well" if not apart else f"{counted(apart)} farther away as well"
        return (
            f"On this series alone: removing or restoring what it marks moves the {quantity} by {verdict.excess:.2g} "
            f"more than elsewhere ({verdict.of_logit:.0%} of it); {beats}, {elsewhere}."
        )
    told = f"This series alone does not decide: {beats}."
    if not verdict.can_be_removed:
        told = f"On this series removal cannot be tested: an empty series gets most of the {quantity} too; {beats}."
    if ranked is None:
        return told
    return f"{told} Over many series {ranked.title} is {_as_evidence(ranked.standing.level)}."


def place_sentence(places: Concentration) -> str:
    """Say in plain words whether there is a place to be found at all."""
    numbers = f"the best tenth of a series holds {_share(places.best_tenth)} of the logit, a random tenth "
    numbers += f"{_share(places.random_tenth)}"
    if places.in_one_place:
        return f"Evidence is in one place: {numbers}."
    return f"Evidence is spread over the series: {numbers}. A map of places shows a small part of it at best."


def opening_sentence(ranking: Ranking) -> str:
    """Say in plain words why a page opens on what it opens on."""
    opening = ranking.opening
    if opening.standing.level in ("none", "cannot be tested"):
        why = place_sentence(ranking.places) if not ranking.places.in_one_place else MEANING[opening.standing.level]
        return f"Measured on {measured_on(ranking)}, no method's maps are evidence for this model. {why}"
    return standing_sentence(opening.title, opening.standing, measured_on(ranking))


def measured_on(ranking: Ranking) -> str:
    """Say on which series a ranking was measured."""
    return f"{ranking.n_series} {ranking.part} series"


def fillers_told(fillers: Sequence[FillerName]) -> str:
    """Say what stood in place of removed points."""
    return " and ".join(IN_PLACE[name] for name in fillers)


def counted(n_places: int) -> str:
    """Return "1 place" or "3 places"."""
    return "1 place" if n_places == 1 else f"{n_places} places"


def _as_evidence(level: Level) -> str:
    return {
        "strong": "strong evidence", "mixed": "mixed evidence", "none": "no evidence",
        "cannot be tested": "not to be tested",
    }[level]  # fmt: skip


def _chance(chance: float) -> str:
    return "p < .001" if chance < 0.001 else f"p = {chance:.3f}".replace("0.", ".")


def _share(share: float) -> str:
    return "all" if share >= 1 else f"{max(share, 0):.0%}"
