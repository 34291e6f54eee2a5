"""``report``: one map of one series as an HTML page that opens offline."""

from __future__ import annotations

import argparse
from pathlib import Path

from timemil_core.atomic import write_bytes
from timemil_core.commands.asking import add_asking, ask
from timemil_core.reports.page import report

NAME = "report"
SUMMARY = "write a page that opens offline: the map, the prediction, how far to trust it, and the script behind it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_asking(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="FILE.html")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")


def execute(arguments: argparse.Namespace) -> int:
    """Write the page.

    Raises
    ------
    TimeMILError
        Where the model, the data, the series or a setting does not exist, or model and data do not fit.
    """
    model, series_set, found = ask(arguments)
    write_bytes(arguments.out, report(model, series_set, found, arguments.theme))
    print(f"{arguments.out}: {found.sentence}")
    return 0
