"""The time column: its cells as they stream by, then as seconds or counts, then as a sampling rate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.tseries.api import guess_datetime_format

from timemil_core.data.files.tokens import MISSING, NAMED_MONTH, NumberStyle
from timemil_core.data.formats.tables.chunks import Faults, no_time, not_a_time
from timemil_core.data.formats.tables.layout import DateOrder
from timemil_core.data.report_line import ReportLine, note
from timemil_core.data.time_axis import rate_in_words
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

DoubleArray = npt.NDArray[np.float64]
TWELVE = ("%I:%M:%S.%f %p", "%I:%M:%S %p", "%I:%M %p")
SLASHED = ("%H:%M:%S.%f", "%H:%M:%S", "%H:%M", *TWELVE)
FORMATS: tuple[str, ...] = (
    "ISO8601",
    "%d.%m.%Y %H:%M:%S.%f",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y",
    *TWELVE,
)
FORMATS += tuple(f"{day} {clock}" for day in ("%Y/%m/%d", "%Y-%m-%d") for clock in SLASHED)
STAMP = rf"\d{{1,4}}[-/.:]\d{{1,4}}.*|\d{{8}}T\d{{4}}.*|{NAMED_MONTH.pattern}"
CLOCK = r"\d{1,4}:\d{2}((:\d{2})?\.\d+|:\d{2})?"
HALF_DAY = 43_200.0  # seconds


class TimeCells:
    """Cells of the time column: numbers as long as all are numbers, texts otherwise."""

    def __init__(self, column: str, style: NumberStyle, faults: Faults) -> None:
        self.column, self.style, self.faults = column, style, faults
        self._numbers: list[DoubleArray] = []
        self._texts: list[pd.Series[str]] = []
        self._is_text: bool | None = None
        self._first_row = 0

    def take(self, cells: pd.Series[str], rows: npt.NDArray[np.int64]) -> None:
        """Add a chunk's cells."""
        if not len(cells):
            return
        stripped = cells.str.strip()
        missing = stripped.isin(MISSING).to_numpy(dtype=bool)
        self.faults.add("no time", self.column, missing, rows, stripped, no_time)
        numbers = as_numbers(stripped, self.style)
        if self._is_text is None:
            is_number, is_stamp = np.isfinite(numbers), _are_stamps(stripped)
            self._is_text = bool(is_stamp.sum() > is_number.sum())
            self._first_row = int(rows[0])
        if self._is_text:
            if self._texts or not _are_stamps(stripped).all():
                wrong = ~(_are_stamps(stripped) | missing)
                self.faults.add("not a time", self.column, wrong, rows, stripped, not_a_time)
            self._texts.append(stripped)
        else:
            wrong = ~(np.isfinite(numbers) | missing)
            self.faults.add("not a time", self.column, wrong, rows, stripped, not_a_time)
            self._numbers.append(numbers)

    def part(self, start: int, stop: int) -> TimeCells:
        """Return the cells of some rows, as if these alone had been taken."""
        part = TimeCells(self.column, self.style, self.faults)
        part._is_text, part._first_row = self._is_text, self._first_row
        if self._is_text:
            part._texts = [pd.concat(self._texts, ignore_index=True).iloc[start:stop].reset_index(drop=True)]
        else:
            part._numbers = [np.concatenate(self._numbers)[start:stop]]
        return part

    @property
    def is_text(self) -> bool:
        """Whether the cells are time stamps rather than numbers."""
        return bool(self._is_text)

    def values(self, dates: DateOrder, filename: str) -> DoubleArray:
        """Return the times ``(n_rows,)``: numbers as they are, time stamps in seconds since the first.

        Raises
        ------
        DataError
            Where day and month cannot be told apart, or stamps are written in several ways.
        """
        if not self._is_text:
            return np.concatenate(self._numbers)
        texts = pd.concat(self._texts, ignore_index=True)
        where = f"{filename}, row {self._first_row}, column {self.column!r}"
        found = as_seconds(texts, dates, where)
        if found is None:
            raise DataError(
                f"{texts.iloc[0]!r} and the cells beneath it are not written in one known way.",
                where=where,
                remedy="Write numbers, or time stamps such as 2024-01-31 12:00:00.5, throughout.",
            )
        return found


def as_numbers(texts: pd.Series[str], style: NumberStyle) -> DoubleArray:
    """Return texts as numbers, NaN where they are none."""
    if style.is_plain:
        return pd.to_numeric(texts, errors="coerce").to_numpy(dtype=np.float64)
    return np.array([style.number(text) for text in texts], dtype=np.float64)


def _are_stamps(texts: pd.Series[str]) -> npt.NDArray[np.bool_]:
    """Tell which cells could be time stamps or clock times: they hold digits and a mark between them."""
    return (texts.str.fullmatch(STAMP, case=False) & ~texts.str.fullmatch(r"\d+[.,]?\d*")).to_numpy(dtype=bool)


def as_seconds(texts: pd.Series[str], dates: DateOrder, where: str) -> DoubleArray | None:
    """Return time stamps in seconds since the first of them, None where they are none.

    Raises
    ------
    DataError
        Where both 01/02 readings fit and differ, and none was chosen.
    """
    for written in (texts, _normal(texts)):
        stamps = _clock_times(written)
        if stamps is None:
            stamps = _dates(written, FORMATS)
        if stamps is None:
            stamps = _named_months(written)
        if stamps is None:
            stamps = _slashed_dates(written, dates, where)
        if stamps is not None:
            return stamps
    return None


