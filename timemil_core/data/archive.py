"""Any set of the UEA and UCR archives, through aeon's download, kept on this machine."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from timemil_core import workspace
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.ts_files import read_ts
from timemil_core.errors import DataError

CACHE_VARIABLE = "AEON_DATA"


def cache_folder() -> Path:
    """Return where downloads are kept: aeon's own place, ``$AEON_DATA`` or ``~/aeon_data``."""
    return Path(os.environ.get(CACHE_VARIABLE) or Path.home() / "aeon_data").expanduser()


def set_folder(folder: Path, name: str) -> Path | None:
    """Return ``folder / name`` where it holds both ``.ts`` files of the set, else None."""
    inside = workspace.child(folder, name)
    complete = all((inside / f"{name}_{part}.ts").is_file() for part in ("TRAIN", "TEST"))
    return inside if complete else None


def read_folder(folder: Path, name: str) -> SeriesSet:
    """Read ``NAME_TRAIN.ts`` and ``NAME_TEST.ts`` of a folder."""
    return read_ts(folder / f"{name}_TRAIN.ts", folder / f"{name}_TEST.ts", name=name)


def downloadable(name: str) -> bool:
    """Tell whether aeon knows where to download a set of this name."""
    from aeon.datasets.tsc_datasets import tsc_zenodo

    return name in tsc_zenodo


def load_archive(name: str) -> SeriesSet:
    """Load a set, downloading it at the first time; a failed download leaves nothing behind.

    Raises
    ------
    DataError
        Where the name is unknown to aeon, or the download fails: says where to put the files by hand.
    """
    if not downloadable(name):
        raise DataError(f"aeon knows no set {name!r} to download.")
    if set_folder(cache_folder(), name) is None:
        _download(name)
    return read_folder(cache_folder() / name, name)


def _download(name: str) -> None:
    from aeon.datasets import load_classification

    with _beside_cache() as beside:
        try:
            load_classification(name, split="train", extract_path=str(beside))
            (beside / name).replace(cache_folder() / name)
        except (OSError, ValueError) as error:
            raise DataError(
                f"The set could not be downloaded ({_root_cause(error)}).", where=name, remedy=_by_hand(name)
            ) from error


@contextmanager
def _beside_cache() -> Iterator[Path]:
    """Yield a new folder in the cache's own file system, and remove it with whatever is left in it."""
    cache = cache_folder()
    is_new = not cache.exists()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        beside = cache / f".download.{secrets.token_hex(4)}"
        beside.mkdir()
    except OSError as error:
        raise DataError(
            f"Downloads cannot be kept in {cache} ({error.strerror}).",
            remedy=f"Set {CACHE_VARIABLE} to a folder that can be written to.",
        ) from error
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if is_new and not any(cache.iterdir()):
            cache.rmdir()


def _root_cause(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return f"{type(error).__name__}: {error}"


def _by_hand(name: str) -> str:
    return (
        "Connect to the internet and try again, or get the files from https://www.timeseriesclassification.com, "
        f"put them at NAME/NAME_TRAIN.ts and NAME/NAME_TEST.ts (NAME = {name}) in a folder, and set "
        f"{workspace.DATA_VARIABLE} to that folder before the start."
    )
