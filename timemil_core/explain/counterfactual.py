"""The smallest change by which the model decides otherwise: spans borrowed from the nearest series of the other class.

After Delaney et al. 2021 ("Instance-based counterfactual explanations for time series classification"): the nearest
unlike neighbour is sought among the series that the model itself gives the other class. Blocks of its channels are
borrowed, those first that bring the lead of the other class up most, until the model decides otherwise; then every
block that is not needed goes back, and the rest is cut shorter at both ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet
from timemil_core.data.wording import counted
from timemil_core.errors import SettingsError
from timemil_core.explain.edits.comparison import Comparison, compare
from timemil_core.explain.edits.edit import Edit
from timemil_core.explain.edits.edited_series import EditedSeries
from timemil_core.explain.edits.place import Place
from timemil_core.explain.held_out import spread_over
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.question import Question, ask
from timemil_core.explain.scoring import copies_at_once
from timemil_core.models.trained import TrainedModel

N_NEIGHBOURS, MOST_CANDIDATES = 3, 200
MOST_UNITS, MOST_BLOCKS, FEWEST_BLOCKS = 240, 20, 4
N_RANDOM = 20
HALF = 0.5

Lead = Callable[[BoolArray], npt.NDArray[np.float64]]
"""From what is borrowed, ``(n_copies, n_channels, n_timepoints)``, to the target's lead, ``(n_copies,)``."""


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
        lead = _lead(model, series_set.series[index], series_set.series[donor], question)
        borrowed = _smallest(lead, _blocks(series_set, index, donor), share_of(progress, place, len(donors)))
        if borrowed is not None and (best is None or borrowed.sum() < best[0].sum()):
            best = borrowed, donor
    if best is None:
        return Counterfactual(target, None, None, None, 0, _told_none(question, len(donors)))
    return _verified(model, series_set, index, best[0], best[1], question, seed)


def nearest_unlike(
    model: TrainedModel, series_set: SeriesSet, index: int, target: int, n_neighbours: int = N_NEIGHBOURS
) -> list[int]:
    """Return the nearest series that the model gives the class ``target``, nearest first.

    At most 200 others, evenly spread over the set, are looked at. Distance is Euclidean (aeon's), after preparation,
    over the time points that both series have, for each of them: at these values are borrowed.
    """
    from aeon.distances import pairwise_distance  # it brings numba: a second that only this shall cost

    others = spread_over(np.delete(np.arange(len(series_set)), index), MOST_CANDIDATES)
    labels = model.predict([series_set.series[other] for other in others]).labels
    alike = others[labels == target]
    if not len(alike):
        return []
    own, *prepared = model.preparation.transform([series_set.series[i] for i in (index, *alike)])
    distances = []
    for one in prepared:
        n = min(own.shape[1], one.shape[1])
        pair = [own[:, :n].astype(np.float64), one[:, :n].astype(np.float64)]
        distances.append(float(pairwise_distance(np.stack(pair), method="euclidean")[0, 1]) / np.sqrt(n))
    return [int(alike[place]) for place in np.argsort(distances, kind="stable")[:n_neighbours]]


def _lead(model: TrainedModel, original: FloatArray, donor: FloatArray, question: Question) -> Lead:
    n = min(original.shape[1], donor.shape[1])
    other = original.copy()
    other[:, :n] = donor[:, :n]

    def lead(borrowed: BoolArray) -> npt.NDArray[np.float64]:
        size, numbers = copies_at_once(original.shape[1]), []
        for start in range(0, len(borrowed), size):
            copies = np.where(borrowed[start : start + size], other, original)
            logits = model.predict(list(copies)).logits.astype(np.float64)
            # the lead over the strongest rival, not over the first class alone
            rivals = np.delete(logits, question.target, axis=1).max(axis=1)
            numbers.append(logits[:, question.target] - rivals)
        return np.concatenate(numbers)

    return lead


