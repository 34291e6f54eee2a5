"""An answer found once and kept: beside its model as ``answer.json``, or on this machine where that is not ours.

The file holds what took time to compute; series, names and the truth come from the set, which it must fit.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.atomic import parse_json, read_bytes, write_bytes
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.answer import Answer, ClassAnswer, DoubleArray, Example
from timemil_core.explain.answering import answer, example_of, method_for
from timemil_core.explain.evaluation.ranking import known_ranking
from timemil_core.explain.keeping import kept_at, rounded
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.where import Where
from timemil_core.kinds import NUMBER, TEXT, YES_OR_NO, check_kinds, list_of, object_of, one_of, or_none, whole
from timemil_core.models.trained import TrainedModel

FILE = "answer.json"
FORMAT = 2  # of another format: found otherwise, so to be found again
LARGEST = 8 * 2**20
"""Bytes of a file that is read or written: an answer over longer series is found anew."""

ROWS = list_of(list_of(or_none(NUMBER)))
CLASS = {
    "label": whole(),
    "method": TEXT,
    "level": or_none(TEXT),
    "in_one_place": or_none(YES_OR_NO),
    "n_series": whole(1),
    "where": object_of(
        {"kind": one_of(("same", "moving", "spread", "nowhere")), "spans": list_of(list_of(NUMBER)), "width": NUMBER}
    ),
    "channel": or_none(whole()),
    "shares": list_of(NUMBER),
    "axis": one_of(("own", "relative", "around")),
    "times": list_of(NUMBER),
    "signal": ROWS,
    "importance": ROWS,
    "truth": list_of(or_none(NUMBER)),
    "n_met": whole(),
    "n_marked": whole(),
    "examples": list_of(object_of({"index": whole(), "importance": ROWS})),
}
CONTENT = {
    "model": TEXT,
    "data": TEXT,
    "part": one_of(("test", "all")),
    "classes": list_of(object_of(CLASS)),
    "indices": list_of(whole()),
    "predicted": list_of(whole()),
}


def answer_and_keep(
    model: TrainedModel, series_set: SeriesSet, folder: Path | None = None, progress: Progress = silent
) -> Answer:
    """Return the answer that is known, else find it, and keep it.

    Parameters
    ----------
    model, series_set, progress
        As for ``answer``.
    folder
        The model's own, to keep it in; by default it is kept on this machine.

    Raises
    ------
    DataError
        Where no series can be classified.
    StorageError
        Where it cannot be stored.
    """
    found = known_answer(model, series_set, folder)
    if found is None:
        found = answer(model, series_set, progress=progress)
        keep_answer(found, model, series_set, folder)
    return found


def known_answer(model: TrainedModel, series_set: SeriesSet, folder: Path | None = None) -> Answer | None:
    """Return what is kept of this model and these data; None where there is none such, or it was found otherwise.

    An answer goes by what the methods are worth: with another ranking it is stale.
    """
    for path in kept_at(model, series_set, FILE, folder):
        try:
            return from_json(parse_json(read_bytes(path, LARGEST).decode("utf-8")), model, series_set)
        except (OSError, ValueError):  # ValueError: no JSON, or not what is wanted
            continue
    return None


def keep_answer(found: Answer, model: TrainedModel, series_set: SeriesSet, folder: Path | None = None) -> None:
    """Write an answer for ``known_answer``, unless it is too large. Raises StorageError where there is no room."""
    content = json.dumps(to_json(found, model, series_set), separators=(",", ":"), allow_nan=False).encode()
    if len(content) <= LARGEST:
        write_bytes(kept_at(model, series_set, FILE, folder)[0], content + b"\n")


def to_json(found: Answer, model: TrainedModel, series_set: SeriesSet) -> dict[str, Any]:
    """Return an answer as JSON values."""
    return {
        "format": FORMAT,
        "model": model.fingerprint,
        "data": series_set.fingerprint,
        "part": found.part,
        "classes": [_class_to_json(one, found.channel_names) for one in found.classes],
        "indices": found.indices.tolist(),
        "predicted": found.predicted.tolist(),
    }


def from_json(content: Any, model: TrainedModel, series_set: SeriesSet) -> Answer:
    """Read what ``to_json`` wrote.

    Raises
    ------
    ValueError
        Where it is something else, of another model or data, or the methods are worth something else by now.
    """
    check_kinds(content, CONTENT)
    found = (content.get("format"), content["model"], content["data"])
    if found != (FORMAT, model.fingerprint, series_set.fingerprint):
        raise ValueError("of another format, model or set")
    indices, predicted = (np.array(content[name], dtype=np.int64) for name in ("indices", "predicted"))
    _check(len(indices) == len(predicted), "labels")
    _check((indices < len(series_set)).all() and (predicted < len(model.class_names)).all(), "series")
    _check(bool(content["classes"]), "classes")
    return Answer(
        classes=tuple(_class(one, model, series_set) for one in content["classes"]),
        part=content["part"],
        indices=indices,
        true=labels_for(model, series_set)[indices],
        predicted=predicted,
        time_title=series_set.time_unit,
        channel_names=series_set.channel_names,
    )


def _class_to_json(told: ClassAnswer, channel_names: tuple[str, ...]) -> dict[str, Any]:
    names = ("label", "method", "level", "in_one_place", "n_series", "axis", "n_met", "n_marked")
    return {
        **{name: getattr(told, name) for name in names},
        "where": asdict(told.where),
        "channel": None if told.channel is None else channel_names.index(told.channel),
        "shares": rounded(np.array(told.shares)),
        "times": rounded(told.times, 9),
        "signal": [rounded(row) for row in told.signal],
        "importance": [rounded(row) for row in told.importance],
        "truth": rounded(told.truth),
        "examples": [
            {"index": one.index, "importance": [rounded(row) for row in one.importance]} for one in told.examples
        ],
    }


def _class(content: dict[str, Any], model: TrainedModel, series_set: SeriesSet) -> ClassAnswer:
    label, n_channels = content["label"], series_set.n_channels
    _check(label < len(model.class_names), "label")
    worth = (content["method"], content["level"], content["in_one_place"])
    _check(worth == method_for(model, known_ranking(model, series_set), model.class_names[label]), "worth")
    times, signal = np.array(content["times"], dtype=np.float64), _rows(content["signal"])
    importance, truth = _rows(content["importance"]), np.array(content["truth"], dtype=np.float64)
    _check(signal.shape == (n_channels, len(times)) and len(times) > 0, "signal")
    _check(importance.shape in ((1, len(times)), signal.shape) and truth.shape in ((0,), times.shape), "importance")
    _check(content["channel"] is None or content["channel"] < n_channels, "channel")
    _check(len(content["shares"]) in (0, n_channels), "shares")
    where = content["where"]
    _check(all(len(span) == 2 for span in where["spans"]), "spans")
    return ClassAnswer(
        label=label,
        name=model.class_names[label],
        method=worth[0],
        level=worth[1],
        in_one_place=worth[2],
        n_series=content["n_series"],
        where=Where(where["kind"], tuple((first, last) for first, last in where["spans"]), where["width"]),
        channel=None if content["channel"] is None else series_set.channel_names[content["channel"]],
        shares=tuple(content["shares"]),
        axis=content["axis"],
        times=times,
        signal=signal,
        importance=importance,
        truth=truth,
        examples=tuple(_example(one, model, series_set, label) for one in content["examples"]),
        n_met=content["n_met"],
        n_marked=content["n_marked"],
        unit=series_set.axis.length,
        n_channels=n_channels,
    )


def _example(content: dict[str, Any], model: TrainedModel, series_set: SeriesSet, label: int) -> Example:
    index, importance = content["index"], _rows(content["importance"])
    _check(index < len(series_set), "example")
    shape = series_set.series[index].shape
    _check(importance.shape in ((1, shape[1]), shape), "example")
    return example_of(model, series_set, label, index, importance)


def _rows(content: list[list[float | None]]) -> DoubleArray:
    rows: DoubleArray = np.array(content, dtype=np.float64)
    _check(rows.ndim == 2, "rows")
    return rows


def _check(fits: bool | np.bool_, what: str) -> None:
    if not fits:
        raise ValueError(f"{what}: not of this model and set")
