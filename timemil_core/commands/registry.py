"""Every command by its name."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from importlib import import_module
from typing import Protocol, cast

NAMES = (
    "train",
    "sweep",
    "predict",
    "explain",
    "rank",
    "wavelets",
    "compare",
    "report",
    "import-authors",
    "card",
    "verify-pretrained",
    "inspect",
    "data",
    "models",
    "app",
)


class Command(Protocol):
    """What a command's file offers."""

    NAME: str
    SUMMARY: str

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    @staticmethod
    def execute(arguments: argparse.Namespace) -> int:
        """Do it, and return the exit code."""


def load_command(name: str) -> Command:
    """Import a command's file, named as the command is; not all at once, since some take seconds to import."""
    return cast(Command, import_module(f"timemil_core.commands.{name.replace('-', '_')}"))


def build_parser(names: Iterable[str] = NAMES) -> argparse.ArgumentParser:
    """Return the parser of the whole command line, or of these commands alone."""
    parser = argparse.ArgumentParser(prog="python -m timemil_core", description="See what a time series model learned.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in names:
        command = load_command(name)
        command.add_arguments(subparsers.add_parser(name, help=command.SUMMARY, description=command.SUMMARY))
    return parser
