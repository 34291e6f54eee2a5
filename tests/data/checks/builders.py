"""The small files of ``tests/data/pitfalls``, read, and what is reported of them."""

from __future__ import annotations

from pathlib import Path

from timemil_core.data.checks import report
from timemil_core.data.files.source import from_path
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.report_line import Kind, ReportLine
from timemil_core.data.series_set import SeriesSet

FOLDER = Path(__file__).resolve().parents[1] / "pitfalls"


def read(filename: str) -> SeriesSet:
    """Read one of the files as it is understood without help."""
    return read_files(inspect_files([from_path(FOLDER / filename)])).series_set


def only_line(series_set: SeriesSet, kind: Kind, fragment: str) -> ReportLine:
    """Return the one line of a kind that holds the fragment; the clean file must have none like it."""
    found = [line for line in report(series_set) if line.kind == kind and fragment in line.text]
    assert len(found) == 1, [str(line) for line in report(series_set)]
    assert not [line for line in report(read("00_nothing_wrong.csv")) if fragment in line.text]
    return found[0]


def kinds(lines: list[ReportLine]) -> list[Kind]:
    """Return the kinds of lines in their order."""
    return [line.kind for line in lines]
