"""The motif atlas of a model: from the important spans of many series to a few shapes a class, each tested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import FloatArray, IntArray, SeriesSet
from timemil_core.data.wording import counted
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.evaluation.ranking import opening_method
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.labels import labels_for
from timemil_core.explain.motifs.channels import channel_counts
from timemil_core.explain.motifs.clustering import DoubleArray, clusters, distances, warped
from timemil_core.explain.motifs.cutting import cut, important_spans, points_of, with_margin
from timemil_core.explain.motifs.motif import Atlas, Motif, Occurrence, Presence
from timemil_core.explain.motifs.presence import (
    nearest_place,
    presence_sentence,
    random_distances,
    threshold_of,
)
from timemil_core.explain.motifs.removal import removal_of, removal_sentence
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.windows import window_length
from timemil_core.models.trained import TrainedModel

MOST_SERIES, FEWEST_SERIES = 60, 8
TIMEPOINTS_IN_ALL = 200_000  # of the series whose maps are made: some minutes on two cores
LEAST_MEMBERS = 2
PART_OF_MAPS = 60  # of 100 parts that are told


def motif_atlas(
    model: TrainedModel,
    series_set: SeriesSet,
    method: str | None = None,
    *,
    window: int | None = None,
    n_series: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Atlas:
    """Find, put together and test what the model finds important in the series of each class.

    Spans are cut from the training series; how often a motif is present, and whether it is used where its shape is
    found again, is measured on test series, which had no say in it. A set without both parts is halved.

    Parameters
    ----------
    model
        Stays as it is.
    method
        Of importance; by default the one that measured best for the model, occlusion where none was measured.
    window
        Time points of a span; by default a tenth of the median series, at least 5.
    n_series
        At most so many of each part, evenly spread; by default 60, fewer of long series.
    seed
        Of the random spans.
    progress
        Told (done, 100); raises to cancel.

    Raises
    ------
    SettingsError
        Where the method or the window does not exist, or there are fewer than two series.
    """
    if method is None:
        method = opening_method(model, series_set)
    if method not in METHODS:
        raise SettingsError(f"there is no importance method {method!r}.", remedy=f"Choose one of {', '.join(METHODS)}.")
    window = window_length(window, int(np.median(series_set.lengths)))
    found_in, counted_in, halved = sides(series_set, n_series)
    work = _Work(model, series_set, window, seed, labels_for(model, series_set), counted_in)
    spans, predicted = _spans(work, found_in, method, progress)
    motifs: list[Motif] = []
    left_out, classes = 0, sorted(set(predicted))

    def motifs_told(done: int, of: int) -> None:
        progress(PART_OF_MAPS + (100 - PART_OF_MAPS) * done // of, 100)

    for done, target in enumerate(classes):
        own = [span for span, label in zip(spans, predicted, strict=True) if label == target]
        others = sorted({span.series for span, label in zip(spans, predicted, strict=True) if label != target})
        found = _motifs(work, own, others or found_in, target, share_of(motifs_told, done, len(classes)))
        motifs += found
        left_out += len(own) - sum(len(motif.members) for motif in found)
        motifs_told(done + 1, len(classes))
    notes = _notes(series_set, METHODS[method].title, window, found_in, counted_in, halved, left_out)
    return Atlas(tuple(motifs), window, notes)


@dataclass(frozen=True, eq=False)
class _Work:
    model: TrainedModel
    series_set: SeriesSet
    window: int
    seed: int
    labels: IntArray
    counted_in: IntArray

    def prepared(self, index: int) -> FloatArray:
        return self.model.preparation.transform([self.series_set.series[index]])[0]


def sides(series_set: SeriesSet, n_series: int | None = None) -> tuple[IntArray, IntArray, bool]:
    """Return the series that motifs are found in, those that they are counted in, and whether a set was halved."""
    train, test = (with_values(series_set, series_set.indices(part)) for part in ("train", "test"))
    halved = not len(train) or not len(test)
    if halved:
        every = with_values(series_set)
        train, test = every[::2], every[1::2]
    if not len(train) or not len(test):
        raise SettingsError("an atlas needs at least two series.")
    affordable = int(TIMEPOINTS_IN_ALL // series_set.lengths.mean())
    most = n_series or int(np.clip(affordable, FEWEST_SERIES, MOST_SERIES))
    return spread_over(train, most), spread_over(test, most), halved


def _spans(work: _Work, found_in: IntArray, method: str, progress: Progress) -> tuple[list[Occurrence], list[int]]:
    spans, predicted = [], []

    def told(done: int, of: int) -> None:
        progress(PART_OF_MAPS * done // of, 100)

    for place, index in enumerate(map(int, found_in)):
        series, of_map = work.series_set.series[index], share_of(told, place, len(found_in))
        label = int(work.model.predict([series]).labels[0])
        values = explain(work.model, series, method, label, progress=of_map).values
        for start, stop in important_spans(values, work.window):
            spans.append(Occurrence(index, start, stop))
            predicted.append(label)
        of_map(1, 1)
    return spans, predicted


def _motifs(
    work: _Work, spans: Sequence[Occurrence], others: Iterable[int], target: int, progress: Progress
) -> list[Motif]:
    others = list(others)
    channels = channel_counts(work.model, work.series_set, spans, target, np.array(others), work.seed)
    # the root, for distances are of squares: a channel that counts for nothing makes no shapes unlike
    weights = np.sqrt(channels)[:, None]
    elsewhere = [weights * work.prepared(int(index)) for index in others]
    cuts = [with_margin((s.start, s.stop), int(work.series_set.lengths[s.series])) for s in spans]
    n_points = points_of(max(stop - start for start, stop in cuts))
    shapes = np.stack([weights * cut(work.prepared(s.series), c, n_points) for s, c in zip(spans, cuts, strict=True)])
    between = distances(shapes)
    groups = [group for group in clusters(between) if len(group) >= LEAST_MEMBERS]
    motifs, name = [], work.model.class_names[target]
    for place, group in enumerate(groups):
        members = [spans[i] for i in group]
        length = cuts[group[0]][1] - cuts[group[0]][0]
        to_random = random_distances(shapes[group[0]], length, elsewhere, work.seed)
        threshold, by_chance = threshold_of(between[group[0], group[1:]], to_random)
        presence, matches = _presence(work, shapes[group[0]], length, threshold, weights)
        again = [one for one in matches if _says(work, one.series) == target]
        removal = removal_of(work.model, work.series_set, members, target, work.seed)
        held_out = removal_of(work.model, work.series_set, again, target, work.seed) if again else None
        mean, low, high = _mean_shape(work, members, [cuts[i] for i in group], shapes[group])
        start = cuts[group[0]][0]
        motifs.append(
            Motif(
                target, place, len(groups), tuple(members),
                np.linspace(0, length - 1, n_points), (members[0].start - start, members[0].stop - 1 - start),
                mean, low, high, presence, threshold, tuple(matches), channels, removal, held_out,
                removal_sentence(name, removal, held_out), presence_sentence(name, presence, by_chance),
            )
        )  # fmt: skip
        progress(place + 1, len(groups))
    return motifs


def _presence(
    work: _Work, shape: DoubleArray, length: int, threshold: float, weights: DoubleArray
) -> tuple[dict[str, Presence], list[Occurrence]]:
    found, matches = np.zeros(len(work.counted_in), dtype=np.bool_), []
    for place, index in enumerate(map(int, work.counted_in)):
        distance, (start, stop) = nearest_place(shape, length, weights * work.prepared(index))
        found[place] = distance <= threshold
        if found[place]:
            margin = max((stop - start - work.window) // 2, 0)
            matches.append((distance, Occurrence(index, start + margin, stop - margin)))
    labels = work.labels[work.counted_in]
    names = enumerate(work.model.class_names)
    presence = {
        name: Presence(int(found[labels == label].sum()), int((labels == label).sum()))
        for label, name in names
        if (labels == label).any()
    }
    return presence, [match for _, match in sorted(matches, key=lambda one: one[0])]


def _mean_shape(
    work: _Work, members: Sequence[Occurrence], cuts: Sequence[tuple[int, int]], shapes: DoubleArray
) -> tuple[DoubleArray, DoubleArray, DoubleArray]:
    raw = [
        warped(shape, shapes[0], cut(work.series_set.series[member.series], span, shapes.shape[2]))
        for member, span, shape in zip(members, cuts, shapes, strict=True)
    ]
    stacked = np.stack(raw)
    known = np.isfinite(stacked).any(axis=0)
    filled = np.where(known, stacked, 0.0)  # all-missing places would warn
    low, high = np.nanpercentile(filled, [5, 95], axis=0)
    mean = np.nanmean(filled, axis=0)
    return np.where(known, mean, np.nan), np.where(known, low, np.nan), np.where(known, high, np.nan)


def _says(work: _Work, index: int) -> int:
    return int(work.model.predict([work.series_set.series[index]]).labels[0])


def _notes(
    series_set: SeriesSet,
    title: str,
    window: int,
    found_in: IntArray,
    counted_in: IntArray,
    halved: bool,
    left_out: int,
) -> tuple[str, ...]:
    n_train, n_test = len(series_set.indices("train")), len(series_set.indices("test"))
    first, second = ("half of the set", "the other half") if halved else ("training series", "test series")
    of_first = "" if halved else f" of {n_train:,}"
    of_second = "" if halved else f" of {n_test:,}"
    alone = f"{counted(left_out, 'span')} like no other {'is' if left_out == 1 else 'are'} left out."
    return (
        f"The most important spans of {counted(window, 'time point')} by {title}, at most two a series, from "
        f"{len(found_in)}{of_first} {first}; their class is the one that the model says.",
        f"Presence is counted in {len(counted_in)}{of_second} {second}, by true class: a motif is present where some "
        "span is as near to its most typical member as 90 % of its own members are, and nearer than 95 % of random "
        "spans of series that are said to be of other classes.",
        *([alone] if left_out else []),
    )
