"""``data``: list the data sets that can be opened."""

from __future__ import annotations

import argparse

from timemil_core.commands.table import print_table
from timemil_core.data import catalogue

NAME = "data"
SUMMARY = "list the data sets that can be opened"
TITLES = ("reference", "kind", "train", "test", "channels", "length", "classes", "here", "summary")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--here", action="store_true", help="only those that need no download")


def execute(arguments: argparse.Namespace) -> int:
    """Print a table."""
    listed = [entry for entry in catalogue.entries() if entry.available or not arguments.here]
    print_table(TITLES, [_row(entry) for entry in listed])
    return 0


def _row(entry: catalogue.Entry) -> tuple[str, ...]:
    numbers = (entry.n_train, entry.n_test, entry.n_channels, entry.length, entry.n_classes)
    told = ("" if number is None else str(number) for number in numbers)
    return entry.reference, entry.kind, *told, "yes" if entry.available else "download", entry.summary