def _normal(texts: pd.Series[str]) -> pd.Series[str]:
    """Return stamps in one way of writing: fractions behind a point throughout, slashes, ``PM``, no ``UTC``."""
    for pattern, instead in (
        (r"\s*(UTC|GMT)$", ""),
        (r"(:\d{2}:\d{2})[,:](\d{1,9})", r"\1.\2"),
        (r"(?i)\s*\b([ap])\.?m\.?$|(?<=\d)\s*([ap])\.?m\.?$", r" \1\2M"),
        (r"(:\d{2}:\d{2})(?![\d.:])", r"\1.0"),
        (r"^(\d{1,2})-(\d{1,2})-(\d{2,4})\b", r"\1/\2/\3"),
        (r"^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}),\s*", r"\1 "),
    ):
        texts = texts.str.replace(pattern, instead, regex=True)
    return texts


def _clock_times(texts: pd.Series[str]) -> DoubleArray | None:
    """Read clock times: ``HH:MM:SS.fff``, ``HH:MM``, and ``MM:SS.fff`` where two parts have a fraction."""
    if not texts.str.fullmatch(CLOCK).all():
        return None
    has_two = texts.str.count(":") == 1
    is_short = has_two & texts.str.contains(".", regex=False)
    whole = texts.mask(is_short, "00:" + texts).mask(has_two & ~is_short, texts + ":00")
    try:
        return _past_midnight(pd.to_timedelta(whole).dt.total_seconds().to_numpy(dtype=np.float64))
    except (ValueError, OverflowError):
        return None


def _past_midnight(clock: DoubleArray) -> DoubleArray:
    """Return times of day with a day added wherever the clock begins anew at midnight, where all steps allow that."""
    steps = np.diff(clock)
    back = steps < 0
    if not back.any() or (steps[back] > -HALF_DAY).any() or (steps > HALF_DAY).any():
        return clock
    return clock + 2 * HALF_DAY * np.append(0, np.cumsum(back))


def _named_months(texts: pd.Series[str]) -> DoubleArray | None:
    if not texts.str.fullmatch(NAMED_MONTH.pattern, case=False).all():
        return None
    form = guess_datetime_format(texts.iloc[0], dayfirst=True)
    return _dates(texts, ("mixed",) if form is None else (form, "mixed"))


def _dates(texts: pd.Series[str], formats: tuple[str, ...]) -> DoubleArray | None:
    for form in formats:
        try:
            stamps = pd.to_datetime(texts, format=form, utc=True)
            # seconds since the first stamp: an epoch would cost the fractions their digits
            return (stamps - stamps.min()).dt.total_seconds().to_numpy(dtype=np.float64)
        except (ValueError, OverflowError):
            continue
    return None


def _slashed_dates(texts: pd.Series[str], dates: DateOrder, where: str) -> DoubleArray | None:
    """Read 31/01/2024 and 01/31/2024; where both readings fit and differ, refuse to guess."""
    clocks = ("", *(f" {clock}" for clock in SLASHED))
    day_first = _dates(texts, tuple(f"%d/%m/%{year}{clock}" for year in "Yy" for clock in clocks))
    month_first = _dates(texts, tuple(f"%m/%d/%{year}{clock}" for year in "Yy" for clock in clocks))
    if dates != "ask":
        return day_first if dates == "day first" else month_first
    if day_first is None or month_first is None:
        return month_first if day_first is None else day_first
    if np.array_equal(day_first, month_first):
        return day_first
    raise DataError(
        f"{texts.iloc[0]!r} can be read with the day or with the month first.",
        where=where,
        remedy="Choose which, or write dates as 2024-01-31.",
    )


def sampling_rate(times: Timestamps, column: str) -> tuple[float | None, ReportLine]:
    """Estimate the sampling rate in Hz from the times of series, and say how.

    Returns None where the column's unit is not known or the steps are not equal; each point's position in its series
    then serves as its time, until the user names a unit or resamples.
    """
    if times.step is None:
        return None, note(f"Each series has one time point, so {column!r} tells no sampling rate.")
    if times.rate is None:
        return None, _unequal(times, column)
    if times.counts_points:
        return None, note(
            f"{column!r} counts time points.",
            remedy="Give the sampling rate to have seconds on the axis.",
            choice="sampling_rate",
        )
    if times.unit is None:
        return None, note(
            f"{column!r} rises in equal steps of {times.mean_step:.6g}, but in which unit is not known, so the axis "
            "counts time points.",
            remedy="Choose the time unit, or give the sampling rate.",
            choice="time_unit",
        )
    rate = times.rate if times.unit == 1 else float(f"{times.rate / times.unit:.12g}")
    return rate, note(f"{column!r} rises in equal steps: {rate_in_words(rate)}.", choice="time_unit")


def _unequal(times: Timestamps, column: str) -> ReportLine:
    remedy = "Resample the series to a grid of equal steps."
    if (months := times.calendar_months) is not None:
        every = {1: "month", 3: "quarter", 12: "year"}.get(months, f"{months} months")
        text = f"The steps of {column!r} are of one {every} each: days differ in number, so the steps are not equal."
        return note(text, remedy="Give a sampling rate to count them as equal.", choice="sampling_rate")
    kept = "The times are kept, and until then each time point's position in its series is used."
    if all(Timestamps((one,)).rate is not None for one in times.values if len(one) > 1):
        text = (
            f"The steps of {column!r} are equal within each series, but differ between series: they were sampled at "
            f"different rates. {kept}"
        )
        return note(text, remedy=remedy, choice="time_column")
    return note(f"The steps of {column!r} are not equal. {kept}", remedy=remedy, choice="time_column")
