"""Choices of values: numbers that mean missing, padded ends, channels and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from timemil_core.data.checks.lengths import n_missing_at_end
from timemil_core.data.checks.missing import find_sentinels
from timemil_core.data.files.choices import Choosing
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import Timestamps
from timemil_core.data.wording import counted, listed
from timemil_core.errors import DataError


def choose_sentinels(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer to treat numbers as missing where some look like signs for it."""
    found = find_sentinels(series_set)
    if not found:
        return series_set
    options = {f"{number:g}": f"{number:g} ({sum(where.values()):,} times)" for number, where in found.items()}
    chosen = choosing.some("sentinels", "Numbers that mean: missing", options, ())
    return as_missing(series_set, [number for number in found if f"{number:g}" in chosen])


def as_missing(series_set: SeriesSet, numbers: Sequence[float]) -> SeriesSet:
    """Return the set with these numbers taken for missing values, in every channel."""
    if not numbers:
        return series_set
    signs = np.array(numbers, dtype=np.float32)
    n_values = sum(int(np.isin(values, signs).sum()) for values in series_set.series)
    sentence = f"{counted(n_values, 'value')} of {', '.join(f'{one:g}' for one in numbers)} were taken for missing."
    return replace(
        series_set,
        series=tuple(np.where(np.isin(values, signs), np.float32(np.nan), values) for values in series_set.series),
        provenance=(*series_set.provenance, sentence),
    )


def choose_ends(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer to cut missing values off the ends where series end in them."""
    if all(n_missing_at_end(values) < 2 for values in series_set.series):
        return series_set
    cut = choosing.flag("trim_ends", "Cut missing values off the ends", False, help="They only fill up the length.")
    return without_missing_ends(series_set) if cut else series_set


def without_missing_ends(series_set: SeriesSet) -> SeriesSet:
    """Return the set with every series ending at its last observed value; one without a value keeps one point."""
    ends = [max(1, values.shape[1] - n_missing_at_end(values)) for values in series_set.series]
    n_cut = int((series_set.lengths > ends).sum())
    truth, times = series_set.instance_labels, series_set.timestamps
    return replace(
        series_set,
        series=tuple(values[:, :end].copy() for values, end in zip(series_set.series, ends, strict=True)),
        instance_labels=truth and tuple(marks[:end].copy() for marks, end in zip(truth, ends, strict=True)),
        timestamps=times
        and Timestamps(tuple(one[:end] for one, end in zip(times.values, ends, strict=True)), times.unit),
        provenance=(*series_set.provenance, f"Missing values at the end of {n_cut:,} series were cut off."),
    )


def choose_channels(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer channels to be left out or put in another order."""
    names = series_set.channel_names
    if len(set(names)) < len(names):
        return series_set  # two of one name cannot be told apart in a choice
    return with_channels(series_set, choosing.some("channels", "Channels, in their order", names, names))


def with_channels(series_set: SeriesSet, names: Sequence[str]) -> SeriesSet:
    """Return the set with these channels, in this order.

    Raises
    ------
    DataError
        Where there is none, one is named twice, or one does not exist.
    """
    before = series_set.channel_names
    if tuple(names) == before:
        return series_set
    if not names or len(set(names)) < len(names) or set(names) - set(before):
        raise DataError(
            f"The channels {listed(list(names))} cannot be chosen.",
            where=series_set.name,
            remedy=f"Choose at least one of {listed(before)}, each once.",
        )
    left_out = [name for name in before if name not in names]
    sentence = f"Channels left out: {listed(left_out)}." if left_out else f"Channels were reordered: {listed(names)}."
    places = [before.index(name) for name in names]
    return replace(
        series_set,
        series=tuple(values[places] for values in series_set.series),
        channel_names=tuple(names),
        provenance=(*series_set.provenance, sentence),
    )
