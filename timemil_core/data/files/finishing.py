"""From what a reader hands over to a ``SeriesSet``: classes from labels, series cut by what was annotated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from timemil_core.data.class_names import label_indices, sorted_class_names
from timemil_core.data.files.labels import canonical_labels, check_classes, lines_on_labels
from timemil_core.data.files.parts import Parts, Span
from timemil_core.data.limits import refuse_too_many_values
from timemil_core.data.report_line import ReportLine, repair
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.data.windows import cut_into_windows
from timemil_core.errors import DataError

CutKind = Literal["whole", "spans", "windows"]


@dataclass(frozen=True)
class Cut:
    """How recordings become series.

    Attributes
    ----------
    kind
        ``"whole"``: each stays one series. ``"spans"``: each annotated stretch is one. ``"windows"``.
    length, step
        Of windows; None for the step: without overlap.
    in_seconds
        Whether both are in seconds rather than time points.
    annotations
        Those that count as classes; None: all.
    """

    kind: CutKind = "whole"
    length: float | None = None
    step: float | None = None
    in_seconds: bool = False
    annotations: frozenset[str] | None = None


def finished(parts: Parts, name: str, where: str, cut: Cut | None = None) -> tuple[SeriesSet, list[ReportLine]]:
    """Return the set and what was found on the way; the lines are its provenance, too.

    Raises
    ------
    DataError
        Where there are no series or too many values, labels are no classes, or windows cannot be cut.
    """
    cut = cut or Cut()
    if not parts.series:
        raise DataError("There are no series in it.", where=where)
    refuse_too_many_values(parts.lengths, len(parts.channel_names), where)
    spans = _counted_spans(parts, cut)
    texts = {*parts.labels, *(span.text for one in spans for span in one)} - {None}
    names = canonical_labels(str(text) for text in texts)
    class_names = sorted_class_names(name for name in names.values() if name is not None)
    check_classes(class_names, max(len(parts.series), sum(map(len, spans))), where)
    lines = [*parts.lines, *lines_on_labels(names, class_names)]
    series_set = _as_set(parts, name, names, class_names)
    if cut.kind == "windows":
        series_set = _windows(series_set, spans, names, cut)
    elif cut.kind == "spans":
        series_set = _by_spans(series_set, spans, names)
        lines.append(repair(f"Recordings were cut into the {len(series_set):,} stretches that are annotated."))
    told = series_set.provenance
    lines.extend(repair(sentence, choice="cut") for sentence in told)
    return replace(_without_unused_classes(series_set), provenance=tuple(map(str, lines))), lines


def _as_set(parts: Parts, name: str, names: dict[str, str | None], class_names: Sequence[str]) -> SeriesSet:
    n_series = len(parts.series)
    return SeriesSet(
        name=name,
        series=tuple(parts.series),
        labels=label_indices([None if text is None else names[text] for text in parts.labels], class_names),
        class_names=tuple(class_names),
        series_ids=unique_ids(parts.ids),
        channel_names=parts.channel_names,
        split=np.array(parts.split if parts.split is not None else ["train"] * n_series, dtype="<U5"),
        sampling_rate=parts.sampling_rate,
        instance_labels=None if parts.truth is None else tuple(parts.truth),
        groups=None if parts.groups is None else tuple(parts.groups),
        timestamps=parts.timestamps,
    )


def unique_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Return ids of which no two are alike: the second ``a`` becomes ``a (2)``."""
    given = list(ids)
    taken, seen = set(given), set[str]()
    last: dict[str, int] = {}
    unique = []
    for stem in given:
        name, number = stem, last.get(stem, 1)
        while name in seen or (name != stem and name in taken):
            number += 1
            name = f"{stem} ({number})"
        last[stem] = number
        seen.add(name)
        unique.append(name)
    return tuple(unique)


def _counted_spans(parts: Parts, cut: Cut) -> list[list[Span]]:
    """Return the annotations that count, one list a series; none where series are not cut by them."""
    if parts.spans is None or cut.kind == "whole":
        return []
    chosen = cut.annotations
    return [[span for span in one if chosen is None or span.text in chosen] for one in parts.spans]


def _windows(series_set: SeriesSet, spans: list[list[Span]], names: dict[str, str | None], cut: Cut) -> SeriesSet:
    rate = series_set.sampling_rate if cut.in_seconds else 1.0
    if cut.length is None or rate is None:
        missing = "The length of a window was not given" if cut.length is None else "The sampling rate is not known"
        raise DataError(f"{missing}, so no windows can be cut.", where=series_set.name, remedy="Give it.")
    length = max(1, round(cut.length * rate))
    step = length if cut.step is None else max(1, round(cut.step * rate))
    point_labels = [
        _point_labels(one, int(n), names, series_set.class_names)
        for one, n in zip(spans, series_set.lengths, strict=False)
    ]
    return cut_into_windows(series_set, length, step, point_labels or None)


def _point_labels(spans: Sequence[Span], n: int, names: dict[str, str | None], class_names: Sequence[str]) -> IntArray:
    """Return the class of each time point ``(n,)``, -1 where none is annotated; later annotations win."""
    place = {name: index for index, name in enumerate(class_names)}
    labels = np.full(n, UNKNOWN_LABEL, dtype=np.int64)
    for span in spans:
        name = names[span.text]
        if name is not None:
            labels[span.start : span.stop] = place[name]
    return labels


def _by_spans(series_set: SeriesSet, spans: list[list[Span]], names: dict[str, str | None]) -> SeriesSet:
    """Return a set with a series for each annotated stretch; the recording becomes its group."""
    pieces = [
        (index, span.start, min(span.stop, int(series_set.lengths[index])), names[span.text])
        for index, one in enumerate(spans)
        for span in one
        if names[span.text] is not None and 0 <= span.start < min(span.stop, int(series_set.lengths[index]))
    ]
    if not pieces:
        raise DataError(
            "There are no annotated stretches to cut by.", where=series_set.name, remedy="Cut it into windows instead."
        )
    refuse_too_many_values([stop - start for _, start, stop, _ in pieces], series_set.n_channels, series_set.name)
    of_series = [index for index, *_ in pieces]
    groups = series_set.groups or series_set.series_ids
    whole = series_set.subset(of_series[:1])
    times = series_set.timestamps
    return replace(
        whole,
        series=tuple(series_set.series[index][:, start:stop].copy() for index, start, stop, _ in pieces),
        labels=label_indices([name for *_, name in pieces], series_set.class_names),
        series_ids=tuple(f"{series_set.series_ids[index]} @{start}" for index, start, _, _ in pieces),
        split=series_set.split[of_series],
        instance_labels=None,
        groups=tuple(groups[index] for index in of_series),
        timestamps=times
        and replace(times, values=tuple(times.values[index][start:stop] for index, start, stop, _ in pieces)),
    )


def _without_unused_classes(series_set: SeriesSet) -> SeriesSet:
    """Return the set without classes of which no series is left."""
    used = np.unique(series_set.labels[series_set.labels != UNKNOWN_LABEL])
    if len(used) == series_set.n_classes:
        return series_set
    place = np.full(series_set.n_classes + 1, UNKNOWN_LABEL, dtype=np.int64)  # the last: -1 stays -1
    place[used] = np.arange(len(used))
    return replace(
        series_set, labels=place[series_set.labels], class_names=tuple(series_set.class_names[label] for label in used)
    )
