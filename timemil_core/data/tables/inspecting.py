"""Look at a table's first rows and say what it seems to hold."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from timemil_core.data.formulas import unguarded
from timemil_core.data.tables.decoding import as_utf_8, detect_encoding
from timemil_core.data.tables.dialect import Dialect, detect_dialect
from timemil_core.data.tables.guessing import guess_layout
from timemil_core.data.tables.layout import TableGuess
from timemil_core.data.tables.limits import check_bytes, check_cells
from timemil_core.data.tables.profile import Column, profile
from timemil_core.data.tables.sampling import count_preamble, sample_lines
from timemil_core.errors import DataError

HEAD_ROWS = 20
ENCODING_NAMES = {"cp1252": "Western (Windows-1252)", "latin-1": "Western (Latin-1)"}


def inspect_table(
    content: bytes,
    filename: str,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    has_header: bool | None = None,
    encoding: str | None = None,
) -> TableGuess:
    """Guess how a text table is written and what its columns are; what is given is taken as said.

    Raises
    ------
    DataError
        Where the file is empty, too large, not text, or holds no table of series.
    """
    check_bytes(content, filename)
    encoding = encoding or detect_encoding(content, filename)
    lines = sample_lines(as_utf_8(content, encoding, filename))
    n_preamble = count_preamble(lines)
    dialect = detect_dialect(lines[n_preamble:], filename, separator=separator, decimal=decimal, has_header=has_header)
    if not dialect.rows:
        raise DataError("There is a header, but no row of data beneath it.", where=filename)
    raw_names, notes = _raw_names(dialect)
    if len(raw_names) < 2:
        raise DataError(
            "The file has one column only.",
            where=filename,
            remedy="If its cells hold several values, separate them by commas, semicolons or tabs.",
        )
    check_cells(content, len(raw_names), filename)
    names, doubled = _unique_names(raw_names)
    columns = profile(names, [bool(name) for name in raw_names], dialect.rows, dialect.decimal)
    layout, reasons, warnings = guess_layout(columns, dialect.has_header)
    return TableGuess(
        filename=filename,
        separator=dialect.separator,
        encoding=encoding,
        decimal=dialect.decimal,
        has_header=dialect.has_header,
        columns=tuple(names),
        head=_head(columns),
        layout=layout,
        reasons=(*_told(encoding, dialect, n_preamble), *notes, *reasons),
        warnings=(*doubled, *warnings),
        n_preamble=n_preamble,
    )


def _raw_names(dialect: Dialect) -> tuple[list[str], list[str]]:
    """Return a name a column ("" where it has none), as many as the widest row, and what was done to get them."""
    width = max(len(row) for row in dialect.rows)
    names = [unguarded(name) for name in dialect.header]
    widths = {len(row) for row in dialect.rows}
    if names and widths == {len(names) + 1}:
        if all(not row[-1] for row in dialect.rows):
            return names, ["Each row ends with a separator, which is passed over."]
        return ["", *names], ["The header is one name short: the first column has none (as R writes tables)."]
    while len(names) > width and not names[-1]:
        names.pop()
    return names + [""] * (width - len(names) if not names else 0), []


def _unique_names(raw_names: Sequence[str]) -> tuple[list[str], list[str]]:
    names: list[str] = []
    warnings = []
    taken = set(raw_names)
    seen: set[str] = set()
    for position, raw in enumerate(raw_names):
        name = raw or f"column {position + 1}"
        number = 2
        while name in seen or (name != raw and name in taken):
            name = f"{raw or f'column {position + 1}'} ({number})"
            number += 1
        if raw and name != raw:
            warnings.append(f"Two columns are called {raw!r}; the later is called {name!r} here.")
        seen.add(name)
        names.append(name)
    return names, warnings


def _told(encoding: str, dialect: Dialect, n_preamble: int) -> list[str]:
    separators = {"\t": "tabs", " ": "blanks", ",": "commas", ";": "semicolons", "|": "vertical bars"}
    sentences = [
        f"Cells are separated by {separators.get(dialect.separator, repr(dialect.separator))}"
        + (", decimals by a comma" if dialect.decimal == "," else "")
        + (", the first row names the columns." if dialect.has_header else "; no row names the columns.")
    ]
    if encoding in ENCODING_NAMES:
        sentences.append(f"The text is not UTF-8; read as {ENCODING_NAMES[encoding]}. Check names with accents.")
    if n_preamble:
        sentences.append(f"Comment or blank rows before the table, passed over: {n_preamble}.")
    return sentences


def _head(columns: Sequence[Column]) -> pd.DataFrame:
    return pd.DataFrame({column.name: list(column.cells[:HEAD_ROWS]) for column in columns}, dtype=object)
