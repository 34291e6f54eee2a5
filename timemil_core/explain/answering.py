"""Finds what tells each class: maps of some series that a model calls so, of the method that measures best there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from timemil_core.data.series_set import UNKNOWN_LABEL, FloatArray, IntArray, SeriesSet
from timemil_core.errors import DataError
from timemil_core.explain.answer import Answer, ClassAnswer, DoubleArray, Example
from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.evaluation.places import in_relative_time
from timemil_core.explain.evaluation.ranking import UNMEASURED, Ranked, Ranking, known_ranking, told_by_itself
from timemil_core.explain.evaluation.standing import LEVELS, Level
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.where import Place, middle_of, places, step_of, where_of
from timemil_core.models.trained import TrainedModel

MOST_MAPS, MOST_MAPS_A_CLASS, FEWEST_MAPS_A_CLASS = 12, 12, 4
CANDIDATES, TIMEPOINTS = 400, 2_000_000
"""Series, and time points of them, that are classified to find some of each class."""
N_EXAMPLES = 3
AT_ONCE = 32  # series that are classified between two looks at whether it is still wanted
CLEAR_SHARE, CLEAR_LEAD = 0.5, 2.0
N_RELATIVE = 200
AROUND = 2.0  # places to either side, where each series is centred on its own


def answer(
    model: TrainedModel,
    series_set: SeriesSet,
    *,
    ranking: Ranking | None = None,
    n_series: int | None = None,
    progress: Progress = silent,
) -> Answer:
    """Find what tells each class that a model predicts, on the test series where there are any.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        Raw series; of long or many ones, some.
    ranking
        What the methods are worth; by default what is known of this model and set. Without it occlusion's maps are
        taken, and the level is None.
    n_series
        Maps a class; by default 4 to 12, about 12 in all.
    progress
        Told (done, of); raises to cancel.

    Raises
    ------
    DataError
        Where no series can be classified.
    """
    ranking = ranking or known_ranking(model, series_set)
    test = with_values(series_set, series_set.indices("test"))
    candidates = test if len(test) else with_values(series_set)
    if not len(candidates):
        raise DataError("no series holds a value, so none can be classified.", where=series_set.name)
    affordable = int(np.clip(TIMEPOINTS // series_set.lengths[candidates].mean(), 2, CANDIDATES))
    candidates = spread_over(candidates, affordable)
    predicted = _predicted(model, series_set, candidates, share_of(progress, 0, 10))
    found = np.unique(predicted[predicted != UNKNOWN_LABEL])
    if not len(found):
        raise DataError("no series can be classified.", where=series_set.name)
    wanted = n_series or int(np.clip(MOST_MAPS // len(found), FEWEST_MAPS_A_CLASS, MOST_MAPS_A_CLASS))
    labels = labels_for(model, series_set)
    chosen = {int(label): _chosen(candidates[predicted == label], labels, int(label), wanted) for label in found}
    n_maps = sum(map(len, chosen.values()))
    done, answers = 0, []
    for label, indices in chosen.items():
        method, level, in_one_place = method_for(model, ranking, model.class_names[label])
        maps = []
        for index in indices.tolist():
            told = _part(progress, done, n_maps)
            maps.append(explain(model, series_set.series[index], method, label, progress=told))
            done += 1
            progress(n_maps + 9 * done, 10 * n_maps)
        answers.append(class_answer(model, series_set, label, indices, maps, method, level, in_one_place))
    known = predicted != UNKNOWN_LABEL
    return Answer(
        classes=tuple(sorted(answers, key=_how_well_told)),
        part="test" if len(test) else "all",
        indices=candidates[known],
        true=labels[candidates[known]],
        predicted=predicted[known],
        time_title=series_set.time_unit,
        channel_names=series_set.channel_names,
    )


def method_for(model: TrainedModel, ranking: Ranking | None, class_name: str) -> tuple[str, Level | None, bool | None]:
    """Return the method to tell a class by, its level there, and whether a search finds evidence in one place.

    It is the one that measures best; of those that reach its level, one that tells channels apart where there are
    several.
    """
    by_channel = "channel-occlusion" if METHODS["channel-occlusion"].applies_to(model) else UNMEASURED
    if ranking is None:
        return told_by_itself(model) or by_channel, None, None
    places = ranking.places_by_class.get(class_name, ranking.places)

    def level(one: Ranked) -> Level:
        return one.by_class.get(class_name, one.standing).level

    best = ranking.best_for(class_name)
    rivals = [one for one in ranking.methods if METHODS[one.method].per_channel and level(one) == level(best)]
    if len(model.channel_names) > 1 and rivals and not METHODS[best.method].per_channel:
        best = min(rivals, key=lambda one: (one.method != by_channel, one.by_class.get(class_name, one.standing).order))
    return best.method, level(best), places.in_one_place


def class_answer(
    model: TrainedModel,
    series_set: SeriesSet,
    label: int,
    indices: IntArray,
    maps: Sequence[Importance],
    method: str,
    level: Level | None,
    in_one_place: bool | None,
) -> ClassAnswer:
    """Put together what the maps of some series of one class tell; parameters as in ``ClassAnswer``."""
    layers = [one.values[None] if one.per_channel is None else one.per_channel for one in maps]
    times = [series_set.times(int(index)) for index in indices]
    signals = [series_set.series[int(index)].astype(np.float64) for index in indices]
    parts = [places(one.values) for one in maps]
    is_own = all(len(one) == len(times[0]) and np.allclose(one, times[0]) for one in times)
    axis: Literal["own", "relative", "around"] = "own" if is_own else "relative"
    grid: DoubleArray = times[0] if is_own else (np.arange(N_RELATIVE) + 0.5) / N_RELATIVE

    def on_grid(rows: DoubleArray) -> DoubleArray:
        return rows if is_own else _relative(rows)

    marks = [_marks(series_set, int(index)) for index in indices]
    on_one_grid = [on_grid(one) for one in layers]
    signal, mean_map = _mean([on_grid(one) for one in signals]), _mean(on_one_grid)
    truth = [on_grid(one) for one in marks if one is not None]
    where = where_of(np.stack([one.sum(axis=0) for one in on_one_grid]), grid, parts, times)
    if where.kind == "moving" and in_one_place is not False:  # else no stretch is told that it could be centred on
        axis = "around"
        step = float(np.median([step_of(one) for one in times]))
        reach = max(int(np.ceil(AROUND * where.width / step)), 2)
        middles = [middle_of(one.values, part) for one, part in zip(maps, parts, strict=True)]
        grid = np.arange(-reach, reach + 1, dtype=np.float64) * step
        signal = _mean([_around(one, middle, reach) for one, middle in zip(signals, middles, strict=True)])
        mean_map = _mean([_around(one, middle, reach) for one, middle in zip(layers, middles, strict=True)])
        truth = [_around(one, middle, reach) for one, middle in zip(marks, middles, strict=True) if one is not None]
    shares = _shares(layers, parts) if layers[0].shape[0] > 1 else ()
    marked = [(one[0] > 0, part) for one, part in zip(marks, parts, strict=True) if one is not None]
    return ClassAnswer(
        label=label,
        name=model.class_names[label],
        method=method,
        level=level,
        in_one_place=in_one_place,
        n_series=len(maps),
        where=where,
        channel=_channel(shares, series_set.channel_names),
        shares=shares,
        axis=axis,
        times=grid,
        signal=signal,
        importance=mean_map,
        truth=_mean(truth)[0] if truth else np.zeros(0),
        examples=_examples(model, series_set, label, indices, maps, layers),
        n_met=sum(any(bool(mark[a:b].any()) for a, b in part) for mark, part in marked),
        n_marked=len(marked),
        unit=series_set.axis.length,
        n_channels=series_set.n_channels,
    )


def _predicted(model: TrainedModel, series_set: SeriesSet, indices: IntArray, progress: Progress) -> IntArray:
    predicted = np.full(len(indices), UNKNOWN_LABEL, dtype=np.int64)
    for start in range(0, len(indices), AT_ONCE):
        some = [series_set.series[index] for index in indices[start : start + AT_ONCE]]
        predicted[start : start + AT_ONCE] = model.predict_each(some).labels
        progress(min(start + AT_ONCE, len(indices)), len(indices))
    return predicted


def _part(progress: Progress, done: int, n_maps: int) -> Progress:
    def tell(part: int, of: int) -> None:
        progress(n_maps * of + 9 * (done * of + part), 10 * n_maps * of)

    return tell


def _chosen(indices: IntArray, labels: IntArray, label: int, wanted: int) -> IntArray:
    """Return some of the indices evenly, with one of another class where there is any and more than one is wanted."""
    chosen = spread_over(indices, wanted)
    others = (labels != label) & (labels != UNKNOWN_LABEL)
    wrong = indices[others[indices]]
    if len(wrong) and wanted > 1 and not others[chosen].any():
        chosen = np.sort(np.append(chosen[:-1], wrong[0]))
    return chosen


def _how_well_told(told: ClassAnswer) -> tuple[int, bool, int, int]:
    """Return what orders classes: level, a place before none, what can be held against a known truth."""
    level = len(LEVELS) if told.level is None else LEVELS.index(told.level)
    has_place = told.in_one_place is not False and told.where.kind in ("same", "moving")
    return level, not has_place, -told.n_marked, told.label


def _relative(values: DoubleArray | FloatArray) -> DoubleArray:
    """Return ``(n_rows, n_timepoints)`` at even shares of the length, ``(n_rows, N_RELATIVE)``."""
    return np.stack([in_relative_time(row, N_RELATIVE) for row in values])


def _around(values: DoubleArray, middle: int, reach: int) -> DoubleArray:
    """Return ``(n_rows, 2 * reach + 1)`` around a time point, NaN beyond the ends."""
    padded = np.pad(values, ((0, 0), (reach, reach)), constant_values=np.nan)
    return padded[:, middle : middle + 2 * reach + 1]


def _mean(rows: Sequence[DoubleArray]) -> DoubleArray:
    """Return the mean over series where at least half of them have a value."""
    stacked = np.stack(rows)
    finite = np.isfinite(stacked)
    counts = finite.sum(axis=0)
    sums = np.where(finite, stacked, 0.0).sum(axis=0)
    return np.where(2 * counts >= len(rows), sums / np.maximum(counts, 1), np.nan)


def _marks(series_set: SeriesSet, index: int) -> DoubleArray | None:
    """Return a series' known truth as ``(1, n_timepoints)``, 1 where it is; None where it marks nothing."""
    if series_set.instance_labels is None or not series_set.instance_labels[index].any():
        return None
    return series_set.instance_labels[index][None].astype(np.float64)


