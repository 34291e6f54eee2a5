"""Channels that hold nothing, that differ widely in scale, or whose values float32 cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.timestamps import DoubleArray
from timemil_core.data.wording import listed

SCALE_RATIO = 100.0
COARSE = 1 / 64  # of a channel's standard deviation within series: a rounding step that shows
MANY = 0.5  # of the series


def constant_channels(measured: Measured) -> Iterator[ReportLine]:
    """Look for channels without any variation (pitfall 13)."""
    series_set = measured.series_set
    same = [channel for channel in range(series_set.n_channels) if _only_value(measured, channel) is not None]
    if same:
        names = [series_set.channel_names[channel] for channel in same]
        values = ", ".join(f"{_only_value(measured, channel):g}" for channel in same[:3])
        yield warning(
            f"{'It is' if len(same) == 1 else 'Each is'} one value throughout all series "
            f"({values}{' …' if len(same) > 3 else ''}): it tells nothing. Normalised, it is 0.",
            where=f"channel {names[0]!r}" if len(same) == 1 else f"channels {listed(names)}",
            remedy="Leave it out; if it should vary, look at the sensor or at how the file was read.",
            choice="channels",
        )
    for channel in range(series_set.n_channels):
        if channel not in same:
            yield from _constant_in_some(measured, channel)


def _only_value(measured: Measured, channel: int) -> float | None:
    """Return the value that a channel has in all series, None where it varies or is never observed."""
    low, high = measured.low[:, channel], measured.high[:, channel]
    known = np.isfinite(low)
    if not known.any() or low[known].min() != high[known].max():
        return None
    return float(low[known][0])


def _constant_in_some(measured: Measured, channel: int) -> Iterator[ReportLine]:
    series_set = measured.series_set
    constant = (measured.low[:, channel] == measured.high[:, channel]) & (series_set.lengths > 1)
    if not constant.any() or constant.all():
        return
    some = [series_set.series_ids[index] for index in np.flatnonzero(constant)]
    tell = warning if constant.mean() >= MANY else note
    yield tell(
        f"It does not vary in {len(some):,} of {len(series_set):,} series ({listed(some, 3)}).",
        where=f"channel {series_set.channel_names[channel]!r}",
        remedy="If the sensor was off there, write its values as missing or leave the series out.",
    )


def scales(measured: Measured) -> Iterator[ReportLine]:
    """Compare the channels' spreads (pitfall 14)."""
    names = measured.series_set.channel_names
    spreads = np.array([_spread(measured, channel) for channel in range(len(names))])
    varying = np.flatnonzero(spreads > 0)
    if len(varying) < 2:
        return
    least, most = varying[spreads[varying].argmin()], varying[spreads[varying].argmax()]
    if spreads[most] > SCALE_RATIO * spreads[least]:
        yield note(
            f"Channels differ in scale by a factor of {spreads[most] / spreads[least]:,.0f}: {names[most]!r} varies by "
            f"{spreads[most]:.3g}, {names[least]!r} by {spreads[least]:.3g} (standard deviations). Training puts them "
            "on one scale with the training series' mean and deviation of each channel.",
            remedy="Do not set the normalisation to 'none'.",
        )


def _spread(measured: Measured, channel: int) -> float:
    """Return the standard deviation of a channel over all observed values of all series."""
    counts, means, deviations = (one[:, channel] for one in (measured.n_observed, measured.mean, measured.deviation))
    known = counts > 0
    if not known.any():
        return 0.0
    weights = counts[known] / counts[known].sum()
    overall = float(weights @ means[known])
    return float(np.sqrt(weights @ (np.square(deviations[known]) + np.square(means[known] - overall))))


def precision(measured: Measured) -> Iterator[ReportLine]:
    """Look for values so large that float32 rounds their differences away, such as an epoch (pitfall 26)."""
    for channel, name in enumerate(measured.series_set.channel_names):
        largest = np.fmax(np.abs(measured.low[:, channel]), np.abs(measured.high[:, channel]))
        known = np.isfinite(largest)
        if not known.any() or largest[known].max() < 1:
            continue
        rounding = float(np.spacing(np.float32(np.median(largest[known]))))
        within = _median_or_zero(measured.deviation[known, channel])
        if rounding > COARSE * within and (within > 0 or rounding >= 1):
            yield warning(
                f"Values near {np.median(measured.mean[known, channel]):.6g} are held in steps of {rounding:g} "
                f"(float32), and vary by {within:.3g} within a series: small differences are rounded away.",
                where=f"channel {name!r}",
                remedy="Subtract a constant before uploading; if it is a time (seconds since 1970), leave it out.",
                choice="channels",
            )


def _median_or_zero(deviations: DoubleArray) -> float:
    return float(np.median(deviations)) if deviations.size else 0.0
