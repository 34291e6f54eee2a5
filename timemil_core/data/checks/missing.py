"""Values that are missing, or stand for a missing value without saying so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.preparation import LARGEST_CLASSIFIED
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.data.wording import listed

MUCH = 0.3  # of the values
TELLING = 0.2  # by how much the classes' shares of missing values may differ
_NUMBERS = (99.0, 999.0, 9999.0, 99999.0, 999999.0, 32767.0, 32768.0, 65535.0, 1e20)
SENTINELS = tuple(sign * number for number in _NUMBERS for sign in (1, -1))
FEWEST = 2  # occurrences
APART = 3.0  # times the spread of all other values that a sentinel lies beyond them


def missing_values(measured: Measured) -> Iterator[ReportLine]:
    """Tell what is missing (pitfalls 11 and 12)."""
    series_set = measured.series_set
    sizes = series_set.lengths * series_set.n_channels
    n_missing = sizes - measured.n_observed.sum(axis=1)
    if not n_missing.any():
        return
    yield from no_values(measured)
    share = n_missing.sum() / sizes.sum()
    tell = warning if share > MUCH else note
    yield tell(
        f"{share:.2%} of the values are missing, in {np.count_nonzero(n_missing):,} of {len(series_set):,} series. "
        "They are interpolated inside a series and held at its ends; pictures draw gaps."
    )
    yield from _wholly_missing_channels(measured)
    yield from _by_class(series_set, n_missing / sizes)


def no_values(measured: Measured) -> Iterator[ReportLine]:
    """Look for series without a single value."""
    series_set = measured.series_set
    if (whole := np.flatnonzero(measured.n_observed.sum(axis=1) == 0)).size:
        yield warning(
            f"{len(whole):,} series hold no value at all: "
            f"{listed([series_set.series_ids[index] for index in whole], 3)}. They are neither trained on nor "
            "classified.",
            remedy="Leave them out.",
        )


def too_large(measured: Measured) -> Iterator[ReportLine]:
    """Look for values that a network's arithmetic cannot hold unless training scales them down."""
    series_set = measured.series_set
    sizes = np.fmax(np.abs(measured.low), np.abs(measured.high))
    too_large = np.argwhere(sizes > LARGEST_CLASSIFIED)
    if not too_large.size:
        return
    index, channel = too_large[0]
    values = series_set.series[index][channel]
    time = int(np.nanargmax(np.where(np.isfinite(values), np.abs(values), np.nan)))
    yield warning(
        f"Values beyond {LARGEST_CLASSIFIED:.1g} in {len(np.unique(too_large[:, 0])):,} series, such as "
        f"{values[time]:g} at time point {time} (counted from 0): unless training scales them down, the network's "
        "arithmetic of 32 bits overflows, and the series cannot be classified.",
        where=f"series {series_set.series_ids[index]!r}, channel {series_set.channel_names[channel]!r}",
        remedy="Correct them, or write them as missing.",
    )


def _wholly_missing_channels(measured: Measured) -> Iterator[ReportLine]:
    series_set = measured.series_set
    has_other = measured.n_observed.sum(axis=1) > 0
    for channel, name in enumerate(series_set.channel_names):
        gone = np.flatnonzero((measured.n_observed[:, channel] == 0) & has_other)
        if gone.size:
            ids = listed([series_set.series_ids[index] for index in gone], 3)
            yield warning(
                f"It is wholly missing in {len(gone):,} of {len(series_set):,} series ({ids}), and takes the training "
                "mean there.",
                where=f"channel {name!r}",
                remedy="Leave the channel out, or the series, if many are concerned.",
                choice="channels",
            )


def _by_class(series_set: SeriesSet, shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Iterator[ReportLine]:
    present = [label for label in np.unique(series_set.labels) if label != UNKNOWN_LABEL]
    means = [float(shares[series_set.labels == label].mean()) for label in present]
    if len(means) > 1 and max(means) - min(means) > TELLING:
        most, least = (series_set.class_names[present[int(pick(means))]] for pick in (np.argmax, np.argmin))
        yield warning(
            f"Missing values tell the class: {max(means):.0%} are missing in {most!r}, {min(means):.0%} in {least!r}. "
            "A model may learn the gaps instead of the signal.",
            remedy="Find out why; compare with a set in which gaps are alike.",
        )


def sentinels(measured: Measured) -> Iterator[ReportLine]:
    """Look for numbers that stand for a missing value (pitfall 11)."""
    for number, where in find_sentinels(measured.series_set).items():
        places = ", ".join(f"{count:,} times in {name!r}" for name, count in where.items())
        yield warning(
            f"The number {number:g} looks like a sign for a missing value: it occurs {places}, far from all others. "
            "It is used as a value.",
            remedy="Treat it as missing.",
            choice="sentinels",
        )


def find_sentinels(series_set: SeriesSet) -> Mapping[float, Mapping[str, int]]:
    """Return the numbers that look like signs for a missing value, and how often each channel has them.

    Such a number occurs twice at least, and lies beyond all others by three times their spread.
    """
    found: dict[float, dict[str, int]] = {}
    for channel, name in enumerate(series_set.channel_names):
        values = np.concatenate([one[channel] for one in series_set.series])
        values = values[np.isfinite(values)]
        while (number := _sentinel_at_an_end(values)) is not None:
            is_it = values == np.float32(number)
            found.setdefault(number, {})[name] = int(is_it.sum())
            values = values[~is_it]
    return found


def _sentinel_at_an_end(values: np.ndarray[tuple[int], np.dtype[np.float32]]) -> float | None:
    if values.size < 2 * FEWEST:
        return None
    for end in (float(values.max()), float(values.min())):
        if end not in SENTINELS:
            continue
        rest = values[values != np.float32(end)].astype(np.float64)
        if not FEWEST <= values.size - rest.size <= rest.size:
            continue
        others = rest[~np.isin(rest, SENTINELS)]
        if others.size and np.abs(others - end).min() > APART * max(float(np.ptp(others)), 1e-6 * abs(end)):
            return end
    return None
