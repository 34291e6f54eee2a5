"""All importance methods of a model, the best first, kept so that pages, report and command line open on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from timemil_core import workspace
from timemil_core.atomic import read_json, write_json
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.attainable import Concentration
from timemil_core.explain.evaluation.fillers import FillerName
from timemil_core.explain.evaluation.standing import LEVELS, Level, Standing
from timemil_core.explain.importance import METHODS
from timemil_core.models.abilities import Ability
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel

FORMAT = 6  # of another format: measured otherwise, so to be measured again
UNMEASURED, ATTENTION = "occlusion", "attention"
TOO_CLOSE = 0.03
"""Mean ranks of eight series scatter by more than this."""
FACT = "ranking"  # where a model's facts keep it


@dataclass(frozen=True)
class Ranked:
    """What one method is worth for a model.

    Attributes
    ----------
    method
        Its key.
    standing
        Over all series that were measured.
    by_class
        By the name of the predicted class.
    seconds
        Median time of one map on the machine that measured.
    """

    method: str
    standing: Standing
    by_class: Mapping[str, Standing]
    seconds: float

    @property
    def title(self) -> str:
        """The method's name for people."""
        return METHODS[self.method].title

    @property
    def class_specific(self) -> bool:
        """Whether its maps are about a class; one that is not may move the model, but is the same for every class."""
        return METHODS[self.method].class_specific


