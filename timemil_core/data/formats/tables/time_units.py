"""In which unit a time column of numbers counts: by its name, or by how large its numbers are."""

from __future__ import annotations

from datetime import UTC, datetime

from timemil_core.data.formats.tables.profile import Column
from timemil_core.data.formats.tables.roles import plain, seconds_per_unit
from timemil_core.data.units import SECONDS

NAMES = {seconds: name for name, seconds in SECONDS.items()}
EPOCH_UNITS = ("seconds", "milliseconds", "microseconds", "nanoseconds")
FROM, TO = 946_684_800.0, 2_208_988_800.0  # the years 2000 and 2040, in seconds since 1970
SERIALS = (25_569.0, 60_000.0)  # spreadsheets' days of 1970 and 2064
DATE_WORDS = ("date", "datetime", "timestamp", "stamp", "day")


def guess_unit(column: Column) -> tuple[str | None, str]:
    """Return the unit, None where nothing tells it, and the reason as a sentence."""
    by_name = seconds_per_unit(column.name) if column.is_named else None
    if by_name is not None:
        return NAMES[by_name], ""
    numbers = column.numbers or []
    if not numbers:
        return None, ""
    for unit in EPOCH_UNITS:
        seconds = [number * SECONDS[unit] for number in (min(numbers), max(numbers))]
        if FROM <= seconds[0] <= seconds[1] <= TO:
            began = datetime.fromtimestamp(seconds[0], UTC)
            return unit, (
                f"The numbers of {column.name!r} look like {unit} since 1970: the first is of {began:%Y-%m-%d %H:%M}."
            )
    is_date = any(word in plain(column.name).split("_") for word in DATE_WORDS)
    if is_date and SERIALS[0] <= min(numbers) <= max(numbers) <= SERIALS[1]:
        return "days", f"The numbers of {column.name!r} look like a spreadsheet's days since 1900."
    return None, ""
