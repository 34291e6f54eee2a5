"""``--choose``, a guess about a file corrected in the shell, and ``--prepare``, what its set is made into."""

from __future__ import annotations

import argparse

from timemil_core.data.files.choices import Value
from timemil_core.errors import SettingsError


def add_choose(parser: argparse.ArgumentParser) -> None:
    """Declare the argument."""
    parser.add_argument(
        "--choose",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="correct a guess about the file, such as label_column=kind; 'inspect' lists them",
    )


def add_prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the argument."""
    parser.add_argument(
        "--prepare",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="prepare the set, such as rate=50 or split='in order'; 'inspect' lists what there is",
    )


def chosen(words: list[str]) -> dict[str, Value]:
    """Return the choices that were given; several values of one choice are separated by commas.

    Raises
    ------
    SettingsError
        Where a word has no ``=``.
    """
    if wrong := [word for word in words if "=" not in word]:
        raise SettingsError(f"{wrong[0]!r} is no choice.", remedy="Write --choose NAME=VALUE.")
    pairs = (word.split("=", 1) for word in words)
    return {name.strip(): value for name, value in pairs}
