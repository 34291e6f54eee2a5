"""Kernels as the Mexican hats that they are: between their taps, and laid over what they answer to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from timemil_core.explain.wavelets.bands import Bands
from timemil_core.explain.wavelets.learned import LayerWavelets
from timemil_core.models.wavelets import mexican_hat

DoubleArray = npt.NDArray[np.float64]

N_POINTS = 241
MOST_TRIED = 40  # kernels that are held against a series
AROUND = 4.0  # scales to either side of the middle: beyond, the hat is flat


@dataclass(frozen=True, eq=False)
class Hat:
    """A continuous hat: its values at places, in time points from the one that is answered at."""

    positions: DoubleArray
    values: DoubleArray


@dataclass(frozen=True, eq=False)
class Answer:
    """Where in a series a kernel answers most.

    Attributes
    ----------
    timepoint
        The time point that is answered at.
    positions
        ``(n,)``: places in the series, in time points, that the hat is drawn at.
    values
        ``(n,)``: the hat there, stretched to the feature's own range and turned over where the answer is negative.
    """

    timepoint: int
    positions: DoubleArray
    values: DoubleArray


def hat_between_taps(layer: LayerWavelets, at: tuple[int, int]) -> Hat:
    """Return the continuous ψ_{a,b} whose taps a kernel holds (equation 10), over the span of the taps.

    Its height is fitted to the taps: other programs' kernels are scaled otherwise.
    """
    positions = np.linspace(float(layer.positions[0]), float(layer.positions[-1]), N_POINTS)
    values = _psi(positions, layer, at)
    taps = _psi(layer.positions, layer, at)
    energy = float((taps * taps).sum())
    height = float((taps * layer.kernels[at]).sum()) / energy if energy else 1.0
    return Hat(positions, height * values)


def recognisable(layer: LayerWavelets, bands: Bands, before: npt.NDArray[np.floating] | None = None) -> tuple[int, int]:
    """Return (wavelet, feature) of the kernel in which a hat is seen best.

    Of the widest that the taps can hold it is the one that a feature of a series, ``before`` ``(n_timepoints, L)``,
    follows most closely where it answers most, away from the ends; without a series the widest of them.
    """
    scales = np.array(layer.scales, dtype=np.float64)
    half = float(layer.positions[-1])
    held = np.abs(layer.shifts) + AROUND * scales <= half + 1
    if bands.unlike_hat is not None:
        held &= ~bands.unlike_hat
    widest = np.argsort(np.where(held, -scales, scales.max() - scales), axis=None, kind="stable")
    tried = widest[: max(1, min(MOST_TRIED, int(held.sum())))]
    kernels = [(int(one) // scales.shape[1], int(one) % scales.shape[1]) for one in tried]
    if before is None:
        return kernels[0]
    return max(kernels, key=lambda at: _followed(before[:, at[1]], layer, at))


def _followed(before: npt.NDArray[np.floating], layer: LayerWavelets, at: tuple[int, int]) -> float:
    # The correlation of the feature with the hat laid over it, times the share of the feature's range that it spans.
    feature = np.asarray(before, dtype=np.float64)
    answer = strongest_answer(feature, layer, at)
    ends = AROUND * float(layer.scales[at])
    inside = ends <= answer.timepoint + float(layer.shifts[at]) <= len(feature) - 1 - ends
    if not inside or len(answer.positions) < 2 or not np.ptp(feature):
        return 0.0
    under = np.interp(answer.positions, np.arange(len(feature)), feature)
    if not np.ptp(under) or not np.ptp(answer.values):
        return 0.0
    return float(np.corrcoef(under, answer.values)[0, 1] * np.ptp(under) / np.ptp(feature))


def strongest_answer(before: npt.NDArray[np.floating], layer: LayerWavelets, at: tuple[int, int]) -> Answer:
    """Return where a kernel answers most to its feature, ``(n_timepoints,)``, and the hat laid over it there.

    Beyond the ends of the series the feature counts as 0, as in the network (equation 11).
    """
    feature, kernel = np.asarray(before, dtype=np.float64), np.asarray(layer.kernels[at], dtype=np.float64)
    half = len(kernel) // 2
    answers = np.correlate(np.pad(feature, half), kernel, mode="valid")
    timepoint = int(np.abs(answers).argmax())
    scale, shift = float(layer.scales[at]), float(layer.shifts[at])
    middle = timepoint + shift
    positions = np.linspace(middle - AROUND * scale, middle + AROUND * scale, N_POINTS)
    positions = positions[(positions >= 0) & (positions <= len(feature) - 1)]
    first, last = max(int(np.floor(middle - AROUND * scale)), 0), int(np.ceil(middle + AROUND * scale)) + 1
    under = feature[first:last]
    foot, height = _fitted(_psi(np.arange(first, first + len(under), dtype=np.float64) - timepoint, layer, at), under)
    turned = np.sign(answers[timepoint]) or 1.0
    return Answer(timepoint, positions, foot + turned * height * _psi(positions - timepoint, layer, at))


def _fitted(shape: DoubleArray, feature: DoubleArray) -> tuple[float, float]:
    # the line of least squares through (hat, feature): its foot, and how high the hat is drawn, without a sign
    if len(shape) < 2 or np.ptp(shape) == 0:
        return (float(feature.mean()) if len(feature) else 0.0), 0.0
    slope, foot = np.polyfit(shape, feature, 1)
    return float(foot), abs(float(slope))


def _psi(positions: npt.NDArray[np.floating], layer: LayerWavelets, at: tuple[int, int]) -> DoubleArray:
    scale, shift = (torch.tensor(float(values[at]), dtype=torch.float64) for values in (layer.scales, layer.shifts))
    places = torch.as_tensor(np.asarray(positions, dtype=np.float64))
    values: DoubleArray = mexican_hat(places, scale, shift).numpy()
    return values