@dataclass(frozen=True)
class Ranking:
    """All methods of a model, the best first.

    Attributes
    ----------
    methods
        By level, then by rank.
    attainable
        What the greedy search reaches, measured as a method is: what can be found at all.
    places
        Whether evidence is in one place or spread, over all series and, by name, over each predicted class.
    part, n_series
        On which series it was measured, and how many.
    fillers
        What stood in place of removed time points.
    model, data
        Fingerprints of the model and of the set.
    own
        By which the model tells where its logits come from (``told_by_itself``); None where it does not.
    """

    methods: tuple[Ranked, ...]
    attainable: Standing
    places: Concentration
    places_by_class: Mapping[str, Concentration]
    part: str
    n_series: int
    fillers: tuple[FillerName, ...]
    model: str
    data: str
    own: str | None = None

    @property
    def best(self) -> Ranked:
        """The method that measures best."""
        return self.methods[0]

    @property
    def opening(self) -> Ranked:
        """The method to open on: the best of those about a class, unless one that knows none reaches a better level.

        A page is asked what speaks for the predicted class. A map that knows no class is the same for every class,
        however much the marked time points move the model. What the model's logits are summed from comes first where no
        other reaches a better level. Of methods whose ranks so few series cannot tell apart, the quickest is taken:
        every step from series to series waits for it.
        """
        level = self.best.standing.level
        own = None if self.own is None else self.of(self.own)
        if own is not None and own.class_specific and own.standing.level == level:
            return own
        about_a_class = [one for one in self.methods if one.class_specific and one.standing.level == level]
        if not about_a_class:
            return self.best
        least = max(one.standing.mean_rank for one in about_a_class) - TOO_CLOSE
        return min((one for one in about_a_class if one.standing.mean_rank >= least), key=lambda one: one.seconds)

    @property
    def as_shown(self) -> tuple[Ranked, ...]:
        """All methods for a picture: what the pages open on, then by level and by what is drawn, the share found."""
        rest = [one for one in self.methods if one is not self.opening]
        rest.sort(key=lambda one: (LEVELS.index(one.standing.level), -one.standing.of_attainable))
        return (self.opening, *rest)

    @property
    def quickest(self) -> Ranked:
        """The quickest method of the level that is opened on, for maps of many series at once."""
        level = self.opening.standing.level
        return min((one for one in self.methods if one.standing.level == level), key=lambda one: one.seconds)

    @property
    def of_itself(self) -> Ranked | None:
        """What the model itself uses, as measured: what its logits are summed from, else its attention, if any."""
        return self.of(self.own or ATTENTION)

    def of(self, method: str) -> Ranked | None:
        """Return what is known of one method; None where it was not measured."""
        return next((one for one in self.methods if one.method == method), None)

    def best_for(self, class_name: str) -> Ranked:
        """Return the method to show for one class: the model's, unless it is not evidence there and another is."""
        told = [one for one in self.methods if class_name in one.by_class and one.class_specific]
        opening = self.opening
        if class_name not in opening.by_class or not told:
            return opening
        best = min(told, key=lambda one: one.by_class[class_name].order)
        levels = (one.by_class[class_name].level for one in (opening, best))
        return opening if len(set(levels)) == 1 else best

    def level_of(self, method: str, class_name: str | None = None) -> Level | None:
        """Return a method's level over all series, or over those of a class; None where that was not measured."""
        found = self.of(method)
        if found is None:
            return None
        standing = found.standing if class_name is None else found.by_class.get(class_name)
        return None if standing is None else standing.level

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, content: Any) -> Ranking:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where the content is no ranking, was measured in another way, or names a method that does not exist.
        """
        try:
            if content["format"] != FORMAT:
                raise SettingsError("the stored ranking of methods was measured in another way than this version does.")
            fields = {name: content[name] for name in ("part", "n_series", "model", "data")}
            ranking = cls(
                methods=tuple(_ranked(one) for one in content["methods"]),
                attainable=Standing.from_json(content["attainable"]),
                places=Concentration(**content["places"]),
                places_by_class={name: Concentration(**one) for name, one in content["places_by_class"].items()},
                fillers=tuple(content["fillers"]),
                own=content.get("own"),
                **fields,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise SettingsError(f"the stored ranking of methods cannot be read ({error!r}).") from error
        if not ranking.methods or any(one.method not in METHODS for one in ranking.methods):
            raise SettingsError("the stored ranking names importance methods that do not exist.")
        return ranking


def _ranked(content: Mapping[str, Any]) -> Ranked:
    by_class = {name: Standing.from_json(one) for name, one in content["by_class"].items()}
    return Ranked(content["method"], Standing.from_json(content["standing"]), by_class, content["seconds"])


def stored_ranking(path: Path, model: TrainedModel, series_set: SeriesSet) -> Ranking | None:
    """Return the ranking in a file if it is of this model and these data; None where there is none such."""
    try:
        content = read_json(path)
    except (OSError, json.JSONDecodeError, UnicodeDecodeError):
        return None
    return _of(model, series_set, content)


def known_ranking(model: TrainedModel, series_set: SeriesSet) -> Ranking | None:
    """Return what is known of a model and the set it was trained on: from its folder, or kept on this machine."""
    in_model = _of(model, series_set, model.facts.get(FACT))
    return in_model or stored_ranking(_path(model.fingerprint, series_set.fingerprint), model, series_set)


def told_by_itself(model: TrainedModel) -> str | None:
    """Return the method by which a model tells where its logits come from, if it is built to; None where it is not.

    Nothing is perturbed or linearised there: the logits are sums, and the map is what is summed.
    """
    if Ability.TIME_CONTRIBUTIONS in model.abilities:
        return "exact-contribution"
    if Ability.MEMBERS_ADD_UP in model.abilities:
        return "member-contributions"
    is_faithful = isinstance(model.network, TimeMIL) and model.network.config.evidence == "sight"
    return "contribution" if is_faithful else None


def opening_method(model: TrainedModel, series_set: SeriesSet) -> str:
    """Return the method to open on; where none has been measured, or none is evidence, one about a class.

    A model built to tell where its logits come from is taken at its word until it has been measured.
    """
    ranking = known_ranking(model, series_set)
    if ranking is None:
        return told_by_itself(model) or UNMEASURED
    if ranking.opening.standing.level not in ("strong", "mixed"):
        return UNMEASURED
    return ranking.opening.method


def keep_ranking(ranking: Ranking) -> None:
    """Keep a ranking on this machine, for ``known_ranking``."""
    write_json(_path(ranking.model, ranking.data), ranking.to_json())


def _path(model: str, data: str) -> Path:
    return workspace.choices_folder() / f"{model}-{data}.json"


def _of(model: TrainedModel, series_set: SeriesSet, content: Any) -> Ranking | None:
    try:
        ranking = Ranking.from_json(content)
    except SettingsError:
        return None
    if (ranking.model, ranking.data) != (model.fingerprint, series_set.fingerprint):
        return None
    return replace(ranking, own=told_by_itself(model))
