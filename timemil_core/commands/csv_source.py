"""``--data``: a name of the catalogue, or a CSV file that is read and kept as the app would do it."""

from __future__ import annotations

from pathlib import Path

from timemil_core.data.splitting import with_split
from timemil_core.data.store import keep
from timemil_core.data.tables import inspect_table, read_table
from timemil_core.errors import DataError

SUFFIXES = (".csv", ".tsv", ".txt")


def data_reference(name: str, test_share: float, seed: int) -> str:
    """Return the reference of a data set.

    A CSV file is read with the columns that its content suggests, split into training and test series where it says
    nothing of them itself (a share of 0: all for training), and kept in the workspace.

    Raises
    ------
    DataError
        Where a file cannot be read as a data set.
    """
    path = Path(name)
    if not path.is_file():
        if path.suffix.lower() in SUFFIXES:
            raise DataError("there is no such file.", where=name)
        return name
    content = path.read_bytes()
    series_set = read_table(content, path.name, inspect_table(content, path.name))
    is_split = len(set(series_set.split.tolist())) > 1
    return keep(series_set if is_split or test_share == 0 else with_split(series_set, test_share, seed))
