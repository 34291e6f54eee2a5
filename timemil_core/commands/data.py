"""``data``: the catalogue on the terminal: search it, and download a set of the archive."""

from __future__ import annotations

import argparse
import sys

from timemil_core.commands.table import print_table
from timemil_core.data import archive, catalogue, published
from timemil_core.data.archive.transfer import megabytes

NAME = "data"
SUMMARY = "list the data sets that can be opened, search them, download one"
TITLES = (
    "reference",
    "kind",
    "train",
    "test",
    "channels",
    "length",
    "classes",
    "here",
    "TimeMIL",
    "best other",
    "domain",
    "summary",
)
SOURCES = "TimeMIL: the paper's accuracy. best other: the best accuracy that another method is published with."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("words", nargs="*", metavar="WORD", help="only sets in whose name or description all occur")
    parser.add_argument("--here", action="store_true", help="only those that need no download")
    parser.add_argument("--download", metavar="NAME", help="bring a set of the archive onto this machine")


def execute(arguments: argparse.Namespace) -> int:
    """Print a table, or download a set and print its folder.

    Raises
    ------
    DataError
        Where the set cannot be downloaded: says what to do.
    """
    if arguments.download:
        return _download(arguments.download)
    listed = [entry for entry in catalogue.entries() if entry.available or not arguments.here]
    found = catalogue.matching(listed, " ".join(arguments.words))
    print_table(TITLES, [_row(entry) for entry in found])
    if not found:
        print("No set fits these words.")
    print(SOURCES, file=sys.stderr)
    return 0


def _row(entry: catalogue.Entry) -> tuple[str, ...]:
    numbers = (entry.n_train, entry.n_test, entry.n_channels, entry.length, entry.n_classes)
    told = ("" if number is None else str(number) for number in numbers)
    ours, best = published.of_timemil(entry.reference), published.best_other(entry.reference)
    return (
        entry.reference,
        entry.kind,
        *told,
        "yes" if entry.available else "download" if entry.kind == "archive" else "no",
        "" if ours is None else f"{ours:.3f}",
        "" if best is None else f"{best.accuracy:.3f} {best.method}",
        entry.domain,
        entry.summary,
    )


def _download(name: str) -> int:
    entry = next((entry for entry in catalogue.entries() if entry.reference == name), None)
    if entry is not None and entry.available:
        print(f"{name} is on this machine already.")
        return 0
    if not archive.downloadable(name):
        catalogue.load(name)  # refuses, with what can be done
    shown = _Shown()
    try:
        folder = archive.download(name, archive.Progress(report=shown.tell))
    finally:
        shown.end()
    print(folder)
    return 0


class _Shown:
    """Progress in one line that is written over, or, where nobody watches, in a line for each new step."""

    def __init__(self) -> None:
        self._before = ""
        self._watched = sys.stderr.isatty()

    def tell(self, progress: archive.Progress) -> None:
        """Show how far a download is."""
        text = progress.doing
        if self._watched and progress.received:
            of = f" of {megabytes(progress.total)}" if progress.total else ""
            text = f"{text}: {megabytes(progress.received)}{of}"
        if text != self._before:
            print(f"\r\033[K{text}" if self._watched else text, end="" if self._watched else "\n", file=sys.stderr)
            sys.stderr.flush()
        self._before = text

    def end(self) -> None:
        """Leave the line."""
        if self._watched and self._before:
            print(file=sys.stderr)
