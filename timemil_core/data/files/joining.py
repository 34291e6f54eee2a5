"""Several files' series made one: channels matched by name, ids kept apart, rates compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from timemil_core.data.files.parts import Parts
from timemil_core.data.report_line import ReportLine, condensed, repair
from timemil_core.data.series_set import FloatArray
from timemil_core.data.timestamps import DoubleArray, Timestamps
from timemil_core.data.wording import listed
from timemil_core.errors import DataError


def joined(named: Sequence[tuple[str, Parts]]) -> Parts:
    """Return the parts of several files, each with the file's name, as one.

    Raises
    ------
    DataError
        Where a file's channels differ in name or number from the first one's.
    """
    first_name, first = named[0]
    rows = [(name, _with_channels(parts, first, name, first_name)) for name, parts in named]
    parts = [part for _, part in rows]
    rates = _rates(parts)
    before_ids = _before_ids(rows)
    groups = [_groups(part, before) for part, before in zip(parts, before_ids, strict=True)]
    return Parts(
        series=[one for part in parts for one in part.series],
        ids=[f"{before}{one}" for before, part in zip(before_ids, parts, strict=True) for one in part.ids],
        channel_names=first.channel_names,
        labels=[label for part in parts for label in part.labels],
        split=_optional([part.split for part in parts], [len(part.series) for part in parts], "train"),
        sampling_rate=rates.pop() if len(rates) == 1 else None,
        truth=[one for part in parts for one in part.truth or ()] if all(part.truth for part in parts) else None,
        groups=_optional(groups, [len(part.series) for part in parts], "unknown"),
        timestamps=_times(parts),
        spans=[one for part in parts for one in part.spans or ()] if all(part.spans for part in parts) else None,
        lines=_lines(rows),
    )


def _optional(given: Sequence[Sequence[str] | None], lengths: Sequence[int], otherwise: str) -> list[str] | None:
    """Return a text a series where one file at least tells them."""
    if all(one is None for one in given):
        return None
    return [
        text for one, n in zip(given, lengths, strict=True) for text in (one if one is not None else [otherwise] * n)
    ]


def _with_channels(parts: Parts, first: Parts, name: str, first_name: str) -> Parts:
    """Return the parts with their channels in the first file's order."""
    if parts.channel_names == first.channel_names:
        return parts
    if sorted(parts.channel_names) != sorted(first.channel_names):
        raise DataError(
            f"The channels are {listed(parts.channel_names)}, but {listed(first.channel_names)} in {first_name}.",
            where=name,
            remedy="Give every file the same channels, by the same names.",
        )
    order = [parts.channel_names.index(channel) for channel in first.channel_names]
    series: list[FloatArray] = [one[order] for one in parts.series]
    line = repair(f"The channels are in another order than in {first_name}; they were matched by name.")
    return replace(parts, series=series, channel_names=first.channel_names, lines=[*parts.lines, line])


def _before_ids(rows: Sequence[tuple[str, Parts]]) -> list[str]:
    """Return what stands before each file's ids: its name where files use the same ones."""
    counts = Counter(one for _, part in rows for one in set(part.ids))
    return ["" if all(count == 1 for count in counts.values()) else f"{name} " for name, _ in rows]


def _groups(parts: Parts, before: str) -> Sequence[str] | None:
    """Return the groups; recordings that series were cut from are as much the file's own as its ids are."""
    if parts.groups is None:
        return None
    pairs = list(zip(parts.ids, parts.groups, strict=True))
    are_recordings = all(one == group or one.startswith(f"{group} (") for one, group in pairs)
    is_cut = any(one != group for one, group in pairs)
    return [f"{before}{group}" for group in parts.groups] if are_recordings and is_cut else parts.groups


def _rates(parts: Sequence[Parts]) -> set[float | None]:
    """Return the different rates; a file whose series have one time point each cannot tell any."""
    return {part.sampling_rate for part in parts if part.sampling_rate is not None or max(part.lengths) > 1} or {None}


def _times(parts: Sequence[Parts]) -> Timestamps | None:
    """Return the times of all series where one file has some, or files differ in their rate: in seconds, then."""
    rates = _rates(parts)
    units = {part.timestamps.unit for part in parts if part.timestamps is not None}
    is_regular = all(part.timestamps is None for part in parts)
    if (is_regular and (len(rates) == 1 or None in rates)) or len(units) > 1:
        return None
    if not is_regular and any(part.timestamps is None and part.sampling_rate is None for part in parts):
        return None
    unit = units.pop() if units else 1.0
    values: list[DoubleArray] = []
    for part in parts:
        if part.timestamps is not None:
            values.extend(part.timestamps.values)
        else:
            step = 1.0 / ((part.sampling_rate or 1.0) * (unit or 1.0))
            values.extend(np.arange(n, dtype=np.float64) * step for n in part.lengths)
    return Timestamps(tuple(values), unit)


def _lines(rows: Sequence[tuple[str, Parts]]) -> list[ReportLine]:
    """Return each different line once for the files that share it, with the first of them as its place."""
    places: dict[ReportLine, list[str]] = {}
    for name, part in rows:
        for line in part.lines:
            places.setdefault(line, []).append(name)
    told: list[ReportLine] = []
    for line, names in places.items():
        if len(names) == len(rows):
            told.append(line)
        else:
            more = f" and {len(names) - 1:,} more files" if len(names) > 1 else ""
            told.append(replace(line, where=f"{names[0]}{more}" + (f", {line.where}" if line.where else "")))
    return condensed(told)  # ten thousand files may all have one
