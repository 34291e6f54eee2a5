"""Where sets come from: how each kind is listed, and how a reference to one becomes a loader.

A new source is a function that lists its entries and one that finds a loader; both go into ``SOURCES``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from timemil_core import workspace
from timemil_core.data import archive, store
from timemil_core.data.bundled import BUNDLED, load_bundled
from timemil_core.data.catalogue.entry import Entry, known_entry
from timemil_core.data.files.source import from_path
from timemil_core.data.known_sets import KNOWN
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.synthetic import distractor_set, pulse_set
from timemil_core.data.ts_files import TsHeader, peek_header
from timemil_core.errors import DataError

Loader = Callable[[], SeriesSet]

SYNTHETIC: dict[str, tuple[Loader, Entry]] = {
    "synthetic-pulse": (
        pulse_set,
        Entry(
            "synthetic-pulse",
            "Synthetic pulse",
            "synthetic",
            "The paper's own: noise, and in one class a loud pulse. Where it lies is known.",
            *(200, 100, 1, 120, 120, 2, True),
            domain="simulated",
        ),
    ),
    "synthetic-distractor": (
        distractor_set,
        Entry(
            "synthetic-distractor",
            "Synthetic distractor",
            "synthetic",
            "A smooth pattern at any position among bursts that are louder and mean nothing. Where it lies is known.",
            *(240, 120, 3, 120, 200, 2, True),
            domain="simulated",
        ),
    ),
}
ELSEWHERE = {"WebTraffic": "https://github.com/JAEarly/MILTimeSeriesClassification"}


def _synthetic_entries() -> Iterator[Entry]:
    return (entry for _, entry in SYNTHETIC.values())


def _find_synthetic(reference: str) -> Loader | None:
    return SYNTHETIC[reference][0] if reference in SYNTHETIC else None


def _bundled_entries() -> Iterator[Entry]:
    return (known_entry(name, "bundled", available=True) for name in BUNDLED)


def _find_bundled(reference: str) -> Loader | None:
    return (lambda: load_bundled(reference)) if reference in BUNDLED else None


def _local_folders() -> dict[str, Path]:
    """Return the complete sets of ``$TIMEMIL_DATA_DIR`` and of aeon's cache, by name; the former wins."""
    found: dict[str, Path] = {}
    for root in (workspace.local_archive_folder(), archive.cache_folder()):
        if root is None or not root.is_dir():
            continue
        names = sorted(path.name for path in root.iterdir() if workspace.SAFE_NAME.fullmatch(path.name))
        for name in names:
            folder = archive.set_folder(root, name)
            if folder is not None:
                found.setdefault(name, folder)
    return found


def _local_entries() -> Iterator[Entry]:
    for name, folder in _local_folders().items():
        if name in KNOWN:
            yield known_entry(name, "local", available=True)
        else:
            yield _peeked_entry(name, peek_header(from_path(folder / f"{name}_TRAIN.ts")))


def _peeked_entry(name: str, header: TsHeader) -> Entry:
    return Entry(
        reference=name,
        title=name,
        kind="local",
        summary="A set in .ts files on this machine.",
        n_train=None,
        n_test=None,
        n_channels=header.n_channels,
        shortest=header.length,
        longest=header.length,
        n_classes=len(header.class_names) or None,
        available=True,
    )


def _find_local(reference: str) -> Loader | None:
    folder = _local_folders().get(reference)
    return None if folder is None else (lambda: archive.read_folder(folder, reference))


def _uploaded_entries() -> Iterator[Entry]:
    for reference in store.kept():
        facts = store.kept_facts(reference)
        numbers = re.findall(r"\d+", str(facts.get("length", "")))
        lengths: list[int | None] = [int(number) for number in numbers] or [None]
        yield Entry(
            reference=reference,
            title=str(facts.get("name", reference)),
            kind="uploaded",
            summary="Uploaded on this machine.",
            n_train=_whole(facts, "n_train"),
            n_test=_whole(facts, "n_test"),
            n_channels=_whole(facts, "n_channels"),
            shortest=lengths[0],
            longest=lengths[-1],
            n_classes=_whole(facts, "n_classes"),
            available=True,
        )


def _whole(facts: dict[str, Any], key: str) -> int | None:
    value = facts.get(key)
    return value if isinstance(value, int) else None


def _find_uploaded(reference: str) -> Loader | None:
    return (lambda: store.read_kept(reference)) if reference.startswith(store.UPLOAD_PREFIX) else None


def _archive_entries() -> Iterator[Entry]:
    return (known_entry(name, "archive", available=False) for name, known in KNOWN.items() if known.archive != "MILLET")


def _find_archive(reference: str) -> Loader | None:
    return (lambda: archive.load_archive(reference)) if archive.downloadable(reference) else None


def _elsewhere_entries() -> Iterator[Entry]:
    return (known_entry(name, "elsewhere", available=False) for name in ELSEWHERE)


def _find_elsewhere(reference: str) -> Loader | None:
    def refuse() -> SeriesSet:
        raise DataError("This set cannot be downloaded from here.", where=reference, remedy=by_hand(reference))

    return refuse if reference in ELSEWHERE else None


def by_hand(reference: str) -> str:
    """Return how a set that cannot be downloaded comes onto this machine."""
    folder = (workspace.local_archive_folder() or archive.cache_folder()) / reference
    return (
        f"Get its .ts files and the metadata files beside them from {ELSEWHERE[reference]}, and put all into {folder}."
    )


class Source(NamedTuple):
    """How one kind of set is listed, and how a reference to it becomes a loader (None: not of this kind).

    ``downloads`` tells that the loader may fetch the set from a server.
    """

    entries: Callable[[], Iterator[Entry]]
    find: Callable[[str], Loader | None]
    downloads: bool = False


# a set that several sources know is the earliest's
SOURCES = (
    Source(_synthetic_entries, _find_synthetic),
    Source(_bundled_entries, _find_bundled),
    Source(_uploaded_entries, _find_uploaded),
    Source(_local_entries, _find_local),
    Source(_archive_entries, _find_archive, downloads=True),
    Source(_elsewhere_entries, _find_elsewhere),
)
