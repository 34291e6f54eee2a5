"""``.arff`` files of Weka, flat or with one relational attribute, as the UEA and UCR archives have them.

Read here rather than by aeon, whose loader takes the last value for the class where there is none, and wants series of
equal lengths.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source, first_word
from timemil_core.data.files.text import Text, scan
from timemil_core.data.files.tokens import MISSING, is_number
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.series_set import FloatArray, default_channel_names
from timemil_core.errors import DataError

ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(.+)", re.IGNORECASE)
CELL = re.compile(r"\s*'([^']*)'\s*(?:,|$)|\s*\"([^\"]*)\"\s*(?:,|$)|([^,]*)(?:,|$)")
ROWS = re.compile(r"\\n|\n")
LONGEST_SHOWN = 60


@dataclass
class Header:
    """Attributes in order, by kind (``number``, ``class``, ``text``, ``relation``), and the line the data begin at."""

    kinds: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    inner_names: list[str] = field(default_factory=list)
    first_line: int = 0


def is_arff(source: Source, head: bytes) -> bool:
    """Tell whether a file begins with ``@relation``, comments left out."""
    return first_word(head, comment=b"%") == "@relation"


def understand_arff(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at an ``.arff`` file's header.

    Raises
    ------
    DataError
        Where it is too large, not text, or its attributes are no series.
    """
    source = sources[0]
    source.refuse_large()
    text = scan(source)
    header = _header(source, text)
    lines = _told(header)
    return Understood(
        title="an .arff file of Weka",
        load=lambda progress: _load(source, text, header, progress),
        lines=lines,
        has_labels="class" in header.kinds,
    )


def _told(header: Header) -> list[ReportLine]:
    what = "a relation, a row a channel" if "relation" in header.kinds else f"{header.kinds.count('number')} numbers"
    lines = [note(f"Each line holds one series: {what}.")]
    if "class" in header.kinds:
        lines.append(
            note(f"{header.names[header.kinds.index('class')]!r} is taken for the label: it lists its classes.")
        )
    else:
        lines.append(
            warning(
                "No attribute lists classes: the series can be looked at, but not learned from.",
                remedy="Declare the class as '@attribute target {a,b}'.",
            )
        )
    return lines


def _lines(source: Source, text: Text) -> Iterator[str]:
    with source.open() as file, io.TextIOWrapper(file, encoding=text.encoding) as lines:
        yield from lines


def _header(source: Source, text: Text) -> Header:
    header = Header()
    is_inside = False
    for number, line in enumerate(_lines(source, text), start=1):
        stripped = line.strip().removeprefix("\ufeff")
        word = stripped.split(maxsplit=1)[0].lower() if stripped else ""
        if word == "@data":
            header.first_line = number
            break
        if word == "@end":
            is_inside = False
        elif word == "@attribute":
            is_inside = _add(header, stripped, is_inside, f"{source.name}, line {number}")
    if not header.first_line or not ("number" in header.kinds or "relation" in header.kinds):
        raise DataError("The header announces no series: numbers, or a relation, and @data.", where=source.name)
    return header


def _add(header: Header, line: str, is_inside: bool, where: str) -> bool:
    """Add an attribute, and return whether the following ones are inside a relation."""
    match = ATTRIBUTE.match(line)
    if match is None:
        raise DataError(f"{line[:LONGEST_SHOWN]!r} declares no attribute.", where=where)
    name, kind = match[1].strip("'\""), match[2].strip().lower()
    if is_inside:
        header.inner_names.append(name)
        return True
    if kind.startswith("{"):
        found = "class"
    elif kind.split()[0] in ("numeric", "real", "integer"):
        found = "number"
    elif kind.startswith("relational"):
        found = "relation"
    else:
        found = "text"
    if found in ("class", "relation") and found in header.kinds:
        raise DataError(f"There is more than one {found} among the attributes.", where=where)
    header.kinds.append(found)
    header.names.append(name)
    return found == "relation"


def _load(source: Source, text: Text, header: Header, progress: Progress) -> Parts:
    series: list[FloatArray] = []
    labels: list[str | None] = []
    ids: list[str] = []
    n_trimmed = 0
    for number, line in enumerate(_lines(source, text), start=1):
        if number <= header.first_line or not line.strip() or line.startswith("%"):
            continue
        where = f"{source.name}, line {number}"
        cells = _cells(line.strip(), len(header.kinds), where)
        values, is_trimmed = _values(cells, header, where)
        n_trimmed += is_trimmed
        series.append(values)
        labels.append(cells[header.kinds.index("class")] if "class" in header.kinds else None)
        ids.append(cells[header.kinds.index("text")] if "text" in header.kinds else str(len(series)))
        progress(min(number / text.n_lines, 1.0), f"{len(series):,} series read")
    if not series:
        raise DataError("There is no series beneath @data.", where=source.name)
    n_channels = {one.shape[0] for one in series}
    if len(n_channels) > 1:
        raise DataError(f"Series differ in the number of channels: {sorted(n_channels)[:5]}.", where=source.name)
    lines = [repair(f"Missing values that padded the end of {n_trimmed:,} series were cut off.")] if n_trimmed else []
    return Parts(series, ids, default_channel_names(n_channels.pop()), labels, lines=lines)


def _cells(line: str, n_cells: int, where: str) -> list[str]:
    if line.startswith("{"):
        raise DataError("Sparse rows cannot be read.", where=where, remedy="Write all values of each row.")
    cells: list[str] = []
    place = 0
    while place < len(line) and len(cells) <= n_cells:
        match = CELL.match(line, place)
        if match is None:  # cannot be: the last alternative takes anything
            break
        cells.append(next((one for one in match.groups() if one is not None), "").strip())
        place = match.end()
    if len(cells) != n_cells:
        raise DataError(f"The line holds {len(cells)} values; {n_cells} attributes were declared.", where=where)
    return cells


def _values(cells: Sequence[str], header: Header, where: str) -> tuple[FloatArray, bool]:
    """Return ``(n_channels, n_timepoints)`` without the missing values at its end, and whether there were any."""
    if "relation" in header.kinds:
        rows = [row.split(",") for row in ROWS.split(cells[header.kinds.index("relation")])]
    else:
        rows = [[cell for cell, kind in zip(cells, header.kinds, strict=True) if kind == "number"]]
    longest = max(map(len, rows))
    refuse_beyond("values", len(rows) * longest, where, of="The series")
    values = np.full((len(rows), longest), np.nan)
    for channel, row in enumerate(rows):
        values[channel, : len(row)] = [_number(cell, where) for cell in row]
    with np.errstate(over="ignore"):
        rounded = values.astype(np.float32)
    rounded[np.isinf(rounded)] = np.nan
    observed = np.flatnonzero(~np.isnan(rounded).all(axis=0))
    end = int(observed[-1]) + 1 if observed.size else longest
    return np.ascontiguousarray(rounded[:, :end]), end < longest


def _number(cell: str, where: str) -> float:
    text = cell.strip()
    if text in MISSING:
        return np.nan
    if not is_number(text):
        raise DataError(f"{text[:LONGEST_SHOWN]!r} is not a number.", where=where)
    return float(text)
