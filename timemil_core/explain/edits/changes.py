"""What an edit does to a series: pure functions of arrays, which leave what they are given as it is.

``values`` are raw, ``(n_channels, n_timepoints)``; NaN is a missing value and stays one, unless other values are put
there. ``times`` are ``(n_timepoints,)``, rising; steps may be unequal. Nothing outside the place changes, but for a
shift, which also writes where it moves to.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.edits.place import Place, Times

DoubleArray = npt.NDArray[np.float64]

SAME_TIME = 1e-6  # of a step: two times as near as that are one


def mask(values: FloatArray, place: Place) -> FloatArray:
    """Take the values away, as missing: the model's preparation draws a straight line between what is left."""
    return _with(values, place, np.full((len(place.rows(len(values))), place.length), np.nan))


def flatten(values: FloatArray, place: Place, *, level: str = "span mean") -> FloatArray:
    """Hold each channel at one level: its mean over the span, or over the whole series (``"series mean"``)."""
    inside = _inside(values, place)
    source = inside if level == "span mean" else values[place.rows(len(values))].astype(np.float64)
    return _with(values, place, np.where(np.isfinite(inside), _mean(source), np.nan))


def scale(values: FloatArray, place: Place, *, factor: float, around: str = "span mean") -> FloatArray:
    """Multiply the distance from each channel's mean over the span, or from 0 (``"zero"``)."""
    inside = _inside(values, place)
    centre = _mean(inside) if around == "span mean" else 0.0
    return _with(values, place, centre + factor * (inside - centre))


def smooth(values: FloatArray, place: Place, times: Times, *, width: float) -> FloatArray:
    """Replace each value by the mean of what is observed within ``width / 2`` of its time, also beyond the span."""
    moments = times[place.start : place.stop]
    slack = SAME_TIME * _step(times)
    first = np.searchsorted(times, moments - width / 2 - slack)
    beyond = np.searchsorted(times, moments + width / 2 + slack, side="right")
    rows = values[place.rows(len(values))].astype(np.float64)
    centre = _mean(rows)  # sums of small numbers are exact where values are large and alike
    observed = np.isfinite(rows)
    sums, counts = _sums(np.where(observed, rows - centre, 0.0)), _sums(observed)
    total, count = (of[:, beyond] - of[:, first] for of in (sums, counts))
    means = centre + total / np.maximum(count, 1)
    return _with(values, place, np.where(observed[:, place.start : place.stop], means, np.nan))


def shift(values: FloatArray, place: Place, times: Times, *, by: float) -> FloatArray:
    """Move the span ``by`` later in time (earlier below 0), over what was there.

    What is moved beyond an end of the series is lost. The time points that are left behind are filled by a straight
    line between their neighbours. Between time points values are interpolated.

    Raises
    ------
    SettingsError
        Where nothing of it would be left in the series.
    """
    moments, slack = times[place.start : place.stop], SAME_TIME * _step(times)
    first = int(np.searchsorted(times, moments[0] + by - slack))
    beyond = int(np.searchsorted(times, moments[-1] + by + slack, side="right"))
    if first >= beyond:
        raise SettingsError(
            "the shift moves the whole span out of the series, or between two time points.",
            remedy="Shift it less far, or choose a longer span.",
        )
    changed = values.copy()
    positions = np.arange(len(times))
    left = (positions >= place.start) & (positions < place.stop) & ~((positions >= first) & (positions < beyond))
    for row in place.rows(len(values)):
        changed[row, first:beyond] = read_at(moments, values[row, place.start : place.stop], times[first:beyond] - by)
        known = ~left & np.isfinite(changed[row])
        filled = np.interp(times[left], times[known], changed[row, known]) if known.any() else np.nan
        changed[row, left] = filled
    return changed


def swap(
    values: FloatArray, place: Place, times: Times, *, donor: FloatArray, donor_times: Times, donor_start: int
) -> FloatArray:
    """Put another series' values there, from its time point ``donor_start`` on, missing ones included.

    Raises
    ------
    SettingsError
        Where the other series has other channels, or ends too early.
    """
    if len(donor) != len(values):
        raise SettingsError(f"the other series has {len(donor)} channels, this one {len(values)}.")
    moments = times[place.start : place.stop] - times[place.start]
    slack = SAME_TIME * _step(times)
    if not 0 <= donor_start < len(donor_times) or donor_times[donor_start] + moments[-1] > donor_times[-1] + slack:
        raise SettingsError(
            f"the other series ends too early: it has no {place.length} time points from {donor_start} on.",
            remedy="Choose a shorter span, an earlier place to take it from, or a longer series.",
        )
    rows = place.rows(len(values))
    return _with(
        values, place, np.stack([read_at(donor_times, donor[row], donor_times[donor_start] + moments) for row in rows])
    )


def read_at(times: Times, values: FloatArray, moments: Times) -> DoubleArray:
    """Return the values at some moments, ``(n_moments,)``: exact at time points, else interpolated between two.

    Beside a missing value, and beyond the ends by more than a rounding error, nothing is known: NaN.
    """
    slack = SAME_TIME * _step(times)
    after = np.clip(np.searchsorted(times, moments), 0, len(times) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(times[before] - moments) <= np.abs(times[after] - moments), before, after)
    exact = np.abs(times[nearest] - moments) <= slack
    between = np.interp(moments, times, values.astype(np.float64), left=np.nan, right=np.nan)
    return np.where(exact, values[nearest], between)


def _with(values: FloatArray, place: Place, inside: DoubleArray) -> FloatArray:
    changed = values.copy()
    changed[place.rows(len(values)), place.start : place.stop] = inside
    return changed


def _inside(values: FloatArray, place: Place) -> DoubleArray:
    return values[place.rows(len(values)), place.start : place.stop].astype(np.float64)


def _mean(rows: DoubleArray) -> DoubleArray:
    # (n_rows, n) to (n_rows, 1), over the observed; 0 where nothing is
    observed = np.isfinite(rows)
    total = np.where(observed, rows, 0.0).sum(axis=1, keepdims=True)
    return np.asarray(total / np.maximum(observed.sum(axis=1, keepdims=True), 1))


def _sums(values: npt.NDArray[np.generic]) -> DoubleArray:
    # (n_rows, n) to (n_rows, 1 + n): of all values before each time point
    sums = np.cumsum(values, axis=1, dtype=np.float64)
    return np.concatenate([np.zeros_like(sums[:, :1]), sums], axis=1)


def _step(times: Times) -> float:
    return float(np.median(np.diff(times))) if len(times) > 1 else 1.0
