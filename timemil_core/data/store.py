"""A ``SeriesSet`` on disk: a folder of arrays (safetensors), names and facts (JSON); the shelf of uploaded sets.

Series of unequal lengths lie one behind the other in a single array; ``lengths`` cuts them apart again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from timemil_core import workspace
from timemil_core.atomic import read_json, replacing_folder, write_json
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError
from timemil_core.naming import checked_name

ARRAYS_FILE = "arrays.safetensors"
NAMES_FILE = "set.json"
FACTS_FILE = "facts.json"  # a few numbers for lists of sets: set.json grows with the number of series
FORMAT = 1
UPLOAD_PREFIX = "upload-"
REMEDY = "Upload the file again."


def write_series_set(series_set: SeriesSet, folder: Path) -> None:
    """Write a set to ``folder``, replacing what was there in one step."""
    arrays = {
        "values": np.concatenate([values.ravel() for values in series_set.series]),
        "lengths": series_set.lengths,
        "labels": series_set.labels.astype(np.int64),
        "is_test": series_set.split == "test",
    }
    if series_set.instance_labels is not None:
        arrays["instance_labels"] = np.concatenate(series_set.instance_labels)
    if series_set.timestamps is not None:
        arrays["timestamps"] = np.concatenate(series_set.timestamps.values)
    with replacing_folder(folder) as beside:
        save_file({key: np.ascontiguousarray(array) for key, array in arrays.items()}, beside / ARRAYS_FILE)
        write_json(beside / NAMES_FILE, _names(series_set))
        write_json(beside / FACTS_FILE, _facts(series_set))


def _facts(series_set: SeriesSet) -> dict[str, Any]:
    shortest, longest = int(series_set.lengths.min()), int(series_set.lengths.max())
    return {
        "name": series_set.name,
        "n_train": len(series_set.indices("train")),
        "n_test": len(series_set.indices("test")),
        "n_channels": series_set.n_channels,
        "length": str(longest) if shortest == longest else f"{shortest} to {longest}",
        "n_classes": series_set.n_classes,
    }


def _names(series_set: SeriesSet) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": series_set.name,
        "fingerprint": series_set.fingerprint,
        "class_names": series_set.class_names,
        "channel_names": series_set.channel_names,
        "sampling_rate": series_set.sampling_rate,
        "provenance": series_set.provenance,
        "series_ids": series_set.series_ids,
        "groups": series_set.groups,
        "timestamp_unit": None if series_set.timestamps is None else series_set.timestamps.unit,
    }


def read_series_set(folder: Path) -> SeriesSet:
    """Read a set that ``write_series_set`` wrote; equal in every value and name.

    Raises
    ------
    DataError
        Where the folder is absent, incomplete, or holds something else than was written.
    """
    try:
        names = read_json(folder / NAMES_FILE)
        arrays = load_file(folder / ARRAYS_FILE)
        series_set = _joined(names, arrays)
        written = names["fingerprint"]
    except FileNotFoundError as error:
        raise DataError("There is no stored data set here.", where=folder.name, remedy=REMEDY) from error
    except (OSError, json.JSONDecodeError, UnicodeDecodeError, SafetensorError) as error:
        raise _damaged(folder, str(error)) from error
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise _damaged(folder, repr(error)) from error
    if series_set.fingerprint != written:
        raise _damaged(folder, "its content is not what was written")
    return series_set


def _damaged(folder: Path, reason: str) -> DataError:
    return DataError(f"The stored data set is damaged ({reason}).", where=folder.name, remedy=REMEDY)


def _joined(names: dict[str, Any], arrays: dict[str, np.ndarray[Any, Any]]) -> SeriesSet:
    if names["format"] != FORMAT:
        raise ValueError(f"format {names['format']!r}, expected {FORMAT}")
    n_channels = len(names["channel_names"])
    ends = np.cumsum(arrays["lengths"])
    pieces = np.split(arrays["values"], ends[:-1] * n_channels)
    truth, times = arrays.get("instance_labels"), arrays.get("timestamps")
    groups = names.get("groups")  # sets of before 2026-11-28 name none
    return SeriesSet(
        name=names["name"],
        series=tuple(piece.reshape(n_channels, -1) for piece in pieces),
        labels=arrays["labels"],
        class_names=tuple(names["class_names"]),
        series_ids=tuple(names["series_ids"]),
        channel_names=tuple(names["channel_names"]),
        split=np.where(arrays["is_test"], "test", "train"),
        sampling_rate=names["sampling_rate"],
        instance_labels=None if truth is None else tuple(np.split(truth, ends[:-1])),
        provenance=tuple(names["provenance"]),
        groups=None if groups is None else tuple(groups),
        timestamps=None if times is None else Timestamps(tuple(np.split(times, ends[:-1])), names["timestamp_unit"]),
    )


def keep(series_set: SeriesSet) -> str:
    """Store an uploaded set in the workspace and return its reference, ``upload-<fingerprint>``.

    The same content keeps its reference; the name and the provenance are those of the latest upload.
    """
    reference = f"{UPLOAD_PREFIX}{series_set.fingerprint}"
    write_series_set(series_set, workspace.child(workspace.datasets_folder(), reference))
    return reference


def kept() -> list[str]:
    """Return the references of the uploaded sets, the latest first."""
    folder = workspace.datasets_folder()
    if not folder.is_dir():
        return []
    stored = [path for path in folder.glob(f"{UPLOAD_PREFIX}*") if (path / NAMES_FILE).is_file()]
    stored.sort(key=lambda path: ((path / NAMES_FILE).stat().st_mtime_ns, path.name), reverse=True)
    return [path.name for path in stored]


def read_kept(reference: str) -> SeriesSet:
    """Read an uploaded set by its reference, which may come from a URL.

    Raises
    ------
    SettingsError
        Where the reference could lead out of the workspace.
    DataError
        Where the set is not there or is damaged.
    """
    return read_series_set(workspace.child(workspace.datasets_folder(), reference))


def rename(reference: str, text: str) -> None:
    """Give an uploaded set another name; its content and its reference stay.

    Raises
    ------
    SettingsError
        Where the text cannot be a name, or the reference could lead out of the workspace.
    DataError
        Where the set is not there or is damaged.
    StorageError
        Where there is no room.
    """
    name = checked_name(text)
    folder = workspace.child(workspace.datasets_folder(), reference)
    for file in (NAMES_FILE, FACTS_FILE):
        try:
            content = read_json(folder / file)
        except FileNotFoundError as error:
            raise DataError("There is no stored data set here.", where=reference, remedy=REMEDY) from error
        except (OSError, ValueError) as error:
            raise _damaged(folder, str(error)) from error
        if not isinstance(content, dict):
            raise _damaged(folder, f"{file} holds no object")
        write_json(folder / file, {**content, "name": name})


def kept_facts(reference: str) -> dict[str, Any]:
    """Return an uploaded set's name, sizes and classes without reading it; empty where they cannot be read."""
    try:
        facts = read_json(workspace.child(workspace.datasets_folder(), reference) / FACTS_FILE)
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}
