"""The learned wavelets of each layer, and what the positional encoding adds to a series."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.examination import as_array
from timemil_core.models.abilities import Ability
from timemil_core.models.encodings import WaveletEncoding
from timemil_core.models.trained import TrainedModel
from timemil_core.models.wavelets import WaveletBank, mexican_hat, tap_positions

DoubleArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LayerWavelets:
    """The wavelets of one layer (equation 10), learned and as they were before training.

    Attributes
    ----------
    layer
        Index, from 0.
    scales, shifts
        ``(n_wavelets, L)``: a and b of ψ_{a,b}, in time points.
    kernels
        ``(n_wavelets, L, size)``.
    initial_scales, initial_shifts, initial_kernels
        The same before training; None where that is not known, as of an imported checkpoint.
    positions
        ``(size,)``: the time points of a kernel's taps, 0 in the middle.
    """

    layer: int
    scales: FloatArray
    shifts: FloatArray
    kernels: FloatArray
    initial_scales: FloatArray | None
    initial_shifts: FloatArray | None
    initial_kernels: FloatArray | None
    positions: FloatArray

    @property
    def moved(self) -> DoubleArray | None:
        """How far training moved each kernel, ``(n_wavelets, L)``: the summed absolute change of its taps."""
        if self.initial_kernels is None:
            return None
        return np.abs(self.kernels - self.initial_kernels).sum(axis=-1, dtype=np.float64)


LearnedWavelets = tuple[LayerWavelets, ...]


@dataclass(frozen=True, eq=False)
class EncodedLayer:
    """What the positional encoding does in one layer, for one series.

    Attributes
    ----------
    layer
        Index, from 0.
    before
        ``(n_timepoints, L)``: the instances that enter the layer.
    added
        ``(n_timepoints, L)``: what the encoding adds to them (equation 11).
    """

    layer: int
    before: FloatArray
    added: FloatArray

    @property
    def relative_size(self) -> float:
        """The root mean square of what is added over that of what enters; infinite where nothing enters."""
        entering = float(np.sqrt(np.mean(np.square(self.before, dtype=np.float64))))
        adding = float(np.sqrt(np.mean(np.square(self.added, dtype=np.float64))))
        return adding / entering if entering else float("inf")


def learned_wavelets(model: TrainedModel) -> LearnedWavelets:
    """Return each layer's wavelets; empty for a model without any."""
    if Ability.WAVELETS not in model.abilities:
        return ()
    return tuple(
        _layer_wavelets(layer, encoder.encoding.wavelets)
        for layer, encoder in enumerate(model.timemil.pooling.encoders)
        if isinstance(encoder.encoding, WaveletEncoding)
    )


def encoding_of_series(model: TrainedModel, series: FloatArray) -> tuple[EncodedLayer, ...]:
    """Return what the positional encoding adds to one raw series ``(n_channels, n_timepoints)``, by layer.

    Poolings without layers have one encoding, told as layer 0. The model stays as it is.
    """
    with torch.inference_mode():
        (_, values, mask), *_ = model.batches([series])
        instances = model.timemil.backbone(values, mask)
        own = model.timemil.config.own_places(values.shape[2])
        return tuple(
            EncodedLayer(layer, as_array(before[0, own]), as_array(encoding.added(before, mask)[0, own]))
            for layer, (encoding, before) in enumerate(model.timemil.pooling.encodings(instances, mask))
        )


def _layer_wavelets(layer: int, bank: WaveletBank) -> LayerWavelets:
    with torch.inference_mode():
        positions = tap_positions(bank.size, like=bank.shifts)
        initial_scales, initial_shifts, initial_kernels = _start(bank, positions)
        return LayerWavelets(
            layer=layer,
            scales=as_array(bank.scales),
            shifts=as_array(bank.shifts),
            kernels=as_array(bank.kernels()),
            initial_scales=initial_scales,
            initial_shifts=initial_shifts,
            initial_kernels=initial_kernels,
            positions=as_array(positions),
        )


def _start(bank: WaveletBank, positions: Tensor) -> tuple[FloatArray, FloatArray, FloatArray] | tuple[None, None, None]:
    scales, shifts = bank.initial_scales, bank.initial_shifts
    if not (isinstance(scales, Tensor) and isinstance(shifts, Tensor)):
        return None, None, None
    return as_array(scales), as_array(shifts), as_array(mexican_hat(positions, scales, shifts))
