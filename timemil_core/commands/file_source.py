"""``--data``: a name of the catalogue, or a file or folder that is read and kept as the app would do it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from timemil_core.data.files.choices import Value
from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.splitting import with_split
from timemil_core.data.store import keep
from timemil_core.errors import DataError

ENDINGS = ("csv", "tsv", "txt", "xlsx", "parquet", "npz", "npy", "ts", "arff", "edf", "bdf", "hea", "zip", "gz")
SUFFIXES = frozenset(f".{ending}" for ending in ENDINGS)


def data_reference(name: str, test_share: float, seed: int, choices: Mapping[str, Value] | None = None) -> str:
    """Return the reference of a data set.

    A file of any format, or a folder of files (written with a ``/``), is read as it suggests itself and as was
    chosen, split into training and test series where it says nothing of them (a share of 0: all for training), and
    kept in the workspace.

    Raises
    ------
    DataError
        Where a file cannot be read as a data set, or choices are given for a set that is none.
    """
    path = Path(name)
    if not path.is_file() and not (path.is_dir() and "/" in name):
        if path.suffix.lower() in SUFFIXES:
            raise DataError("there is no such file.", where=name)
        if choices:
            raise DataError("choices are for files; this is none.", where=name, remedy="Leave --choose out.")
        return name
    series_set = read_files(inspect_files(from_paths([path]), choices)).series_set
    is_split = len(set(series_set.split.tolist())) > 1
    return keep(series_set if is_split or test_share == 0 else with_split(series_set, test_share, seed))
