"""The time column: from cells to seconds or counts, and from them to a sampling rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from timemil_core.data.tables.parsing import DoubleArray, Table
from timemil_core.data.tables.roles import seconds_per_unit
from timemil_core.data.tables.tokens import MISSING
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

FORMATS = ("ISO8601", "%d.%m.%Y %H:%M:%S.%f", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y", "%Y/%m/%d %H:%M:%S")
SLASHED = ("%H:%M:%S.%f", "%H:%M:%S", "%H:%M")


@dataclass(frozen=True, eq=False)
class TimeColumn:
    """``values`` ``(n_rows,)``, and how many seconds one unit of them is; None where that is not known."""

    values: DoubleArray
    unit: float | None


def read_time(table: Table, column: str) -> TimeColumn:
    """Read numbers, time stamps, or clock times.

    Raises
    ------
    DataError
        Where a cell is empty or unreadable, or day and month cannot be told apart.
    """
    cells = table.texts(column)
    empty = np.flatnonzero(pd.Series(cells, dtype="str").str.strip().isin(MISSING).to_numpy())
    if empty.size:
        raise DataError(
            f"The time is missing here; rows without a time: {len(empty):,}.",
            where=table.where(empty[0], column),
            remedy="Fill them in, or read the table without a time column, in the order of its rows.",
        )
    numbers = _as_numbers(cells, table.guess.decimal)
    if numbers is not None:
        return TimeColumn(numbers, seconds_per_unit(column))
    return TimeColumn(_as_seconds(cells, table, column), 1.0)


def _as_numbers(cells: npt.NDArray[np.object_], decimal: str) -> DoubleArray | None:
    texts = np.array([cell.replace(",", ".") for cell in cells], dtype=object) if decimal == "," else cells
    try:
        numbers = texts.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _as_seconds(cells: npt.NDArray[np.object_], table: Table, column: str) -> DoubleArray:
    texts = pd.Series(cells, dtype="str").str.strip()
    stamps = _clock_times(texts)
    if stamps is None:
        stamps = _dates(texts, FORMATS)
    if stamps is None:
        stamps = _slashed_dates(texts, table, column)
    if stamps is not None:
        return stamps
    readable = pd.to_datetime(texts, format="ISO8601", utc=True, errors="coerce").notna().to_numpy()
    numeric = pd.to_numeric(texts, errors="coerce").notna().to_numpy()
    fitting = readable if readable.sum() >= numeric.sum() else numeric
    first = int(np.flatnonzero(~fitting)[0]) if not fitting.all() else 0
    raise DataError(
        f"{str(cells[first])[:80]!r} is not a time.",
        where=table.where(first, column),
        remedy="Write numbers, or time stamps such as 2024-01-31 12:00:00.5, throughout.",
    )


def _clock_times(texts: pd.Series[str]) -> DoubleArray | None:
    if not texts.str.fullmatch(r"\d{1,4}:\d{2}(:\d{2}(\.\d+)?)?").all():
        return None
    with_seconds = texts.where(texts.str.count(":") > 1, texts + ":00")
    try:
        return pd.to_timedelta(with_seconds).dt.total_seconds().to_numpy(dtype=np.float64)
    except (ValueError, OverflowError):
        return None


def _dates(texts: pd.Series[str], formats: tuple[str, ...]) -> DoubleArray | None:
    for form in formats:
        try:
            stamps = pd.to_datetime(texts, format=form, utc=True)
        except (ValueError, OverflowError):
            continue
        # seconds since the first stamp: an epoch would cost the fractions their digits
        return (stamps - stamps.min()).dt.total_seconds().to_numpy(dtype=np.float64)
    return None


def _slashed_dates(texts: pd.Series[str], table: Table, column: str) -> DoubleArray | None:
    """Read 31/01/2024 and 01/31/2024; where both readings fit and differ, refuse to guess."""
    clocks = ("", *(f" {clock}" for clock in SLASHED))
    day_first = _dates(texts, tuple(f"%d/%m/%Y{clock}" for clock in clocks))
    month_first = _dates(texts, tuple(f"%m/%d/%Y{clock}" for clock in clocks))
    if day_first is None or month_first is None:
        return month_first if day_first is None else day_first
    if np.array_equal(day_first, month_first):
        return day_first
    raise DataError(
        f"{texts.iloc[0]!r} can be read with the day or with the month first.",
        where=table.where(0, column),
        remedy="Write dates as 2024-01-31.",
    )


def sampling_rate(times: Timestamps, column: str) -> tuple[float | None, str]:
    """Estimate the sampling rate in Hz from the times of series, and say how.

    Returns None where the column's unit is not known or the steps are not equal; each point's position in its series
    then serves as its time, until the user names a unit or resamples.
    """
    if times.step is None:
        return None, f"Each series has one time point, so {column!r} tells no sampling rate."
    if times.rate is None:
        return None, (
            f"Warning: the steps of {column!r} are not equal. Each time point's position in its series is used "
            "instead, so frequencies and durations cannot be told."
        )
    if times.counts_points:
        return None, f"{column!r} counts time points; give the sampling rate to have seconds on the axis."
    if times.unit is None:
        return None, (
            f"{column!r} rises in equal steps of {times.mean_step:.6g}, but in which unit is not known, so the axis "
            "counts time points; give the sampling rate, or name the column time_s or time_ms."
        )
    rate = times.rate if times.unit == 1 else float(f"{times.rate / times.unit:.12g}")
    return rate, f"{column!r} rises in equal steps: {rate:g} Hz."
