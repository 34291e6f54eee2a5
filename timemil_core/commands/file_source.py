"""``--data``: a name of the catalogue, or a file or folder that is read and kept as the app would do it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from timemil_core.data.catalogue import load
from timemil_core.data.files.choices import Value
from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.shaping import shape
from timemil_core.data.splitting import with_split
from timemil_core.data.store import keep
from timemil_core.errors import DataError

ENDINGS = (
    *("csv", "tsv", "txt", "xlsx", "xls", "ods", "parquet", "feather", "arrow", "json", "jsonl"),
    *("npz", "npy", "mat", "h5", "hdf5", "ts", "arff", "edf", "bdf", "hea"),
    *("zip", "tar", "gz", "tgz", "bz2", "xz"),
)
SUFFIXES = frozenset(f".{ending}" for ending in ENDINGS)


def data_reference(
    name: str,
    test_share: float,
    seed: int,
    choices: Mapping[str, Value] | None = None,
    prepare: Mapping[str, Value] | None = None,
) -> str:
    """Return the reference of a data set.

    A file of any format, or a folder of files (written with a ``/``), is read as it suggests itself and as was
    chosen, prepared, split into training and test series where nothing is said of them (a share of 0: all for
    training), and kept in the workspace. A set of the catalogue that is prepared is kept as one of its own.

    Raises
    ------
    DataError
        Where a file cannot be read as a data set, a choice cannot be followed, or choices are given for a set that
        is no file.
    """
    path = Path(name)
    if not path.is_file() and not (path.is_dir() and "/" in name):
        if path.suffix.lower() in SUFFIXES:
            raise DataError("there is no such file.", where=name)
        if choices:
            raise DataError("choices are for files; this is none.", where=name, remedy="Leave --choose out.")
        return keep(shape(load(name), prepare).series_set) if prepare else name
    series_set = shape(read_files(inspect_files(from_paths([path]), choices)).series_set, prepare).series_set
    is_split = len(set(series_set.split.tolist())) > 1
    return keep(series_set if is_split or test_share == 0 else with_split(series_set, test_share, seed))
