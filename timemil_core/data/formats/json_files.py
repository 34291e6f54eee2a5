"""JSON and JSON lines: records, a list of series, columns, or named arrays, as programs write them.

Records of single values are a table; what holds a list a series is read as arrays are.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Understood
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.files.text import scan
from timemil_core.data.formats.arrays.loading import Held, as_numbers, held_in_rows
from timemil_core.data.formats.arrays.reader import understand_held
from timemil_core.data.formats.arrow import WRITTEN
from timemil_core.data.formats.tables.reader import understand_written
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import repair
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

DEEPEST = 8
REMEDY = 'Write a list of records, {"id": …, "label": …, "x": […]} a series, or the table as CSV.'
Record = dict[str, Any]


def is_json(source: Source, head: bytes) -> bool:
    """Tell whether a file's beginning is that of an object, or of a list under a name for JSON."""
    beginning = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    is_named = source.suffix in (".json", ".jsonl", ".ndjson")
    return beginning.startswith((b'{"', b"{\n", b"{\r", b"{ ", b"{}")) or (
        is_named and beginning.startswith((b"[", b"{"))
    )


def understand_json(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a JSON file, all of it: it cannot be read in part.

    Raises
    ------
    DataError
        Where it is damaged, too deep or too large, or holds neither records nor series.
    """
    source = sources[0]
    refuse_beyond("json_bytes", source.size, source.name)
    content = _parsed(source)
    if (records := _records(content)) is not None:
        rows = [flattened(record) for record in records]
        if any(isinstance(value, list) for row in rows for value in row.values()):
            return understand_held(held_in_rows(rows, source.name), "JSON, a record a series", source.name, choose)
        table = from_bytes(source.name, _as_csv(rows, source))
        return understand_written(table, choose, WRITTEN, "a JSON table")
    return understand_held(_held(content, source.name), "JSON arrays", source.name, choose)


def _parsed(source: Source) -> Any:
    text = source.read().decode(scan(source).encoding, errors="replace").removeprefix("\ufeff")
    try:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            if error.msg != "Extra data":
                raise
            return [json.loads(line) for line in text.splitlines() if line.strip()]  # JSON lines
    except json.JSONDecodeError as error:
        where = f"{source.name}, line {error.lineno}" if error.doc == text else source.name
        raise DataError(f"The file is not JSON ({error.msg}).", where=where, remedy="Write it again.") from error
    except (ValueError, RecursionError, MemoryError) as error:
        told = "lists lie too deep in one another" if isinstance(error, RecursionError) else str(error)
        raise DataError(f"The file cannot be read as JSON: {told}.", where=source.name, remedy=REMEDY) from error


def _records(content: Any) -> list[Record] | None:
    """Return the rows that content holds: objects in a list or by their ids, or columns."""
    if isinstance(content, list):
        return content if content and all(isinstance(one, dict) for one in content) else None
    if not isinstance(content, dict) or not content:
        return None
    if isinstance(content.get("columns"), list) and isinstance(content.get("data"), list):  # pandas, orient="split"
        return [
            dict(zip(map(str, content["columns"]), row, strict=False))
            for row in content["data"]
            if isinstance(row, list)
        ]
    values = list(content.values())
    if all(isinstance(one, dict) and one for one in values):
        if all(not isinstance(value, dict) for one in values for value in one.values()) and _are_columns(content):
            keys = dict.fromkeys(key for one in values for key in one)
            return [{name: column.get(key) for name, column in content.items()} for key in keys]
        return [{"id": key, **one} for key, one in content.items()]
    if all(_is_flat(one) for one in values) and len({len(one) for one in values}) == 1 and len(values) > 1:
        return [dict(zip(content, row, strict=True)) for row in zip(*values, strict=True)]
    wrapped = [one for one in values if isinstance(one, list) and one and all(isinstance(row, dict) for row in one)]
    return wrapped[0] if len(wrapped) == 1 else None


def _are_columns(content: Record) -> bool:
    """Tell whether objects have keys that number rows, as pandas writes columns."""
    return all(key.isdigit() for one in content.values() for key in one)


def _is_flat(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not any(isinstance(one, list | dict) for one in value)


def flattened(record: Record, depth: int = 0) -> Record:
    """Return a record with the fields of objects in it as ``object.field``, and those of a list of objects as lists."""
    flat: Record = {}
    for name, value in record.items():
        if isinstance(value, dict) and depth < DEEPEST:
            flat |= {f"{name}.{inner}": one for inner, one in flattened(value, depth + 1).items()}
        elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            for inner in dict.fromkeys(key for one in value for key in one):
                flat[inner if inner not in record else f"{name}.{inner}"] = [one.get(inner) for one in value]
        else:
            flat[name] = value
    return flat


def _as_csv(rows: Sequence[Record], source: Source) -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    refuse_beyond("cells", len(rows) * len(names), source.name, of="The table")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([[_cell(row.get(name)) for name in names] for row in rows])
    return text.getvalue().encode("utf-8", errors="replace")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _held(content: Any, where: str) -> Held:
    """Return named arrays, or a list of series."""
    held, left_out = Held({}), []
    named = content if isinstance(content, dict) else {"series": content}
    for name, value in named.items():
        if not isinstance(value, list) or not value:
            left_out.append(str(name))
        elif all(isinstance(one, list) and one for one in value):
            held.add(str(name), [as_numbers(one, f"{where}, {name!r}") for one in value], where)
        elif not any(isinstance(one, list | dict) for one in value):
            is_numeric = all(one is None or isinstance(one, int | float) for one in value)
            held.arrays[str(name)] = as_numbers(value, where) if is_numeric else np.array(list(map(_cell, value)))
        else:
            left_out.append(str(name))
    if not held.arrays:
        raise DataError("The file holds neither records nor series.", where=where, remedy=REMEDY)
    if left_out:
        held.lines.append(repair(f"What is no list of numbers or texts is left out: {listed(left_out)}.", where=where))
    return held
