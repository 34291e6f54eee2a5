"""How a layer's wavelets moved during training, in numbers that say whether they did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.explain.wavelets.learned import LayerWavelets, learned_wavelets
from timemil_core.models.trained import TrainedModel

DoubleArray = npt.NDArray[np.float64]

MOST = 0.9
"""The share of kernels of which it is said how far they moved at most, beside the median."""


@dataclass(frozen=True, eq=False)
class Movement:
    """Where the wavelets of one layer were, epoch by epoch.

    Attributes
    ----------
    layer
        Index, from 0.
    epochs
        ``(n_epochs,)`` rising, from 0, which is before training.
    scales, shifts
        ``(n_epochs, n_wavelets, L)``, in time points.
    kept
        The place in ``epochs`` of the model itself: later ones were trained, and not kept.
    recorded
        Whether the way between was recorded; else only the start and the model itself are there.
    """

    layer: int
    epochs: npt.NDArray[np.int64]
    scales: DoubleArray
    shifts: DoubleArray
    kept: int
    recorded: bool

    @property
    def factors(self) -> DoubleArray:
        """By which factor each scale had changed, up or down, ``(n_epochs, n_wavelets, L)``: 1 or more."""
        return 2 ** np.abs(np.log2(self.scales / self.scales[0]))

    @property
    def distances(self) -> DoubleArray:
        """By how many time points each shift had moved, ``(n_epochs, n_wavelets, L)``."""
        return np.abs(self.shifts - self.shifts[0])

    @property
    def shares_of_spread(self) -> tuple[float, float]:
        """The median moves of scale (logarithm) and shift up to the model over the spread (deviation) at the start."""
        began = np.log(self.scales[0]), self.shifts[0]
        moved = np.log(self.factors[self.kept]), self.distances[self.kept]
        spreads = [float(one.std()) for one in began]
        scale, shift = (
            float(np.median(way)) / spread if spread else float("inf")
            for way, spread in zip(moved, spreads, strict=True)
        )
        return scale, shift

    @property
    def sentence(self) -> str:
        """Say how far the wavelets moved, in plain words."""
        factors, distances = self.factors[self.kept], self.distances[self.kept]
        of_scale, of_shift = self.shares_of_spread
        return (
            f"Training changed the scale of the median kernel by {_percent(np.median(factors))}, of nine in ten by at "
            f"most {_percent(np.quantile(factors, MOST))}; shifts moved {np.median(distances):.2g} time points "
            f"(median), nine in ten at most {np.quantile(distances, MOST):.2g}. That is {of_scale:.1%} and "
            f"{of_shift:.1%} of the spread with which scales and shifts began."
        )


def movement_of(model: TrainedModel, layer: int) -> Movement | None:
    """Return how the wavelets of one layer moved; None where it is not known how they began.

    The model's own wavelets, of the epoch that was kept, are among the epochs whether or not that one was recorded.
    """
    own = learned_wavelets(model)[layer]
    path, kept = model.wavelet_path, model.facts.get("best_epoch")
    if path is None or path.epochs[0] != 0:
        return _from_start_to_end(own, kept)
    kept = int(path.epochs[-1] if kept is None else kept)
    before, later = path.epochs < kept, path.epochs > kept
    here = own.scales[None], own.shifts[None]
    scales, shifts = (
        np.concatenate([way[before, layer], one, way[later, layer]]).astype(np.float64)
        for way, one in zip((path.scales, path.shifts), here, strict=True)
    )
    epochs = np.concatenate([path.epochs[before], [kept], path.epochs[later]])
    return Movement(layer, epochs, scales, shifts, int(before.sum()), recorded=True)


def _from_start_to_end(own: LayerWavelets, kept: int | None) -> Movement | None:
    if own.initial_scales is None or own.initial_shifts is None:
        return None
    scales = np.stack([own.initial_scales, own.scales]).astype(np.float64)
    shifts = np.stack([own.initial_shifts, own.shifts]).astype(np.float64)
    return Movement(own.layer, np.array([0, kept or 1]), scales, shifts, 1, recorded=False)


def _percent(factor: float) -> str:
    return f"{100 * (factor - 1):.2g} %"
