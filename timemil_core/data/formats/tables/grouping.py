"""Rows of a long table sorted into series: by id and group, within each by time, one row a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from timemil_core.data.formats.tables.layout import TableLayout
from timemil_core.data.formats.tables.read import Table
from timemil_core.data.formats.tables.times import sampling_rate
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.series_set import BoolArray, IntArray
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

DoubleArray = npt.NDArray[np.float64]
FEWEST_ROWS = 4  # of a stretch of time, on average


@dataclass(eq=False)
class Grouping:
    """Rows in the order of series and time.

    Attributes
    ----------
    order
        Rows of the table, ``(n_rows,)``.
    codes
        The series of each of them, rising.
    ids
        The series' names.
    times
        Of each of them; None without a time column.
    lines
        What was found.
    recordings
        What each series was cut from; None where none was cut.
    """

    order: IntArray
    codes: IntArray
    ids: list[str]
    times: DoubleArray | None
    lines: list[ReportLine] = field(default_factory=list)
    recordings: list[str] | None = None

    @property
    def starts(self) -> IntArray:
        """Where each series begins in the order."""
        return np.flatnonzero(np.diff(self.codes, prepend=-1)).astype(np.int64)

    def same_time(self) -> BoolArray:
        """Tell which rows have the series and time of the row before, ``(n_rows,)``."""
        same = np.zeros(len(self.order), dtype=np.bool_)
        if self.times is not None:
            same[1:] = (np.diff(self.codes) == 0) & (np.diff(self.times) == 0)
        return same


def grouped(table: Table, layout: TableLayout) -> Grouping:
    """Sort a table's rows.

    Raises
    ------
    DataError
        Where an id or time is missing: names file, row and column.
    """
    codes, ids = series_codes(table, layout)
    times = None
    if layout.time_column is not None and table.time is not None:
        times = table.time.values(layout.dates, table.written.source.name)
    lines = list(_interleaved(codes, len(ids), layout))
    recordings = None
    if times is not None and layout.kind == "long" and layout.restarts == "new":
        codes, ids, recordings, told = _begun_anew(codes, ids, times, layout)
        lines.extend(told)
    order = _order(codes, times)
    if times is not None and (np.diff(order)[np.diff(codes[order]) == 0] < 0).any():
        lines.append(
            repair(
                f"Rows were not in the order of time; they were sorted by {layout.time_column!r} in each series.",
                where=_first_step_back(table, order, codes, layout),
                choice="time_column",
            )
        )
    return Grouping(order, codes[order], ids, None if times is None else times[order], lines, recordings)


def _begun_anew(
    codes: IntArray, ids: list[str], times: DoubleArray, layout: TableLayout
) -> tuple[IntArray, list[str], list[str] | None, list[ReportLine]]:
    """Return the rows' series, each begun anew where its time goes back to where it was, and what they are cut from.

    Rows that are merely out of order stay in their series: stretches must be long, and repeat the times before them.
    """
    order = np.argsort(codes, kind="stable")
    own, clock = codes[order], times[order]
    back = (np.diff(clock) < 0) & (np.diff(own) == 0)
    if not back.any():
        return codes, ids, None, []
    is_first = np.append(True, (np.diff(own) != 0) | back)
    starts = np.flatnonzero(is_first)
    stops = np.append(starts[1:], len(own)) - 1
    again = back[starts[1:] - 1]  # stretches that begin by a step back
    middles = (clock[starts] + clock[stops])[:-1] / 2
    is_anew = (clock[starts[1:]] <= middles) & (clock[stops[1:]] > clock[starts[:-1]])
    if not is_anew[again].all() or len(own) < FEWEST_ROWS * len(starts):
        return codes, ids, None, []
    pieces = np.empty_like(codes)
    pieces[order] = np.cumsum(is_first) - 1
    of_piece = own[starts]
    number = np.arange(len(of_piece)) - np.searchsorted(of_piece, of_piece) + 1
    names = [f"{ids[code]} ({place})" for code, place in zip(of_piece, number, strict=True)]
    line = warning(
        f"The time {layout.time_column!r} begins anew within {'a series' if layout.id_column else 'the file'}: each of "
        f"the {len(names):,} stretches was taken for a series of its own.",
        remedy="Choose that rows are sorted by time if they belong together.",
        choice="restarts",
    )
    return pieces, names, [ids[code] for code in of_piece] if layout.id_column else None, [line]


def series_codes(table: Table, layout: TableLayout) -> tuple[IntArray, list[str]]:
    """Return the series of each row, and their names in the order in which they appear."""
    if layout.id_column is None:
        return np.zeros(len(table.rows), dtype=np.int64), [table.written.source.stem]
    coded = table.coded[layout.id_column]
    empty = [position for position, text in enumerate(coded.texts) if text == ""]
    if empty:
        rows = np.flatnonzero(coded.codes == empty[0])
        raise DataError(
            f"The row does not say which series it belongs to; such rows: {rows.size:,}.",
            where=table.where(rows[0], layout.id_column),
            remedy="Fill the ids in, or choose another id column.",
        )
    codes = coded.codes.astype(np.int64)
    if layout.group_column is None or not layout.ids_within_groups:
        return codes, list(coded.texts)
    group = table.coded[layout.group_column]
    pairs, joint = np.unique(group.codes * np.int64(len(coded.texts)) + codes, return_inverse=True)
    first_rows = np.full(len(pairs), len(joint), dtype=np.int64)
    np.minimum.at(first_rows, joint, np.arange(len(joint)))
    by_appearance = np.argsort(first_rows)
    place = np.empty_like(by_appearance)
    place[by_appearance] = np.arange(len(pairs))
    names = [f"{group.text(row)}/{coded.text(row)}" for row in first_rows[by_appearance]]
    return place[joint].astype(np.int64), names


def _interleaved(codes: IntArray, n_series: int, layout: TableLayout) -> list[ReportLine]:
    if layout.id_column is None or int((np.diff(codes) != 0).sum()) == n_series - 1:
        return []
    text = f"Rows of one series do not stand together; they were put together by {layout.id_column!r}"
    if layout.time_column is not None:
        return [note(f"{text}.", choice="id_column")]
    return [
        warning(
            f"{text}, in the order of the file.",
            remedy="Make sure that an id is not used again for another series.",
            choice="id_column",
        )
    ]


def _order(codes: IntArray, times: DoubleArray | None) -> IntArray:
    """Return the rows sorted by series and time; rows that are equal in both stay in the file's order."""
    steps = np.diff(codes)
    if (steps >= 0).all() and (times is None or (np.diff(times)[steps == 0] >= 0).all()):
        return np.arange(len(codes), dtype=np.int64)
    return np.lexsort((codes,) if times is None else (times, codes)).astype(np.int64)


