"""Where the archive's sets lie on this machine, and the room beside them in which a download grows."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from timemil_core import workspace
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.ts_files import read_ts
from timemil_core.errors import DataError

CACHE_VARIABLE = "AEON_DATA"
BESIDE = ".download."
SILENCE_OF_THE_DEAD = 24 * 3600.0  # seconds without a byte after which a download's folder is nobody's


def cache_folder() -> Path:
    """Return where downloads are kept: aeon's own place, ``$AEON_DATA`` or ``~/aeon_data``."""
    return Path(os.environ.get(CACHE_VARIABLE) or Path.home() / "aeon_data").expanduser()


def file_names(name: str) -> tuple[str, str]:
    """Return the names of a set's training and test file."""
    return f"{name}_TRAIN.ts", f"{name}_TEST.ts"


def set_folder(folder: Path, name: str) -> Path | None:
    """Return ``folder / name`` where it holds both ``.ts`` files of the set, else None."""
    inside = workspace.child(folder, name)
    return inside if all((inside / file).is_file() for file in file_names(name)) else None


def read_folder(folder: Path, name: str) -> SeriesSet:
    """Read ``NAME_TRAIN.ts`` and ``NAME_TEST.ts`` of a folder."""
    train, test = file_names(name)
    return read_ts(folder / train, folder / test, name=name)


@contextmanager
def beside_cache() -> Iterator[Path]:
    """Yield a new folder in the cache's own file system, and remove it with whatever is left in it.

    Raises
    ------
    DataError
        Where nothing can be written there.
    """
    cache = cache_folder()
    is_new = not cache.exists()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _sweep(cache)
        beside = cache / f"{BESIDE}{secrets.token_hex(4)}"
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


def _sweep(cache: Path) -> None:
    """Remove what downloads left that were killed: nobody has written to it for a day."""
    for left in cache.glob(f"{BESIDE}*"):
        if _is_dead(left):
            shutil.rmtree(left, ignore_errors=True)


def _is_dead(left: Path) -> bool:
    try:
        latest = max(path.stat().st_mtime for path in (left, *left.iterdir()))
    except OSError:  # its owner is just moving or removing files
        return False
    return time.time() - latest > SILENCE_OF_THE_DEAD


def keep(beside: Path, name: str) -> Path:
    """Move a set's files from beside the cache to their place, and return that folder.

    A new folder appears at once and whole. Where something lies there (the half of a set that another program left,
    or the same set that another process has just brought), each file takes its place in it.

    Raises
    ------
    DataError
        Where that place cannot be written to.
    """
    ready, target = beside / name, workspace.child(cache_folder(), name)
    try:
        ready.mkdir()
        for file in file_names(name):
            (beside / file).replace(ready / file)
        if target.exists():
            for file in file_names(name):
                (ready / file).replace(target / file)
        else:
            ready.replace(target)
    except OSError as error:
        raise DataError(
            f"The set arrived, but cannot be put at {target} ({error.strerror}).",
            remedy="Move away what lies there, and try again.",
        ) from error
    return target
