"""``inspect``: say what files hold, what was guessed, and what to know before a result is believed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from timemil_core.commands.choose import add_choose, add_prepare, chosen
from timemil_core.data.files.choices import Choice
from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats.reporting import reading_report
from timemil_core.data.report_line import ReportLine
from timemil_core.data.shaping import shape
from timemil_core.errors import DataError

NAME = "inspect"
SUMMARY = "say what files hold and how they were understood, without keeping anything"
MOST_SHOWN = 6
CHOOSE = "What can be changed (--choose NAME=VALUE)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files that make one set, or a folder")
    add_choose(parser)
    add_prepare(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Print the reading report.

    Raises
    ------
    DataError
        Where the files cannot be read.
    """
    inspection = inspect_files(from_paths(arguments.files), chosen(arguments.choose))
    try:
        reading = read_files(inspection)
    except DataError:  # what was understood helps to choose otherwise
        print(f"{inspection.name}: {inspection.title}")
        _print("What was found", inspection.lines)
        _print_choices(CHOOSE, inspection.choices)
        raise
    shaped = shape(reading.series_set, chosen(arguments.prepare))
    report = reading_report(inspection, replace(reading, series_set=shaped.series_set))
    print(f"{inspection.name}: {report.title}")
    for name, fact in report.facts.items():
        print(f"  {name}: {fact}")
    _print("What was found", report.found)
    _print("What to know before a result is believed", report.checks)
    _print_choices(CHOOSE, inspection.choices)
    _print_choices("What can be prepared (--prepare NAME=VALUE)", shaped.choices)
    return 0


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