def _first_step_back(table: Table, order: IntArray, codes: IntArray, layout: TableLayout) -> str:
    back = np.flatnonzero((np.diff(order) < 0) & (np.diff(codes[order]) == 0))
    return table.where(order[back[0]], layout.time_column or "")


def rate_of(
    grouping: Grouping, starts: IntArray, table: Table, layout: TableLayout
) -> tuple[float | None, Timestamps | None, list[ReportLine]]:
    """Return the sampling rate, or the times where they tell none, and what was found."""
    if layout.sampling_rate is not None:
        by = "by hand" if layout.sampling_rate != table.written.sampling_rate else "before the table"
        line = note(f"The sampling rate, {layout.sampling_rate:g} Hz, was given {by}.", choice="sampling_rate")
        return layout.sampling_rate, None, [line]
    if grouping.times is None or layout.time_column is None or table.time is None:
        return None, None, []
    unit = 1.0 if table.time.is_text else layout.time_unit
    times = Timestamps(tuple(np.split(grouping.times, starts[1:])), unit)
    rate, line = sampling_rate(times, layout.time_column)
    is_open = rate is None and times.step is not None and not times.counts_points
    return rate, times if is_open else None, [line]


DONE = {"mean": "their mean was taken", "first": "the first was kept", "last": "the last was kept"}


def without_doubles(grouping: Grouping, table: Table, layout: TableLayout) -> Grouping:
    """Return the grouping with one row a series and time; ``table.values`` holds the mean where that was chosen.

    Raises
    ------
    DataError
        Where rows are doubled and nothing was chosen.
    """
    same = grouping.same_time()
    if not same.any():
        return grouping
    if layout.same_time == "refuse":
        raise _refusal(grouping, same, table, layout)
    if layout.same_time == "mean":
        _average(grouping, same, table)
    kept = np.append(~same[1:], True) if layout.same_time == "last" else ~same
    line = repair(
        f"Rows with the time of another row of their series: {int(same.sum()):,}; {DONE[layout.same_time]}.",
        choice="same_time",
    )
    times = None if grouping.times is None else grouping.times[kept]
    return replace(
        grouping, order=grouping.order[kept], codes=grouping.codes[kept], times=times, lines=[*grouping.lines, line]
    )


def _average(grouping: Grouping, same: BoolArray, table: Table) -> None:
    """Write the mean of equal rows, missing values left out, into the first of them."""
    firsts = np.flatnonzero(~same)
    sizes = np.diff(np.append(firsts, len(same)))
    several = firsts[sizes > 1]
    for first, size in zip(several.tolist(), sizes[sizes > 1].tolist(), strict=True):
        rows = table.values[grouping.order[first : first + size]].astype(np.float64)
        known = ~np.isnan(rows)
        counts = known.sum(axis=0)
        means = np.where(counts > 0, np.nansum(rows, axis=0) / np.maximum(counts, 1), np.nan)
        table.values[grouping.order[first]] = means


def _refusal(grouping: Grouping, same: BoolArray, table: Table, layout: TableLayout) -> DataError:
    position = int(np.flatnonzero(same)[0])
    first, second = sorted(int(table.rows[grouping.order[place]]) for place in (position - 1, position))
    whose = "" if layout.id_column is None else f" of one series (column {layout.id_column!r})"
    return DataError(
        f"Rows {first} and {second}{whose} have the same time; such pairs of rows: {int(same.sum()):,}.",
        where=f"{table.written.source.name}, row {second}, column {layout.time_column!r}",
        remedy="Keep one row a time and series, or choose what becomes of rows with the same time. If series share an "
        "id, give each its own; if a column names the channel of each row, choose it.",
    )
