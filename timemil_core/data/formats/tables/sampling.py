"""The first records of a table, as text, for looking at."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from timemil_core.data.files.source import Source
from timemil_core.data.formats.tables.decoding import first_text
from timemil_core.errors import DataError

SAMPLE_BYTES = 4_000_000
SAMPLE_ROWS = 5_000
SAMPLE_CELLS = 500_000
BLANKS = " "
BLANK_RUN = re.compile(r"[ \t]+")  # what pandas takes for one, too
COMMENT_MARKS = ("#", "%")


def sample_lines(source: Source, encoding: str) -> list[str]:
    """Return the first lines, without the last where it may be cut."""
    text, goes_on = first_text(source, encoding, SAMPLE_BYTES)
    lines = list(islice(io.StringIO(text, newline=None), SAMPLE_ROWS))
    is_cut = goes_on and len(lines) < SAMPLE_ROWS
    return lines[:-1] if is_cut and len(lines) > 1 else lines


def count_preamble(lines: list[str]) -> int:
    """Return how many comment, blank and ``sep=`` lines stand before the table."""
    for index, line in enumerate(lines):
        stripped = line.strip()
        is_separator_note = index == 0 and stripped.lower().startswith("sep=")
        if stripped and not stripped.startswith(COMMENT_MARKS) and not is_separator_note:
            return index
    return len(lines)


def records(lines: list[str], separator: str, filename: str) -> list[list[str]]:
    """Split lines into cells by the separator (``" "``: any run of blanks), quotes respected, blank lines left out.

    Raises
    ------
    DataError
        Where a cell is longer than a cell can be, a sign of a quotation mark that is never closed.
    """
    found: list[list[str]] = []
    n_cells = 0
    try:
        for record in _split(lines, separator):
            if any(cell.strip() for cell in record):
                found.append([cell.strip() for cell in record])
                n_cells += len(record)
            if n_cells > SAMPLE_CELLS:
                break
    except csv.Error as error:
        raise DataError(
            f"The table cannot be split into cells ({error}).",
            where=filename,
            remedy='Look for a quotation mark (") that is not closed.',
        ) from error
    return found


def _split(lines: list[str], separator: str) -> Iterator[list[str]]:
    if separator == BLANKS:
        unquoted = (BLANK_RUN.sub(" ", line.strip()) for line in lines)
        return csv.reader(unquoted, delimiter=" ", skipinitialspace=True)
    return csv.reader(lines, delimiter=separator, skipinitialspace=True)
