"""How much may be read: every cap in one place, each changeable by an environment variable.

A field ``cells`` is raised or lowered by ``TIMEMIL_MAX_CELLS=…``. All are checked before memory is spent.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields

from timemil_core.errors import DataError, SettingsError

PREFIX = "TIMEMIL_MAX_"
OTHERWISE = "Split it, or keep fewer series or time points"
UNITS = {"bytes": "bytes", "archive_bytes": "bytes", "json_bytes": "bytes"}


@dataclass(frozen=True)
class Limits:
    """The caps.

    Attributes
    ----------
    bytes
        Of one file.
    archive_bytes, archive_ratio, files
        Of what an archive unpacks to, how many times its packed size that may be, and how many files it or a folder
        may hold.
    columns, cells, sheet_cells
        Of a table; of a spreadsheet, whose cells cost far more to read.
    json_bytes
        Of a JSON file, which takes some ten times its size in memory.
    channels, series, values
        Of a set; values are time points times channels.
    """

    bytes: int = 2_000_000_000
    archive_bytes: int = 4_000_000_000
    archive_ratio: int = 250
    files: int = 20_000
    columns: int = 200_000
    cells: int = 400_000_000
    json_bytes: int = 200_000_000
    sheet_cells: int = 20_000_000
    channels: int = 5_000
    series: int = 1_000_000
    values: int = 1_000_000_000


def limits() -> Limits:
    """Return the caps, with those that the environment sets.

    Raises
    ------
    SettingsError
        Where a variable holds no positive whole number.
    """
    given: dict[str, int] = {}
    for field in fields(Limits):
        variable = PREFIX + field.name.upper()
        if text := os.environ.get(variable):
            if not (text.isascii() and text.isdigit() and int(text)):
                raise SettingsError(f"{text!r} is no limit.", where=variable, remedy="Give a positive whole number.")
            given[field.name] = int(text)
    return Limits(**given)


def refuse_beyond(what: str, count: int, where: str, *, of: str = "The file", remedy: str = "") -> None:
    """Refuse more than the limit ``what`` (a field of ``Limits``) allows.

    Raises
    ------
    DataError
        With the number found and the limit, and how to raise it.
    """
    most = getattr(limits(), what)
    if count > most:
        noun = UNITS.get(what, what.replace("_", " "))
        raise DataError(
            f"{of} has {count:,} {noun}; at most {most:,} are read.",
            where=where,
            remedy=f"{remedy or OTHERWISE}. {PREFIX}{what.upper()} changes the limit.",
        )


def refuse_too_many_values(lengths: Sequence[int], n_channels: int, where: str) -> None:
    """Refuse a set of too many series, channels or values."""
    refuse_beyond("series", len(lengths), where, of="The set")
    refuse_beyond("channels", n_channels, where, of="The set")
    refuse_beyond("values", sum(lengths) * n_channels, where, of="The set")