def _shares(layers: Sequence[DoubleArray], parts: Sequence[tuple[Place, ...]]) -> tuple[float, ...]:
    """Return of each channel the mean share, over series, of what is positive within the places: each counts alike."""
    held = [
        sum(np.clip(np.nan_to_num(layer[:, first:stop]), 0, None).sum(axis=1) for first, stop in part)
        for layer, part in zip(layers, parts, strict=True)
        if part
    ]
    if not held:
        return (0.0,) * layers[0].shape[0]
    return tuple(np.mean([one / (one.sum() or 1.0) for one in held], axis=0).tolist())


def _channel(shares: Sequence[float], names: Sequence[str]) -> str | None:
    if len(names) == 1:
        return names[0]
    if not shares:
        return None
    first, second = sorted(shares, reverse=True)[:2]
    is_clear = first >= CLEAR_SHARE and first >= CLEAR_LEAD * second
    return names[int(np.argmax(shares))] if is_clear else None


def _examples(
    model: TrainedModel,
    series_set: SeriesSet,
    label: int,
    indices: IntArray,
    maps: Sequence[Importance],
    layers: Sequence[DoubleArray],
) -> tuple[Example, ...]:
    true = labels_for(model, series_set)[indices]
    wrong = [place for place in range(len(maps)) if true[place] not in (label, UNKNOWN_LABEL)]
    right = [place for place in range(len(maps)) if place not in wrong]
    mass = np.array([np.clip(one.values, 0, None).sum() for one in maps])
    typical = sorted(right, key=lambda place: abs(mass[place] - np.median(mass[right])))
    chosen = typical[: N_EXAMPLES - min(len(wrong), 1)]
    chosen += wrong[: N_EXAMPLES - len(chosen)]

    return tuple(example_of(model, series_set, label, int(indices[place]), layers[place]) for place in chosen)


def example_of(model: TrainedModel, series_set: SeriesSet, label: int, index: int, importance: DoubleArray) -> Example:
    """Return a series with its map of a class; parameters as in ``Example``."""
    true = series_set.label_name(index)
    return Example(
        index=index,
        series_id=series_set.series_ids[index],
        true_class=true,
        is_right=true == model.class_names[label] if true in model.class_names else None,
        times=series_set.times(index),
        values=series_set.series[index],
        importance=importance,
        truth=None if series_set.instance_labels is None else series_set.instance_labels[index],
    )
