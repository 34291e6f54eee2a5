"""Instance labels of the WebTraffic set, from the metadata file that lies beside its ``.ts`` file.

Format: a list, one object a series in the file's order, each with ``signature_locations``: pairs ``[start, end]`` of
time points, the end left out, except that equal ends mean that one point (MILLET, Early et al., ICLR 2024).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.data.files.source import Source
from timemil_core.data.series_set import BoolArray
from timemil_core.errors import DataError


def metadata_file(ts_file: Path) -> Path:
    """Return where the metadata of a ``.ts`` file would lie."""
    return ts_file.with_name(f"{ts_file.stem}_metadata.json")


def read_signatures(source: Source, lengths: Sequence[int]) -> tuple[BoolArray, ...]:
    """Return for each series, of the lengths given, which time points carry its class's pattern.

    A series without a pattern (class 0) has no such point. MILLET marks all of its points instead, which scores
    any ranking as perfect.

    Raises
    ------
    DataError
        Where the file is not such a list, or does not fit the series.
    """
    try:
        entries = json.loads(source.read())
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"The pattern locations cannot be read ({error}).", where=source.name) from error
    if not isinstance(entries, list) or len(entries) != len(lengths):
        raise DataError(
            f"{len(lengths)} series, but the file does not list as many pattern locations.",
            where=source.name,
            remedy="Put the metadata file that belongs to the .ts file beside it, or remove it.",
        )
    return tuple(
        _marked(entry, length, f"{source.name}, entry {index + 1}")
        for index, (entry, length) in enumerate(zip(entries, lengths, strict=True))
    )


def _marked(entry: Any, length: int, where: str) -> BoolArray:
    marked = np.zeros(length, dtype=np.bool_)
    try:
        pairs = [(int(start), int(end)) for start, end in entry["signature_locations"]]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError("'signature_locations' is not a list of [start, end].", where=where) from error
    for start, end in pairs:
        if not 0 <= start <= end <= length or start == length:
            raise DataError(f"[{start}, {end}] lies outside the series' {length} time points.", where=where)
        marked[start : max(end, start + 1)] = True
    return marked
