"""Series that are empty, very short, padded, or of unequal lengths; steps that are unequal or have no unit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.wording import listed

LONGEST_KERNEL = 40  # of the network's convolutions (models/backbone.py; a test holds them equal)


def lengths(measured: Measured) -> Iterator[ReportLine]:
    """Look at how long series are (pitfalls 10 and 12)."""
    series_set = measured.series_set
    n = series_set.lengths
    if (single := np.flatnonzero(n == 1)).size:
        yield warning(
            f"Series of one time point, which is no course over time: {len(single):,} ({_ids(measured, single)}).",
            remedy="If a row is a series in your file, choose the wide layout; else leave these series out.",
        )
    if n.max() < LONGEST_KERNEL:
        yield note(
            f"All series are shorter than the network's longest kernel ({int(n.max()):,} of {LONGEST_KERNEL} time "
            "points): it reaches beyond both ends, where it sees the first and the last value held."
        )
    elif (short := np.flatnonzero((n < LONGEST_KERNEL) & (n > 1))).size:
        yield note(
            f"{len(short):,} of {len(series_set):,} series are shorter than the network's longest kernel "
            f"({LONGEST_KERNEL} time points): {_ids(measured, short)}."
        )
    if n.min() != n.max():
        yield note(
            f"Lengths are unequal ({n.min():,} to {n.max():,} time points). Nothing is cut or filled: shorter series "
            "are padded for computing only, and the padding is masked.",
            remedy="They can be cut to one length, or stretched.",
            choice="lengths",
        )


def swapped_axes(measured: Measured) -> Iterator[ReportLine]:
    """Look for more channels than time points, as transposed series have (pitfall 9)."""
    n_channels, longest = measured.series_set.n_channels, int(measured.series_set.lengths.max())
    if n_channels > longest:
        yield warning(
            f"There are more channels ({n_channels:,}) than time points ({longest:,}): the axes may be swapped.",
            remedy="Series are (channels, time points); transpose them if yours are not.",
        )


def padding(measured: Measured) -> Iterator[ReportLine]:
    """Look for missing values at the ends that look like padding (pitfalls 10 and 11)."""
    series_set = measured.series_set
    padded = [index for index, values in enumerate(series_set.series) if n_missing_at_end(values) > 1]
    whole = np.flatnonzero(measured.n_observed.sum(axis=1) == 0)
    if ends := [index for index in padded if index not in set(whole.tolist())]:
        yield warning(
            f"{len(ends):,} series end in missing values, as padding does: {_ids(measured, np.array(ends))}. They are "
            "taken for values that were not observed, and held at the last one.",
            remedy="Cut them off if they only fill up the length.",
            choice="trim_ends",
        )


def n_missing_at_end(values: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> int:
    """Return how many time points at the end of a series ``(n_channels, n_timepoints)`` hold nothing at all."""
    if not np.isnan(values[:, -1]).all():
        return 0
    observed = np.flatnonzero(~np.isnan(values).all(axis=0))
    return values.shape[1] - (int(observed[-1]) + 1 if observed.size else 0)


def steps(measured: Measured) -> Iterator[ReportLine]:
    """Look at sampling: unequal steps, an unknown unit (pitfall 9)."""
    series_set = measured.series_set
    times = series_set.timestamps
    if times is None and series_set.sampling_rate is None:
        yield note(
            "The sampling rate is not known: axes count time points, and frequencies have no unit.",
            remedy="Say how far apart time points are.",
            choice="step",
        )
    if times is None or times.step is None:
        return
    if times.unit is None:
        yield warning(
            f"The unit of the time column is not known (its steps are {times.step:.6g}): axes count time points.",
            remedy="Choose its unit.",
            choice="time_unit",
        )
    if times.rate is None:
        all_steps = np.concatenate([np.diff(one) for one in times.values])
        unit = "" if times.unit is None else " s"
        scale = times.unit or 1.0
        yield warning(
            f"Steps between time points are unequal: {all_steps.min() * scale:.4g} to {all_steps.max() * scale:.4g}"
            f"{unit}, in the median {times.step * scale:.4g}{unit}. The network takes them for equal.",
            remedy="Resample to equal steps, or keep the order of points alone if the steps mean nothing.",
            choice="rate",
        )


def _ids(measured: Measured, indices: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    return listed([measured.series_set.series_ids[index] for index in indices], 3)
