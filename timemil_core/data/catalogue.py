"""Every set that can be opened, under the reference by which a URL, a run or a command names it.

A new source is a function that lists its entries and one that finds a loader; both go into ``SOURCES``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from timemil_core import workspace
from timemil_core.data import archive, store
from timemil_core.data.bundled import BUNDLED, load_bundled
from timemil_core.data.known_sets import KNOWN, UEA
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.synthetic import distractor_set, pulse_set
from timemil_core.data.ts_files import TsHeader, peek_header
from timemil_core.errors import DataError

Kind = Literal["synthetic", "bundled", "local", "archive", "uploaded"]
Loader = Callable[[], SeriesSet]


@dataclass(frozen=True)
class Entry:
    """One set of the catalogue; a fact that is not known without reading the set is None or empty.

    ``length`` is in time points, as text (lengths may differ); ``available`` tells whether the set is on this
    machine, without a download.
    """

    reference: str
    title: str
    kind: Kind
    summary: str
    n_train: int | None
    n_test: int | None
    n_channels: int | None
    length: str
    n_classes: int | None
    available: bool
    domain: str = ""


SYNTHETIC: dict[str, tuple[Loader, Entry]] = {
    "synthetic-pulse": (
        pulse_set,
        Entry(
            "synthetic-pulse",
            "Synthetic pulse",
            "synthetic",
            "The paper's own: noise, and in one class a loud pulse. Where it lies is known.",
            *(200, 100, 1, "120", 2, True),
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
            *(240, 120, 3, "120 to 200", 2, True),
            domain="simulated",
        ),
    ),
}


def _synthetic_entries() -> Iterator[Entry]:
    return (entry for _, entry in SYNTHETIC.values())


def _find_synthetic(reference: str) -> Loader | None:
    return SYNTHETIC[reference][0] if reference in SYNTHETIC else None


def _known_entry(name: str, kind: Kind, available: bool) -> Entry:
    known = KNOWN[name]
    sizes = (known.n_train, known.n_test, known.n_channels, known.length, known.n_classes)
    return Entry(name, name, kind, known.summary, *sizes, available, domain=known.domain)


def _bundled_entries() -> Iterator[Entry]:
    return (_known_entry(name, "bundled", True) for name in BUNDLED)


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
            yield _known_entry(name, "local", True)
        else:
            yield _peeked_entry(name, peek_header(folder / f"{name}_TRAIN.ts"))


def _peeked_entry(name: str, header: TsHeader) -> Entry:
    return Entry(
        reference=name,
        title=name,
        kind="local",
        summary="A set in .ts files on this machine.",
        n_train=None,
        n_test=None,
        n_channels=header.n_channels,
        length=str(header.length) if header.length else "",
        n_classes=len(header.class_names) or None,
        available=True,
    )


def _find_local(reference: str) -> Loader | None:
    folder = _local_folders().get(reference)
    return None if folder is None else (lambda: archive.read_folder(folder, reference))


def _uploaded_entries() -> Iterator[Entry]:
    for reference in store.kept():
        facts = store.kept_facts(reference)
        yield Entry(
            reference=reference,
            title=str(facts.get("name", reference)),
            kind="uploaded",
            summary="Uploaded on this machine.",
            n_train=_whole(facts, "n_train"),
            n_test=_whole(facts, "n_test"),
            n_channels=_whole(facts, "n_channels"),
            length=str(facts.get("length", "")),
            n_classes=_whole(facts, "n_classes"),
            available=True,
        )


def _whole(facts: dict[str, Any], key: str) -> int | None:
    value = facts.get(key)
    return value if isinstance(value, int) else None


def _find_uploaded(reference: str) -> Loader | None:
    return (lambda: store.read_kept(reference)) if reference.startswith(store.UPLOAD_PREFIX) else None


def _archive_entries() -> Iterator[Entry]:
    return (_known_entry(name, "archive", False) for name in UEA)


def _find_archive(reference: str) -> Loader | None:
    return (lambda: archive.load_archive(reference)) if archive.downloadable(reference) else None


class Source(NamedTuple):
    """How one kind of set is listed, and how a reference to it becomes a loader (None: not of this kind)."""

    entries: Callable[[], Iterator[Entry]]
    find: Callable[[str], Loader | None]


# a set that several sources know is the earliest's
SOURCES = (
    Source(_synthetic_entries, _find_synthetic),
    Source(_bundled_entries, _find_bundled),
    Source(_uploaded_entries, _find_uploaded),
    Source(_local_entries, _find_local),
    Source(_archive_entries, _find_archive),
)


def entries() -> list[Entry]:
    """List every set once: those on this machine first, then those that can be downloaded. Reads no values."""
    listed: dict[str, Entry] = {}
    for source in SOURCES:
        for entry in source.entries():
            listed.setdefault(entry.reference, entry)
    return list(listed.values())


def load(reference: str) -> SeriesSet:
    """Load a set by its reference, downloading it where it is not on this machine.

    Raises
    ------
    DataError
        Where there is no such set (says which are spelt alike), or it cannot be read or downloaded.
    """
    return find(reference)()


def find(reference: str) -> Loader:
    """Return what loads a set, which is not loaded yet.

    Raises
    ------
    DataError
        Where there is no such set (says which are spelt alike).
    """
    if workspace.SAFE_NAME.fullmatch(reference) is None:
        raise _unknown(reference)
    for source in SOURCES:
        loader = source.find(reference)
        if loader is not None:
            return loader
    raise _unknown(reference)


def _unknown(reference: str) -> DataError:
    by_lower_case = {entry.reference.lower(): entry.reference for entry in entries()}
    alike = difflib.get_close_matches(reference[:80].lower(), by_lower_case, n=3)
    hint = f"Did you mean {' or '.join(by_lower_case[name] for name in alike)}?" if alike else ""
    return DataError(f"There is no data set {reference[:80]!r}.", remedy=hint or "Choose one from the list of sets.")
