"""``inspect``: say what files hold, what was guessed, and what to know before a result is believed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from timemil_core.commands.reading import add_choices, chosen
from timemil_core.data.files.choices import Choice
from timemil_core.data.files.contract import Inspection, Reading
from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats.reporting import reading_report
from timemil_core.data.report_line import ReportLine
from timemil_core.data.shaping import shape
from timemil_core.data.wording import shown
from timemil_core.errors import DataError

NAME = "inspect"
SUMMARY = "say what files hold and how they were understood, without keeping anything"
MOST_SHOWN = 6
MOST_COLUMNS, MOST_ROWS, WIDEST = 8, 3, 16  # of the first rows
CHOOSE = "What can be changed (--choose NAME=VALUE)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files that make one set, or a folder")
    add_choices(parser)
    parser.add_argument("--json", action="store_true", help="for programs: the report as JSON, before preparation")


def execute(arguments: argparse.Namespace) -> int:
    """Print the reading report.

    Raises
    ------
    DataError
        Where the files cannot be read.
    """
    try:
        inspection = inspect_files(from_paths(arguments.files), chosen(arguments.choose))
    except DataError as error:
        if error.choices and not arguments.json:
            _print_choices(CHOOSE, error.choices)
        raise
    try:
        reading = read_files(inspection)
    except DataError:  # what was understood helps to choose otherwise
        print(f"{inspection.name}: {inspection.title}")
        _print_rows(inspection)
        _print("What was found", inspection.lines)
        _print_choices(CHOOSE, inspection.choices)
        raise
    if arguments.json:
        print(json.dumps(_for_programs(inspection, reading), ensure_ascii=False, indent=1))
        return 0
    shaped = shape(reading.series_set, chosen(arguments.prepare))
    report = reading_report(inspection, replace(reading, series_set=shaped.series_set))
    print(f"{inspection.name}: {report.title}")
    _print_rows(inspection)
    for name, fact in report.facts.items():
        print(f"  {name}: {fact}")
    _print("What was found", report.found)
    _print("What to know before a result is believed", report.checks)
    _print_choices(CHOOSE, inspection.choices)
    _print_choices("What can be prepared (--prepare NAME=VALUE)", shaped.choices)
    return 0


def _print_rows(inspection: Inspection) -> None:
    """Print the first rows, each column beneath what it was taken for; of many columns, the first and the last."""
    if inspection.head is None:
        return
    roles = inspection.roles()
    names = list(map(str, inspection.head.columns))
    shown_names = names if len(names) <= MOST_COLUMNS else [*names[: MOST_COLUMNS - 2], "…", names[-1]]
    columns = []
    for name in shown_names:
        cells = ["…"] * MOST_ROWS if name == "…" else list(map(str, inspection.head[name].head(MOST_ROWS)))
        columns.append([shown(text, WIDEST) for text in (f"[{roles.get(name) or '…'}]", name, *cells)])
    widths = [max(map(len, column)) for column in columns]
    for row in zip(*columns, strict=True):
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _for_programs(inspection: Inspection, reading: Reading) -> dict[str, Any]:
    report = reading_report(inspection, reading)
    return {
        "name": inspection.name,
        "title": report.title,
        "roles": inspection.roles(),
        "facts": report.facts,
        "found": [asdict(line) for line in report.found],
        "checks": [asdict(line) for line in report.checks],
        "choices": [
            {"name": one.name, "title": one.title, "kind": one.kind, "value": one.value, "options": list(one.options)}
            for one in inspection.choices
        ],
    }


def _print(title: str, lines: Iterable[ReportLine]) -> None:
    print(f"\n{title}")
    for line in lines:
        choice = f" [{line.choice}]" if line.choice else ""
        print(f"  {line}{choice}")


def _print_choices(title: str, choices: Iterable[Choice]) -> None:
    print(f"\n{title}")
    for choice in choices:
        options = list(choice.options)
        more = ", …" if len(options) > MOST_SHOWN else ""
        of = f"  of: {', '.join(map(repr, options[:MOST_SHOWN]))}{more}" if options else ""
        print(f"  {choice.name}={_shown(choice)}  ({choice.title}){of}")


def _shown(choice: Choice) -> str:
    if choice.value is None:
        return "none"
    if isinstance(choice.value, tuple):
        more = ", …" if len(choice.value) > MOST_SHOWN else ""
        return ",".join(choice.value[:MOST_SHOWN]) + more
    if isinstance(choice.value, bool):
        return "yes" if choice.value else "no"
    return f"{choice.value:g}" if isinstance(choice.value, float) else choice.value
