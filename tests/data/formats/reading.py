"""Files read as the page and the command line read them, in a line."""

from __future__ import annotations

import pytest

from timemil_core.data.files.choices import Value
from timemil_core.data.files.contract import Inspection, Reading
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.report_line import ReportLine
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError

Content = str | bytes
NAME = "data/file.csv"


def sources(files: Content | dict[str, Content], name: str = NAME) -> list[Source]:
    """Return one file called ``name``, or several by their names."""
    named = files if isinstance(files, dict) else {name: files}
    return [
        from_bytes(one, content if isinstance(content, bytes) else content.encode()) for one, content in named.items()
    ]


def inspect(files: Content | dict[str, Content], name: str = NAME, **choices: Value) -> Inspection:
    """Inspect files under some choices."""
    return inspect_files(sources(files, name), choices)


def reading(files: Content | dict[str, Content], name: str = NAME, **choices: Value) -> Reading:
    """Read files under some choices."""
    return read_files(inspect(files, name, **choices))


def read(files: Content | dict[str, Content], name: str = NAME, **choices: Value) -> SeriesSet:
    """Return the set that files hold."""
    return reading(files, name, **choices).series_set


def refused(files: Content | dict[str, Content], name: str = NAME, **choices: Value) -> DataError:
    """Return the error by which files are refused; it must say how to mend it."""
    with pytest.raises(DataError) as caught:
        read(files, name, **choices)
    assert caught.value.remedy
    return caught.value


def told(files: Content | dict[str, Content], name: str = NAME, **choices: Value) -> list[ReportLine]:
    """Return all lines of the report, of the inspection and of the reading."""
    found = inspect(files, name, **choices)
    return [*found.lines, *read_files(found).lines]


def value_of(inspection: Inspection, name: str) -> Value:
    """Return what holds for a choice."""
    return next(choice.value for choice in inspection.choices if choice.name == name)


def values(series_set: SeriesSet) -> list[list[list[float]]]:
    """Return the series as lists."""
    return [one.tolist() for one in series_set.series]
