"""Every set that can be opened, under the reference by which a URL, a run or a command names it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from timemil_core import workspace
from timemil_core.data.catalogue.entry import Entry, Kind
from timemil_core.data.catalogue.sources import SOURCES, Loader
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import AbsentDataError, DataError

__all__ = ["Entry", "Kind", "Loader", "entries", "find", "load", "matching"]


def entries() -> list[Entry]:
    """List every set once: those on this machine first, then those that can be downloaded. Reads no values."""
    listed: dict[str, Entry] = {}
    for source in SOURCES:
        for entry in source.entries():
            listed.setdefault(entry.reference, entry)
    return list(listed.values())


def matching(listed: Sequence[Entry], words: str) -> list[Entry]:
    """Return the entries in whose name, domain, archive or summary every one of the words occurs."""
    wanted = words.casefold().split()
    return [entry for entry in listed if all(word in _searched(entry) for word in wanted)]


def _searched(entry: Entry) -> str:
    known = entry.known
    archive = f"{known.archive} {'multivariate' if known.n_channels > 1 else 'univariate'}" if known else entry.kind
    return " ".join((entry.reference, entry.title, entry.domain, archive, entry.summary)).casefold()


def load(reference: str, *, may_download: bool = True) -> SeriesSet:
    """Load a set by its reference; where it is not on this machine, download it, or refuse to.

    Raises
    ------
    DataError
        Where there is no such set (says which are spelt alike), or it cannot be read or downloaded.
    """
    return find(reference, may_download=may_download)()


def find(reference: str, *, may_download: bool = True) -> Loader:
    """Return what loads a set, which is not loaded yet.

    Raises
    ------
    DataError
        Where there is no such set (says which are spelt alike).
    AbsentDataError
        Where it must be downloaded and may not.
    """
    if workspace.SAFE_NAME.fullmatch(reference) is None:
        raise _unknown(reference)
    for source in SOURCES:
        loader = source.find(reference)
        if loader is None:
            continue
        if source.downloads and not may_download:
            raise AbsentDataError(reference)
        return loader
    raise _unknown(reference)


def _unknown(reference: str) -> DataError:
    by_lower_case = {entry.reference.lower(): entry.reference for entry in entries()}
    alike = difflib.get_close_matches(reference[:80].lower(), by_lower_case, n=3)
    hint = f"Did you mean {' or '.join(by_lower_case[name] for name in alike)}?" if alike else ""
    return DataError(f"There is no data set {reference[:80]!r}.", remedy=hint or "Choose one from the list of sets.")