def _blocks(series_set: SeriesSet, index: int, donor: int) -> BoolArray:
    """Return what can be borrowed, piece by piece, ``(n_units, n_channels, n_timepoints)``: blocks of channels."""
    n_channels, n_timepoints = series_set.series[index].shape
    common = min(n_timepoints, series_set.series[donor].shape[1])
    n_blocks = min(max(MOST_UNITS // n_channels, FEWEST_BLOCKS), MOST_BLOCKS, common)
    n_groups = min(n_channels, MOST_UNITS // FEWEST_BLOCKS)
    edges = np.linspace(0, common, n_blocks + 1).round().astype(int)
    groups = np.array_split(np.arange(n_channels), n_groups)
    units = np.zeros((n_groups * n_blocks, n_channels, n_timepoints), dtype=np.bool_)
    for unit, (group, block) in enumerate((g, b) for g in range(n_groups) for b in range(n_blocks)):
        units[unit, groups[group], edges[block] : edges[block + 1]] = True
    return units


def _smallest(lead: Lead, units: BoolArray, progress: Progress) -> BoolArray | None:
    """Return a small part ``(n_channels, n_timepoints)`` that turns the model; None where even all does not."""
    progress(0, 4)
    gains = _in_turn(lead, units, share_of(progress, 0, 4))
    order = np.argsort(-gains, kind="stable")
    grown = _grown(lead, units, order, share_of(progress, 1, 4))
    if grown is None:
        return None
    kept = _dropped(lead, units, grown, share_of(progress, 2, 4))
    trimmed = _trimmed(lead, _together(units, kept))
    progress(4, 4)
    return trimmed


def _in_turn(lead: Lead, borrowed: BoolArray, progress: Progress) -> npt.NDArray[np.float64]:
    size, numbers = copies_at_once(borrowed.shape[-1]), []
    for start in range(0, len(borrowed), size):
        numbers.append(lead(borrowed[start : start + size]))
        progress(min(start + size, len(borrowed)), len(borrowed))
    return np.concatenate(numbers)


def _grown(lead: Lead, units: BoolArray, order: npt.NDArray[np.intp], progress: Progress) -> list[int] | None:
    # the blocks that bring most by themselves, one more at a time, until the model turns
    size, borrowed = copies_at_once(units.shape[-1]), np.zeros_like(units[0])
    for start in range(0, len(order), size):
        steps = np.logical_or.accumulate(units[order[start : start + size]], axis=0) | borrowed
        turned = np.flatnonzero(lead(steps) > 0)
        if len(turned):
            return [int(one) for one in order[: start + turned[0] + 1]]
        borrowed = steps[-1]
        progress(min(start + size, len(order)), len(order))
    return None


def _dropped(lead: Lead, units: BoolArray, grown: list[int], progress: Progress) -> list[int]:
    # those that bring least go back first
    kept = list(grown)
    for done, unit in enumerate(reversed(grown), start=1):
        without = [one for one in kept if one != unit]
        if without and lead(_together(units, without)[None])[0] > 0:
            kept = without
        progress(done, len(grown))
    return kept


def _together(units: BoolArray, chosen: list[int]) -> BoolArray:
    return np.asarray(units[chosen].any(axis=0), dtype=np.bool_)


def _trimmed(lead: Lead, borrowed: BoolArray) -> BoolArray:
    # each span of each channel, from either end, by halves of what is left down to single time points
    for channel, start, stop in _spans(borrowed):
        for from_start in (True, False):
            step = (stop - start) // 2
            while step:
                shorter = borrowed.copy()
                cut = slice(start, start + step) if from_start else slice(stop - step, stop)
                shorter[channel, cut] = False
                if stop - start > step and lead(shorter[None])[0] > 0:
                    borrowed = shorter
                    start, stop = (start + step, stop) if from_start else (start, stop - step)
                step //= 2
    return borrowed


def _spans(borrowed: BoolArray) -> list[tuple[int, int, int]]:
    """Return channel, first time point and the one after the last of each run of True."""
    found = []
    for channel, row in enumerate(borrowed):
        steps = np.diff(np.concatenate([[False], row, [False]]).astype(np.int8))
        ends = zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True)
        found += [(channel, int(start), int(stop)) for start, stop in ends]
    return found


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
    spans = _spans(borrowed)
    edits = [Edit("swap", Place(a, b, (c,)), donor=name, donor_start=a) for c, a, b in spans]
    edited = EditedSeries(series_set, index).with_edits(_joined(edits, series_set.n_channels))
    comparison = compare(model, edited)
    if comparison.after.predicted != question.target:  # a tie that rounding decides
        return Counterfactual(question.target, None, None, None, 0, _told_none(question, 1))
    lead = _lead(model, series_set.series[index], series_set.series[donor], question)
    common = min(series_set.series[i].shape[1] for i in (index, donor))
    flips = int((lead(_random_spans(spans, borrowed.shape, common, seed)) > 0).sum())
    sentence = _told(edited, question, len(edited.edits), flips)
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


def _random_spans(spans: list[tuple[int, int, int]], shape: tuple[int, ...], common: int, seed: int) -> BoolArray:
    generator = np.random.default_rng(seed)
    borrowed = np.zeros((N_RANDOM, *shape), dtype=np.bool_)
    for copy in borrowed:
        for channel, start, stop in spans:
            first = int(generator.integers(common - (stop - start) + 1))
            copy[channel, first : first + stop - start] = True
    return borrowed


def _told(edited: EditedSeries, question: Question, n_spans: int, flips: int) -> str:
    share = edited.changed_share
    much = (
        " That is more than half of the series: rather another series than a small change of this one."
        if share > HALF
        else ""
    )
    told = (
        f"With {counted(n_spans, 'span')} of series {edited.edits[0].donor!r}, {share:.1%} of time points × channels, "
        f"the model says {question.target_name!r} instead of {question.against_name!r}.{much}"
    )
    verdict = "it is these times that matter" if flips <= 1 else "these times are not the only ones that do it"
    return f"{told} Spans of the same lengths at random times turn it in {flips} of {N_RANDOM} cases: {verdict}."


def _told_none(question: Question, n_donors: int) -> str:
    if not n_donors:
        return f"None was found: the model gives no other series of this set the class {question.target_name!r}."
    return (
        f"None was found: what can be borrowed from the nearest series of class {question.target_name!r} "
        f"({n_donors} tried) does not make the model say so."
    )
