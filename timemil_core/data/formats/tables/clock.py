"""How fast a table's clock goes: the unit of its times, or a sampling rate told before the values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from timemil_core.data.files.tokens import NumberStyle
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.names import plain, seconds_per_unit
from timemil_core.data.units import SECONDS

UNIT_NAMES = {seconds: name for name, seconds in SECONDS.items()}
EPOCH_UNITS = ("seconds", "milliseconds", "microseconds", "nanoseconds")
EPOCHS = (946_684_800.0, 2_208_988_800.0)  # the years 2000 and 2040, in seconds since 1970
SERIALS = (25_569.0, 60_000.0)  # spreadsheets' days of 1970 and 2064
DATE_WORDS = ("date", "datetime", "timestamp", "stamp", "day")
LOOKED_AT = 200  # rows
FASTEST = 1e6  # Hz
LONGEST_LINE = 500  # characters that are looked at: the patterns take their square in time
RATE = re.compile(
    r"(sampl\w*[ _-]*(rate|freq\w*)|freq\w*|\bfs\b|\bhz\b)\W{0,12}?(\(?\[?hz\]?\)?)?[\s:=,;\"]{1,8}"
    r"(?P<after>\d+(\.\d+)?)|(?P<before>\d+(\.\d+)?) ?hz\b",
    re.IGNORECASE,
)


def guess_unit(column: Column, told: str = "") -> tuple[str | None, str]:
    """Return the unit, None where neither a row of units nor anything else tells it, and the reason as a sentence."""
    by_name = seconds_per_unit(told or column.name) if column.is_named else None
    if by_name is not None:
        return UNIT_NAMES[by_name], ""
    numbers = column.numbers or []
    if not numbers:
        return None, ""
    for unit in EPOCH_UNITS:
        seconds = [number * SECONDS[unit] for number in (min(numbers), max(numbers))]
        if EPOCHS[0] <= seconds[0] <= seconds[1] <= EPOCHS[1]:
            began = datetime.fromtimestamp(seconds[0], UTC)
            return unit, (
                f"The numbers of {column.name!r} look like {unit} since 1970: the first is of {began:%Y-%m-%d %H:%M}."
            )
    steps = sorted(b - a for a, b in pairwise(numbers))
    if steps and column.is_whole and max(numbers) >= 1e11 and 1e6 <= steps[len(steps) // 2] <= 1e9:
        return "nanoseconds", f"The numbers of {column.name!r} look like nanoseconds, by how far they are apart."
    is_date = any(word in plain(column.name).split("_") for word in DATE_WORDS)
    if is_date and SERIALS[0] <= min(numbers) <= max(numbers) <= SERIALS[1]:
        return "days", f"The numbers of {column.name!r} look like a spreadsheet's days since 1900."
    return None, ""


def start_and_rate(rows: Sequence[Sequence[str]], style: NumberStyle) -> float | None:
    """Return the sampling rate of a wristband's table, whose first row is the start and whose second is the rate.

    Both are written once a column, the start in seconds since 1970; None for any other table.
    """
    if len(rows) < 4 or not all(style.is_number(cell) for row in rows[:4] for cell in row):
        return None
    (start, *starts), (rate, *rates) = ([style.number(cell) for cell in row] for row in rows[:2])
    is_said = {start} == {start, *starts} and {rate} == {rate, *rates} and EPOCHS[0] <= start <= EPOCHS[1]
    others = [abs(style.number(cell)) for row in rows[2:LOOKED_AT] for cell in row if style.is_number(cell)]
    return rate if is_said and 0 < rate <= FASTEST and max(others) < EPOCHS[0] else None


def rate_in(lines: Sequence[str]) -> float | None:
    """Return the sampling rate in Hz that lines before a table tell, None where they tell none or several."""
    found = {float(match["after"] or match["before"]) for line in lines for match in RATE.finditer(line[:LONGEST_LINE])}
    return found.pop() if len(found) == 1 and 0 < min(found) <= FASTEST else None
