"""A set at Zenodo, where each has a record of its own; aeon knows the records' numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from timemil_core.atomic import read_json
from timemil_core.data.archive.folders import file_names
from timemil_core.data.archive.transfer import Progress, TransferError, check_room, save
from timemil_core.data.bundled import aeon_datasets
from timemil_core.data.limits import limits

RECORDS = "https://zenodo.org/api/records"
LARGEST_RECORD = 5_000_000  # bytes of its description


def record_number(name: str) -> int | None:
    """Return the number of a set's record; None where aeon knows none."""
    return _record_numbers().get(name)


@cache
def _record_numbers() -> dict[str, int]:
    """Return aeon's table. Its file is run alone: importing the package it is in takes seconds."""
    spec = spec_from_file_location("_aeon_tsc_datasets", aeon_datasets() / "tsc_datasets.py")
    if spec is None or spec.loader is None:
        return {}
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.tsc_zenodo)


@dataclass(frozen=True)
class RemoteFile:
    """A file of a record: its address, size in bytes, and MD5 sum where one is stated."""

    name: str
    url: str
    size: int
    md5: str | None


def from_zenodo(name: str, beside: Path, progress: Progress) -> None:
    """Put both ``.ts`` files of a set into ``beside``; what arrives is what the record says.

    Raises
    ------
    TransferError
        Where the record or a file cannot be had, or is damaged.
    """
    files = _files(name, beside, progress)
    total = sum(file.size for file in files)
    check_room(total, beside, limits().archive_bytes, name)
    progress.begin("loading from zenodo.org", total)
    for file in files:
        save(file.url, beside / file.name, progress, most_bytes=file.size)
        _check(beside / file.name, file)


def _files(name: str, beside: Path, progress: Progress) -> list[RemoteFile]:
    progress.begin("asking zenodo.org", None)
    description = beside / "record.json"
    save(f"{RECORDS}/{record_number(name)}", description, progress, most_bytes=LARGEST_RECORD)
    try:
        listed = {entry["key"]: _file(entry) for entry in read_json(description)["files"]}
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise TransferError("zenodo.org describes the set in a way that is not understood") from error
    missing = [file for file in file_names(name) if file not in listed]
    if missing:
        raise TransferError(f"zenodo.org has no {missing[0]}")
    return [listed[file] for file in file_names(name)]


def _file(entry: dict[str, Any]) -> RemoteFile:
    kind, _, digest = str(entry.get("checksum", "")).partition(":")
    return RemoteFile(entry["key"], entry["links"]["self"], int(entry["size"]), digest if kind == "md5" else None)


def _check(path: Path, file: RemoteFile) -> None:
    if path.stat().st_size != file.size:
        raise TransferError(f"{file.name} arrived with {path.stat().st_size:,} bytes instead of {file.size:,}")
    if file.md5 is None:
        return
    with path.open("rb") as content:
        found = hashlib.file_digest(content, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    if found != file.md5:
        raise TransferError(f"{file.name} arrived damaged: its MD5 sum is another")
