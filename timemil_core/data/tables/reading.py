"""From a table's bytes and its layout to a ``SeriesSet``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

import numpy as np

from timemil_core.data.preparation import missing_values_report
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.data.tables.decoding import as_utf_8
from timemil_core.data.tables.layout import TableGuess, TableLayout
from timemil_core.data.tables.limits import MAX_CHANNELS, check_bytes, check_cells
from timemil_core.data.tables.long import read_long
from timemil_core.data.tables.parsing import Table, parse_table
from timemil_core.data.tables.parts import Parts
from timemil_core.data.tables.wide import read_wide
from timemil_core.errors import DataError

READERS: dict[str, Callable[[Table, TableLayout], Parts]] = {"long": read_long, "wide": read_wide}
KINDS = {"long": "a row a time point", "wide": "a row a series"}


def read_table(content: bytes, filename: str, guess: TableGuess, layout: TableLayout | None = None) -> SeriesSet:
    """Read a table as ``guess`` says it is written, under the guessed layout or a corrected one.

    All series are training series unless a split column says otherwise.

    Raises
    ------
    DataError
        Where the table does not fit the layout: names file, row and column, and how to mend it.
    """
    layout = layout or guess.layout
    check_bytes(content, filename)
    layout.check(guess.columns, filename)
    utf_8 = as_utf_8(content, guess.encoding, filename)
    check_cells(utf_8, len(guess.columns), filename)
    table = parse_table(utf_8, guess, layout.channel_columns)
    parts = READERS[layout.kind](table, layout)
    if len(parts.channel_names) > MAX_CHANNELS:
        raise DataError(f"{len(parts.channel_names):,} channels; at most {MAX_CHANNELS:,} can be read.", where=filename)
    return SeriesSet(
        name=PurePosixPath(filename.replace("\\", "/")).stem or filename,
        series=parts.series,
        labels=parts.labels,
        class_names=parts.class_names,
        series_ids=parts.series_ids,
        channel_names=parts.channel_names,
        split=parts.split,
        sampling_rate=parts.sampling_rate,
        instance_labels=parts.instance_labels,
        provenance=tuple(_provenance(filename, layout, table, parts)),
        groups=parts.groups,
        timestamps=parts.timestamps,
    )


def _provenance(filename: str, layout: TableLayout, table: Table, parts: Parts) -> Iterator[str]:
    roles = ", ".join(f"{role}: {column!r}" for role, column in layout.roles().items())
    yield f"Read from {filename!r}, {KINDS[layout.kind]}{f' ({roles})' if roles else ''}."
    yield from table.notes
    yield from parts.notes
    if layout.label_column is not None and (unknown := int(np.sum(parts.labels == UNKNOWN_LABEL))):
        yield f"Series without a label: {unknown:,}."
    yield from missing_values_report(parts.series, parts.series_ids, parts.channel_names)
    if layout.split_column is None:
        yield "No column says which series are for testing: all are training series."
