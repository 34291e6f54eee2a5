"""The smallest change by which the model decides otherwise: spans borrowed from the nearest series of the other class.

After Delaney et al. 2021 ("Instance-based counterfactual explanations for time series classification"): the nearest
unlike neighbour is sought among the series that the model itself gives the other class. Blocks of its channels are
borrowed, those first that bring the lead of the other class up most, until the model decides otherwise; then every
block that is not needed goes back, and the rest is cut shorter at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import BoolArray, SeriesSet
from timemil_core.data.wording import counted
from timemil_core.errors import SettingsError
from timemil_core.explain.counterfactual.borrowing import N_RANDOM, blocks, lead, random_spans, spans
from timemil_core.explain.counterfactual.neighbours import N_NEIGHBOURS, nearest_unlike
from timemil_core.explain.counterfactual.search import smallest
from timemil_core.explain.edits.comparison import Comparison, compare
from timemil_core.explain.edits.edit import Edit
from timemil_core.explain.edits.edited_series import EditedSeries
from timemil_core.explain.edits.place import Place
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.question import Question, ask
from timemil_core.models.trained import TrainedModel

HALF = 0.5
FEW_FLIPS = 1  # of 20: so often random spans may turn the model by chance


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """What was found.

    Attributes
    ----------
    target
        Index of the class that was sought.
    edited
        The changed series, its edits each a borrowed span; None where none was found.
    comparison
        The model's view before and after; None where none was found.
    donor
        The id of the series that it was borrowed from; None where none was found.
    random_flips
        In how many of 20 cases spans of the same number, channels and lengths at random times, borrowed from the same
        series, turn the model too.
    sentence
        What was found, or that nothing was, in plain words.
    """

    target: int
    edited: EditedSeries | None
    comparison: Comparison | None
    donor: str | None
    random_flips: int
    sentence: str

    @property
    def is_small_and_particular(self) -> bool:
        """Whether less than half was changed, and the same amount at random times would not have done it."""
        return self.edited is not None and self.edited.changed_share <= HALF and self.random_flips <= FEW_FLIPS


def counterfactual(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    target_class: int | None = None,
    *,
    n_neighbours: int = N_NEIGHBOURS,
    seed: int = 0,
    progress: Progress = silent,
) -> Counterfactual:
    """Find a small change of a series that makes the model say another class.

    Parameters
    ----------
    model
        Stays as it is.
    series_set, index
        The series; it is changed by borrowing from others of its set, at the same time points.
    target_class
        Index of the class to reach; by default the second most probable.
    n_neighbours
        So many nearest series are tried; the smallest change counts.
    seed
        Of the random spans that the result is compared with.
    progress
        Told (done, of); raises to cancel.

    Raises
    ------
    SettingsError
        Where the class does not exist, or is the one that the model says already.
    """
    logits = model.predict([series_set.series[index]]).logits[0]
    source = int(logits.argmax())
    target = int(np.argsort(-logits)[1]) if target_class is None else target_class
    if target == source:
        raise SettingsError("the model says this class already.", remedy="Choose another class.")
    question = ask(model, target, source)
    donors = nearest_unlike(model, series_set, index, target, n_neighbours)
    best: tuple[BoolArray, int] | None = None
    for place, donor in enumerate(donors):
        leads = lead(model, series_set.series[index], series_set.series[donor], question)
        borrowed = smallest(leads, blocks(series_set, index, donor), share_of(progress, place, len(donors)))
        if borrowed is not None and (best is None or borrowed.sum() < best[0].sum()):
            best = borrowed, donor
    if best is None:
        return Counterfactual(target, None, None, None, 0, _told_none(question, len(donors)))
    return _verified(model, series_set, index, best[0], best[1], question, seed)


def _verified(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    borrowed: BoolArray,
    donor: int,
    question: Question,
    seed: int,
) -> Counterfactual:
    name = series_set.series_ids[donor]
    found = spans(borrowed)
    edits = [Edit("swap", Place(a, b, (c,)), donor=name, donor_start=a) for c, a, b in found]
    edited = EditedSeries(series_set, index).with_edits(_joined(edits, series_set.n_channels))
    comparison = compare(model, edited)
    if comparison.after.predicted != question.target:  # a tie that rounding decides
        return Counterfactual(question.target, None, None, None, 0, _told_none(question, 1))
    leads = lead(model, series_set.series[index], series_set.series[donor], question)
    common = min(series_set.series[i].shape[1] for i in (index, donor))
    flips = int((leads(random_spans(found, borrowed.shape, common, seed)) > 0).sum())
    sentence = _told(edited, comparison, question, flips)
    return Counterfactual(question.target, edited, comparison, name, flips, sentence)


def _joined(edits: list[Edit], n_channels: int) -> list[Edit]:
    # the same span of several channels is one edit
    by_span: dict[tuple[int, int], list[int]] = {}
    for edit in edits:
        by_span.setdefault((edit.place.start, edit.place.stop), []).extend(edit.place.channels or ())
    return [
        Edit("swap", Place(a, b, tuple(rows) if len(rows) < n_channels else None), donor=edits[0].donor, donor_start=a)
        for (a, b), rows in sorted(by_span.items())
    ]


def _told(edited: EditedSeries, comparison: Comparison, question: Question, flips: int) -> str:
    share, after = edited.changed_share, comparison.after.probabilities
    much = (
        " That is more than half of the series: rather another series than a small change of this one."
        if share > HALF
        else ""
    )
    told = (
        f"With {counted(len(edited.edits), 'span')} of series {edited.edits[0].donor!r}, {share:.1%} of time points × "
        f"channels, the model says {question.target_name!r} ({after[question.target]:.3f}) instead of "
        f"{question.against_name!r} ({after[question.against or 0]:.3f}).{much}"
    )
    verdict = "it is these times that matter" if flips <= FEW_FLIPS else "these times are not the only ones that do it"
    return f"{told} Spans of the same lengths at random times turn it in {flips} of {N_RANDOM} cases: {verdict}."


def _told_none(question: Question, n_donors: int) -> str:
    if not n_donors:
        return f"None was found: the model gives no other series of this set the class {question.target_name!r}."
    return (
        f"None was found: what can be borrowed from the nearest series of class {question.target_name!r} "
        f"({n_donors} tried) does not make the model say so."
    )
