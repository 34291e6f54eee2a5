"""Kernels in the data's terms: which frequencies each lets through, and how far in time it reaches.

All is read off the taps with which the model computes. What an uncut Mexican hat would do is known in closed form
(`hat_band`): where the two part, a kernel is cut off by its few taps or sampled too coarsely.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import e, pi, sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import lambertw

DoubleArray = npt.NDArray[np.float64]

FINE_GRID = 4096
SHARE_OF_ENERGY = 0.95
UNLIKE = 0.1
"""Relative difference of a band's edge or peak from the uncut Mexican hat's from which a kernel counts as unlike it."""

# |ψ̂_a(f)| is proportional to ω² exp(-ω² / 2) with ω = 2π a f: the peak lies at ω² = 2, and half of its power where
# u exp(-u / 2) = √2 / e with u = ω², that is u = -2 W(-1 / (√2 e)) on both branches of Lambert's W.
_PEAK = sqrt(2)
_LOW, _HIGH = (sqrt(-2 * lambertw(-1 / (sqrt(2) * e), branch).real) for branch in (0, -1))


@dataclass(frozen=True, eq=False)
class Bands:
    """Pass bands and reach of kernels; all arrays of one shape ``(...)``.

    Attributes
    ----------
    low, peak, high
        Cycles per time point, 0 to 0.5: the edges at half power around the peak.
    first, last
        Whole time points before (negative) or after the one that is answered at: the fewest taps in a row that hold
        95 % of the kernel's energy.
    unlike_hat
        Whether an edge or the peak differs by more than 10 % from that of the same Mexican hat without sampling and
        cut-off; None where scales are not given.
    """

    low: DoubleArray
    peak: DoubleArray
    high: DoubleArray
    first: DoubleArray
    last: DoubleArray
    unlike_hat: npt.NDArray[np.bool_] | None = None

    @property
    def extent(self) -> DoubleArray:
        """How many time points a kernel looks at: those from ``first`` to ``last``."""
        return self.last - self.first + 1


def bands_of(
    kernels: npt.NDArray[np.floating],
    positions: npt.NDArray[np.floating],
    scales: npt.NDArray[np.floating] | None = None,
) -> Bands:
    """Return bands and reach of kernels ``(..., size)``.

    Parameters
    ----------
    positions
        ``(size,)``: the time points of the taps.
    scales
        ``(...)``, a > 0 in time points, where each kernel is one Mexican hat: it is then compared with the uncut one.
    """
    low, peak, high = _edges(kernels)
    first, last = _reach(np.asarray(kernels, dtype=np.float64), np.asarray(positions, dtype=np.float64))
    unlike = None
    if scales is not None:
        pairs = zip((low, peak, high), hat_band(np.asarray(scales, dtype=np.float64)), strict=True)
        # Beyond half a cycle per time point nothing can be told apart: there both are at the end.
        unlike = np.any([np.abs(found - np.minimum(ideal, 0.5)) > UNLIKE * ideal for found, ideal in pairs], axis=0)
    return Bands(low, peak, high, first, last, unlike)


def hat_band(scales: npt.NDArray[np.floating] | float) -> tuple[DoubleArray, DoubleArray, DoubleArray]:
    """Return (low, peak, high) of uncut Mexican hats of scale a > 0 in cycles per time point.

    The peak is √2 / (2π a), the band at half power reaches from 0.139 / a to 0.324 / a; a shift changes nothing.
    """
    per_cycle = 2 * pi * np.asarray(scales, dtype=np.float64)
    return _LOW / per_cycle, _PEAK / per_cycle, _HIGH / per_cycle


def frequency_response(
    kernels: npt.NDArray[np.floating], sampling_rate: float | None = None, n: int = 256
) -> tuple[DoubleArray, DoubleArray]:
    """Return frequencies ``(n,)`` and the magnitude ``(..., n)`` of kernels' response.

    Parameters
    ----------
    kernels
        ``(..., size)`` taps.
    sampling_rate
        In Hz; None counts in cycles per time point, 0 to 0.5.
    n
        How many frequencies, evenly from 0 to half the sampling rate.
    """
    length = 2 * (n - 1)
    kernels = np.asarray(kernels, dtype=np.float64)
    if length >= kernels.shape[-1]:
        magnitude = np.abs(np.fft.rfft(kernels, length, axis=-1))
    else:  # the transform would cut taps off: take its sum directly
        cycles = np.arange(n)[:, None] / length * np.arange(kernels.shape[-1])
        magnitude = np.abs(kernels @ np.exp(-2j * np.pi * cycles).T)
    return np.linspace(0, (sampling_rate or 1.0) / 2, n), magnitude


def peak_frequency(kernels: npt.NDArray[np.floating], sampling_rate: float | None = None) -> DoubleArray:
    """Return where kernels ``(..., size)`` answer most, ``(...)``; √2 / (2π a) for an uncut Mexican hat."""
    return _edges(kernels, sampling_rate)[1]


def pass_band(kernels: npt.NDArray[np.floating], sampling_rate: float | None = None) -> tuple[DoubleArray, DoubleArray]:
    """Return the lowest and highest frequency ``(...)`` around the peak with at least half of the peak's power."""
    low, _, high = _edges(kernels, sampling_rate)
    return low, high


def _edges(
    kernels: npt.NDArray[np.floating], sampling_rate: float | None = None
) -> tuple[DoubleArray, DoubleArray, DoubleArray]:
    frequencies, magnitude = frequency_response(kernels, sampling_rate, FINE_GRID)
    peak = magnitude.argmax(axis=-1)
    within = magnitude**2 >= np.take_along_axis(magnitude, peak[..., None], -1) ** 2 / 2
    index = np.arange(FINE_GRID)
    # The nearest frequencies on either side of the peak that fall short bound the band.
    below = np.where(~within & (index < peak[..., None]), index, -1).max(axis=-1)
    above = np.where(~within & (index > peak[..., None]), index, FINE_GRID).min(axis=-1)
    return frequencies[below + 1], frequencies[peak], frequencies[above - 1]


def _reach(kernels: DoubleArray, positions: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    # The shortest run of taps that holds enough energy; of equally long ones the one that holds most.
    energy = np.concatenate([np.zeros_like(kernels[..., :1]), np.cumsum(kernels**2, axis=-1)], axis=-1)
    needed = SHARE_OF_ENERGY * energy[..., -1]
    size = kernels.shape[-1]
    first, length = np.zeros(needed.shape, dtype=np.intp), np.zeros(needed.shape, dtype=np.intp)
    for n in range(size, 0, -1):
        within = energy[..., n:] - energy[..., :-n]
        enough = within.max(axis=-1) >= needed
        first = np.where(enough, within.argmax(axis=-1), first)
        length = np.where(enough, n, length)
    return positions[first], positions[first + length - 1]
