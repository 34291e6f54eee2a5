"""What an edit does to a prediction, and whether it is the place that matters or the edit alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.data.wording import counted
from timemil_core.errors import SettingsError
from timemil_core.explain.edits.edit import Edit
from timemil_core.explain.edits.edited_series import EditedSeries
from timemil_core.explain.evaluation.scoring import copies_at_once
from timemil_core.explain.evaluation.verdict import STRONG
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.trained import TrainedModel

N_PLACES, FEWEST_PLACES = 20, 10


@dataclass(frozen=True, eq=False)
class Comparison:
    """A model's view of a series before and after its edits.

    Attributes
    ----------
    before, after
        As ``examine`` gives them.
    changed_share
        The share of time points × channels that differ.
    sentence
        What became of the prediction, in plain words.
    """

    before: Examination
    after: Examination
    changed_share: float
    sentence: str


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """The last edit, beside the same edit at other places of the series.

    Attributes
    ----------
    own
        By how much it changes the logit of the class that was predicted before it.
    others
        ``(n_places,)``: by how much the same edit changes that logit elsewhere.
    starts
        ``(n_places,)``: the first time point of each of those places.
    rank
        The share of places where it changes the logit less, whether up or down.
    quantity
        What is changed: the logit of which class.
    sentence
        What that means, in plain words.
    """

    own: float
    others: npt.NDArray[np.float64]
    starts: IntArray
    rank: float
    quantity: str
    sentence: str

    @property
    def matters(self) -> bool:
        """Whether the edit does more here than at nearly all of at least 10 other places."""
        return len(self.others) >= FEWEST_PLACES and self.rank >= STRONG


def compare(
    model: TrainedModel, edited: EditedSeries, before: Examination | None = None, after: Examination | None = None
) -> Comparison:
    """Examine a series before and after its edits; give the two examinations where they are at hand."""
    before = before or examine(model, edited.original)
    after = after or (examine(model, edited.values) if edited.edits else before)
    return Comparison(before, after, edited.changed_share, _told(model, before, after))


def elsewhere(
    model: TrainedModel, edited: EditedSeries, *, n_places: int = N_PLACES, progress: Progress = silent
) -> Elsewhere | None:
    """Do the last edit at other places, evenly spread over the series, and compare.

    A place may overlap the edit's own by half at most. None where there is no edit, or no other place for it.

    Parameters
    ----------
    model
        Stays as it is.
    edited
        With at least one edit.
    n_places
        At most so many.
    progress
        Told (places done, places); raises to cancel.
    """
    if not edited.edits:
        return None
    before, last = edited.undone(), edited.edits[-1]
    copies, starts = _copies(before, last, n_places)
    if not copies:
        return None
    logits = _logits(model, [before.values, edited.values, *copies], progress)
    moved = logits[:, logits[0].argmax()]
    own, others = float(moved[1] - moved[0]), moved[2:] - moved[0]
    rank = float((np.abs(others) < abs(own)).mean())
    quantity = f"logit of {model.class_names[int(logits[0].argmax())]!r}"
    return Elsewhere(own, others, starts, rank, quantity, _told_elsewhere(quantity, own, others, rank))


def _copies(before: EditedSeries, edit: Edit, n_places: int) -> tuple[list[FloatArray], IntArray]:
    place, n_timepoints = edit.place, before.values.shape[1]
    possible = np.arange(n_timepoints - place.length + 1)
    possible = possible[np.abs(possible - place.start) >= (place.length + 1) // 2]
    chosen = possible[np.unique(np.linspace(0, len(possible) - 1, min(n_places, len(possible))).round().astype(int))]
    copies, starts = [], []
    for start in map(int, chosen):
        donor_start = None if edit.donor_start is None else edit.donor_start + start - place.start
        try:
            there = Edit(edit.kind, place.moved_to(start), edit.amount, edit.level, edit.donor, donor_start)
            copies.append(before.with_edit(there).values)
        except SettingsError:  # a shift out of the series, a span that the other series does not have
            continue
        starts.append(start)
    return copies, np.array(starts, dtype=np.int64)


def _logits(model: TrainedModel, series: list[FloatArray], progress: Progress) -> npt.NDArray[np.float64]:
    size, logits = copies_at_once(series[0].shape[1]), []
    for start in range(0, len(series), size):
        logits.append(model.predict(series[start : start + size]).logits)
        progress(min(start + size, len(series)), len(series))
    return np.concatenate(logits).astype(np.float64)


def _told(model: TrainedModel, before: Examination, after: Examination) -> str:
    was, now = model.class_names[before.predicted], model.class_names[after.predicted]
    first, second = (one.probabilities[before.predicted] for one in (before, after))
    if was == now:
        lead = _from_to(_lead(before, before.predicted), _lead(after, before.predicted), "+.2f")
        return (
            f"The prediction stays {was!r}: its probability {_from_to(first, second, '.3f')}, the lead of its logit "
            f"over the next {lead}."
        )
    other = _from_to(before.probabilities[after.predicted], after.probabilities[after.predicted], ".3f")
    return (
        f"The prediction turns from {was!r} to {now!r}: the probability of {was!r} {_from_to(first, second, '.3f')}, "
        f"that of {now!r} {other}."
    )


def _lead(examined: Examination, label: int) -> float:
    return float(examined.logits[label] - np.delete(examined.logits, label).max(initial=-np.inf))


def _from_to(before: float, after: float, form: str) -> str:
    first, second = f"{before:{form}}", f"{after:{form}}"
    return f"stays at {first}" if first == second else f"goes from {first} to {second}"


def _told_elsewhere(quantity: str, own: float, others: npt.NDArray[np.float64], rank: float) -> str:
    beaten = f"{round(rank * len(others))} of them"
    if len(others) < FEWEST_PLACES:
        verdict = "too few places to tell whether it is this one that matters"
    else:
        verdict = "this place matters" if rank >= STRONG else "this place is nothing special"
    return (
        f"The last edit changes the {quantity} by {own:+.2g}; the same edit at "
        f"{counted(len(others), 'other place')} by {others.min():+.2g} to {others.max():+.2g}. Here it does more than "
        f"at {beaten}: {verdict}."
    )
