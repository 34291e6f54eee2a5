"""An atlas made once and kept: beside a shipped model, or on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.atomic import read_json, write_json
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.keeping import kept_at, rounded
from timemil_core.explain.motifs.motif import Atlas, DoubleArray, Motif, Occurrence, Presence, Removal
from timemil_core.models.trained import TrainedModel

ATLAS_FILE = "atlas.json"
FORMAT = 1


def keep_atlas(
    atlas: Atlas, model: TrainedModel, series_set: SeriesSet, method: str, folder: Path | None = None
) -> None:
    """Keep an atlas that was made by ``method``: in a model's own folder, by default on this machine.

    Raises
    ------
    StorageError
        Where there is no room, or the folder may not be written to.
    """
    path = kept_at(model, series_set, ATLAS_FILE, folder)[0]
    write_json(path, {**_key(model, series_set, method, atlas.window), "atlas": _written(atlas)})


def known_atlas(
    model: TrainedModel, series_set: SeriesSet, method: str, window: int, folder: Path | None = None
) -> Atlas | None:
    """Return the atlas of this model, data, method and window, where it was kept in its folder or on this machine.

    None too where the file is damaged, of other data or of another version of the program.
    """
    for path in kept_at(model, series_set, ATLAS_FILE, folder):
        try:
            content = read_json(path)
            if not isinstance(content, dict) or {**content, "atlas": None} != {
                **_key(model, series_set, method, window),
                "atlas": None,
            }:
                continue
            return _read(content["atlas"], len(series_set), len(model.class_names), len(model.channel_names))
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            continue
    return None


def _key(model: TrainedModel, series_set: SeriesSet, method: str, window: int) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "model": model.fingerprint,
        "data": series_set.fingerprint,
        "method": method,
        "window": window,
    }


def _written(atlas: Atlas) -> dict[str, Any]:
    return {"window": atlas.window, "notes": list(atlas.notes), "motifs": [_motif(one) for one in atlas.motifs]}


def _motif(motif: Motif) -> dict[str, Any]:
    written = {name: write(getattr(motif, name)) for name, (write, _) in _PARTS.items()}
    written["held_out"] = None if motif.held_out is None else _removal(motif.held_out)
    return written


def _read(content: Any, n_series: int, n_classes: int, n_channels: int) -> Atlas:
    motifs = []
    for one in content["motifs"]:
        parts: dict[str, Any] = {name: read(one[name]) for name, (_, read) in _PARTS.items()}
        parts["held_out"] = None if one["held_out"] is None else _read_removal(one["held_out"])
        motif = Motif(**parts)
        _check(motif, n_series, n_classes, n_channels)
        motifs.append(motif)
    return Atlas(tuple(motifs), int(content["window"]), tuple(str(note) for note in content["notes"]))


def _check(motif: Motif, n_series: int, n_classes: int, n_channels: int) -> None:
    shape = (n_channels, len(motif.times))
    fits = (
        0 <= motif.target < n_classes
        and all(part.shape == shape for part in (motif.mean, motif.low, motif.high))
        and motif.channels.shape == (n_channels,)
        and len(motif.members) > 0
        and all(0 <= one.series < n_series and 0 <= one.start < one.stop for one in (*motif.members, *motif.matches))
    )
    if not fits:
        raise ValueError("an atlas of other data")


def _array(values: DoubleArray) -> Any:
    return [_array(row) for row in values] if values.ndim > 1 else rounded(values)


def _read_array(content: Any) -> DoubleArray:
    return np.array(content, dtype=np.float64)  # None becomes NaN


def _spans(spans: tuple[Occurrence, ...]) -> list[list[int]]:
    return [[one.series, one.start, one.stop] for one in spans]


def _read_spans(content: Any) -> tuple[Occurrence, ...]:
    return tuple(Occurrence(int(series), int(start), int(stop)) for series, start, stop in content)


def _presence(presence: Mapping[str, Presence]) -> dict[str, list[int]]:
    return {name: [one.found, one.of] for name, one in presence.items()}


def _read_presence(content: Any) -> dict[str, Presence]:
    return {str(name): Presence(int(found), int(of)) for name, (found, of) in content.items()}


def _removal(removal: Removal) -> dict[str, Any]:
    return {"falls": _array(removal.falls), "random": _array(removal.random)}


def _read_removal(content: Any) -> Removal:
    falls, random = _read_array(content["falls"]), _read_array(content["random"])
    if falls.ndim != 1 or random.shape[:1] != falls.shape or random.ndim != 2:
        raise ValueError("a removal of other shapes")
    return Removal(falls, random)


def _pair(content: Any) -> tuple[float, float]:
    first, last = content
    return float(first), float(last)


_PARTS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "target": (int, int),
    "place": (int, int),
    "n_places": (int, int),
    "members": (_spans, _read_spans),
    "times": (_array, _read_array),
    "core": (list, _pair),
    "mean": (_array, _read_array),
    "low": (_array, _read_array),
    "high": (_array, _read_array),
    "presence": (_presence, _read_presence),
    "threshold": (float, float),
    "matches": (_spans, _read_spans),
    "channels": (_array, _read_array),
    "removal": (_removal, _read_removal),
    "sentence": (str, str),
    "presence_sentence": (str, str),
}
"""How each part of a motif is written and read; ``held_out`` may be absent."""
