"""Passes of the same series through a network with other wavelet kernels, from the first changed layer on.

The backbone, and what enters each layer, do not depend on what is changed later: they are computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import pad

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.wavelets.removal import with_other_kernels
from timemil_core.models.time_aware import with_class_token
from timemil_core.models.trained import TrainedModel

FEATURES_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class _Batch:
    """Places of some series, their mask, and what enters each layer: with the class token where there is one."""

    indices: list[int]
    mask: Tensor | None
    entering: list[Tensor]


class Passes:
    """A copy of a model's network with its series half-way through it; call it in inference mode.

    Attributes
    ----------
    kernels
        The model's own, ``(n_wavelets, L, size)`` for each layer.

    Raises
    ------
    ModelError
        Where the positional encoding is not the wavelet one.
    """

    def __init__(self, model: TrainedModel, series: Sequence[FloatArray]) -> None:
        self._network, self._encodings = with_other_kernels(model.timemil)
        self.kernels = [other.encoding.wavelets.kernels() for other in self._encodings]
        self._own = [other.kernel for other in self._encodings]
        self._n_series, self._n_classes = len(series), len(model.class_names)
        self._batches = [
            _Batch(indices, mask, self._entering(self._network.backbone(values, mask), mask))
            for indices, values, mask in model.batches(series)
        ]
        self._products = [self._window_products(layer) for layer in range(len(self._encodings))]

    def logits(self, taken: Sequence[Tensor | None] = ()) -> npt.NDArray[np.float64]:
        """Return logits ``(n_series, n_classes)``, with ``taken`` subtracted from each layer's kernels.

        ``taken`` has one entry a layer: ``(L, size)``, or None where nothing changes.
        """
        for place, (other, own) in enumerate(zip(self._encodings, self._own, strict=True)):
            less = taken[place] if taken else None
            other.kernel = own if less is None else own - less
        first = next((place for place, less in enumerate(taken) if less is not None), 0)
        logits = np.empty((self._n_series, self._n_classes))
        for batch in self._batches:
            logits[batch.indices] = self._from(batch, first).double().cpu().numpy()
        return logits

    def energy(self, layer: int, kernel: Tensor | None) -> Tensor:
        """Return the summed square, over all series and time points, of what a kernel ``(L, size)`` adds: ``(L,)``."""
        if kernel is None:
            return torch.zeros(len(self._products[layer]), dtype=torch.float64)
        exact = kernel.to(self._products[layer])
        return torch.einsum("li,lij,lj->l", exact, self._products[layer], exact).clamp_min(0)

    def _entering(self, instances: Tensor, mask: Tensor | None) -> list[Tensor]:
        layers = self._network.pooling.class_token_layers
        return [instances] if layers is None else [one.entering for one in layers.passes(instances, mask)]

    def _from(self, batch: _Batch, first: int) -> Tensor:
        pooling = self._network.pooling
        if pooling.class_token_layers is not None:
            mask = with_class_token(batch.mask)
            bag = pooling.class_token_layers.class_token_from(first, batch.entering[first], mask)
        else:
            bag, _ = pooling(batch.entering[0], batch.mask)
        return self._network.classify(bag)

    def _window_products(self, layer: int) -> Tensor:
        # (L, size, size): what a kernel adds at t is its product with the window around t, so that the energy of what
        # it adds is a quadratic form of these sums of w wᵀ over all windows w.
        has_token = self._network.pooling.class_token_layers is not None
        size, width = self._own[layer].shape[1], self._own[layer].shape[0]
        products = torch.zeros(width, size, size, dtype=torch.float64, device=self._own[layer].device)
        for batch in self._batches:
            instances = batch.entering[layer][:, 1:] if has_token else batch.entering[layer]
            for place in range(len(instances)):
                one = instances[place] if batch.mask is None else instances[place][batch.mask[place]]
                padded = pad(one.T, (size // 2, size // 2)).double()  # (L, n_timepoints + size - 1)
                for start in range(0, width, FEATURES_AT_ONCE):
                    windows = padded[start : start + FEATURES_AT_ONCE].unfold(1, size, 1)
                    products[start : start + FEATURES_AT_ONCE] += windows.transpose(1, 2) @ windows
        return products
