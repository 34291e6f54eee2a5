"""Every command by its name."""

from __future__ import annotations

import argparse
from typing import Any, Protocol

from timemil_core.commands import app, card, data, models, predict, train


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


_MODULES: tuple[Any, ...] = (train, predict, card, data, models, app)
COMMANDS: dict[str, Command] = {module.NAME: module for module in _MODULES}


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(prog="python -m timemil_core", description="See what a time series model learned.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        command.add_arguments(subparsers.add_parser(name, help=command.SUMMARY, description=command.SUMMARY))
    return parser
