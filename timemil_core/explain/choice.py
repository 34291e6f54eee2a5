"""Which importance method measures best for a model, kept so that a page can open on it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from timemil_core import workspace
from timemil_core.atomic import read_json, write_json
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import PartName
from timemil_core.explain.importance import METHODS
from timemil_core.models.trained import TrainedModel

FORMAT = 5  # of another format: measured otherwise, so to be measured again
UNMEASURED = "occlusion"
TOO_CLOSE = (
    0.05  # about two standard errors of a difference of merits on a dozen series, as measured by resampling them
)
FACT = "choice"  # where a shipped model's facts keep it


@dataclass(frozen=True)
class Merit:
    """What one method is worth for a model.

    Attributes
    ----------
    method
        Its key.
    merit
        The change of the logit beyond the mean of all methods' maps at random places, added up over the series, in
        shares of the largest changes that any order brought about, added up alike; mean over fillers, deletion and
        insertion. 0 is chance.
    beats_random
        The share of these curves that beat at least 95 % of the random places.
    seconds
        Median time of one map on the machine that measured.
    """

    method: str
    merit: float
    beats_random: float
    seconds: float

    @property
    def title(self) -> str:
        """The method's name for people."""
        return METHODS[self.method].title


@dataclass(frozen=True)
class Choice:
    """All methods of a model, the best first.

    Attributes
    ----------
    merits
        Best first.
    part, n_series
        On which series it was measured, and how many.
    fillers
        What stood in place of removed time points.
    model, data
        Fingerprints of the model and of the set.
    """

    merits: tuple[Merit, ...]
    part: PartName
    n_series: int
    fillers: tuple[str, ...]
    model: str
    data: str

    @property
    def best(self) -> Merit:
        """The method of the highest merit."""
        return self.merits[0]

    @property
    def opening(self) -> Merit:
        """The method to open on: the best of those about a class, else the best of all.

        A page is asked what speaks for the predicted class. A map that knows no class is the same for every class,
        however much the marked time points move the model.
        """
        return next((one for one in self.merits if one.merit > 0 and METHODS[one.method].class_specific), self.best)

    def better_than(self, method: str) -> Merit | None:
        """Return the method to open on where it does better than chance and than another method; else None."""
        other = next((one.merit for one in self.merits if one.method == method), 0.0)
        return self.opening if self.opening.merit > max(other, 0.0) else None

    @property
    def sentence(self) -> str:
        """Say in plain words why a page opens on what it opens on."""
        best, opening = self.best, self.opening
        if best.merit <= 0:
            return (
                f"On {self.n_series} {self.part} series no method's map does better than maps at random places: "
                "none of them tells what this model uses."
            )
        among = "" if opening is best else " among the maps that are about a class"
        knows_none = "" if opening is best else f" {best.title} moves the model more, but is the same for every class."
        return (
            f"{opening.title} measures best for this model{among}: on {self.n_series} {self.part} series, removing or "
            f"restoring what it marks beats 95 % of maps at random places in {opening.beats_random:.0%} of the "
            f"curves.{knows_none}{self._close_behind}"
        )

    @property
    def _close_behind(self) -> str:
        n_close = sum(0 <= self.opening.merit - one.merit < TOO_CLOSE for one in self.merits) - 1
        if n_close < 1:
            return ""
        others = "1 other method comes" if n_close == 1 else f"{n_close} other methods come"
        return (
            f" {others} within {TOO_CLOSE} of its merit ({self.opening.merit:.2f}): too close to call on so few series."
        )

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, content: Any) -> Choice:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where the content is no choice, was measured in another way, or names a method that does not exist.
        """
        try:
            if content["format"] != FORMAT:
                raise SettingsError("the stored choice of a method was measured in another way than this version does.")
            merits = tuple(Merit(**one) for one in content["merits"])
            fields = {name: content[name] for name in ("part", "n_series", "model", "data")}
            choice = cls(merits=merits, fillers=tuple(content["fillers"]), **fields)
        except (KeyError, TypeError) as error:
            raise SettingsError(f"the stored choice of a method cannot be read ({error!r}).") from error
        if not merits or any(one.method not in METHODS for one in merits):
            raise SettingsError("the stored choice names importance methods that do not exist.")
        return choice


def save_choice(choice: Choice, path: Path) -> None:
    """Write a choice as JSON, in one step."""
    write_json(path, choice.to_json())


def stored_choice(path: Path, model: TrainedModel, series_set: SeriesSet) -> Choice | None:
    """Return the choice in a file if it is of this model and these data; None where there is none such."""
    try:
        content = read_json(path)
    except (OSError, json.JSONDecodeError, UnicodeDecodeError):
        return None
    return _of(model, series_set, content)


def known_choice(model: TrainedModel, series_set: SeriesSet) -> Choice | None:
    """Return what is known of a model and the set it was trained on: from its card, or kept on this machine."""
    return _of(model, series_set, model.facts.get(FACT)) or stored_choice(_path(model, series_set), model, series_set)


def opening_method(model: TrainedModel, series_set: SeriesSet) -> str:
    """Return the method to open on; where none has been measured, or none beats chance, one about a class."""
    choice = known_choice(model, series_set)
    return UNMEASURED if choice is None or choice.opening.merit <= 0 else choice.opening.method


def keep_choice(choice: Choice) -> None:
    """Keep a choice on this machine, for ``known_choice``."""
    save_choice(choice, workspace.choices_folder() / f"{choice.model}-{choice.data}.json")


def _path(model: TrainedModel, series_set: SeriesSet) -> Path:
    return workspace.choices_folder() / f"{model.fingerprint}-{series_set.fingerprint}.json"


def _of(model: TrainedModel, series_set: SeriesSet, content: Any) -> Choice | None:
    try:
        choice = Choice.from_json(content)
    except SettingsError:
        return None
    return choice if (choice.model, choice.data) == (model.fingerprint, series_set.fingerprint) else None
