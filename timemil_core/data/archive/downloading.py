"""A set of the archive onto this machine: whole, or not at all.

aeon knows where the sets lie and reads them. Its own download tells nothing while it runs, cannot be stopped, takes
any size, writes to whatever names the server gives, and leaves half of a set behind when it fails; so we fetch.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from timemil_core.data.archive.folders import beside_cache, cache_folder, file_names, keep, set_folder
from timemil_core.data.archive.transfer import Progress, TransferError, host_of
from timemil_core.data.archive.zenodo import from_zenodo, record_number
from timemil_core.data.archive.zipped import ARCHIVE, from_zip, mirror
from timemil_core.errors import DataError

HEADER_LINES, LONGEST_LINE = 2000, 1_000_000


class Fetch(Protocol):
    """Puts both ``.ts`` files of a set into a folder, or raises TransferError."""

    def __call__(self, name: str, beside: Path, progress: Progress) -> None:
        """Fetch the set ``name`` into ``beside``."""


class Place(NamedTuple):
    """One place that has the archive's sets."""

    host: str
    fetch: Fetch


def places() -> tuple[Place, ...]:
    """Return where to ask, in order: the mirror alone where one is set, else Zenodo, then the archive's own site."""
    if address := mirror():
        return (Place(host_of(address), partial(from_zip, address)),)
    return Place("zenodo.org", from_zenodo), Place(host_of(ARCHIVE), partial(from_zip, ARCHIVE))


def downloadable(name: str) -> bool:
    """Tell whether aeon knows where to download a set of this name."""
    return record_number(name) is not None


def download(name: str, progress: Progress | None = None) -> Path:
    """Bring a set onto this machine, where it is not yet, and return its folder.

    It grows in a folder beside the cache, is checked, and takes its place in one step. Whatever happens before (a dead
    server, a cut connection, no room on the disk, a stop, which ``progress.report`` raises), nothing is left behind.

    Raises
    ------
    DataError
        Where the name is unknown to aeon, or no place could give the set: says why, and where to put it by hand.
    """
    if not downloadable(name):
        raise DataError(f"aeon knows no set {name!r} to download.")
    if (there := set_folder(cache_folder(), name)) is not None:
        return there
    progress = progress or Progress()
    failures = []
    with beside_cache() as beside:
        for place in places():
            try:
                place.fetch(name, beside, progress)
                for file in file_names(name):
                    _check_is_ts(beside / file)
                return keep(beside, name)
            except TransferError as error:
                failures.append(str(error))
    raise DataError(f"The set could not be downloaded: {'; '.join(failures)}.", where=name, remedy=by_hand(name))


def by_hand(name: str) -> str:
    """Return what a person can do where a download fails."""
    train, test = file_names(name)
    return (
        f"Try again later; or get {train} and {test} elsewhere, from {page_of(name)}, and put both into "
        f"{cache_folder() / name}."
    )


def page_of(name: str) -> str:
    """Return the address of the archive's page about a set."""
    return f"https://www.timeseriesclassification.com/description.php?Dataset={name}"


def _check_is_ts(path: Path) -> None:
    """Refuse a file without a header and a first series: a server's error page, for one."""
    with path.open("rb") as file:
        for _ in range(HEADER_LINES):
            line = file.readline(LONGEST_LINE)
            if line.strip().lower() == b"@data" and file.readline(LONGEST_LINE).strip():
                return
    raise TransferError(f"what came as {path.name} is not a .ts file")
