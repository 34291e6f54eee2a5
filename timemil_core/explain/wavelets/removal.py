"""What a model says without some of its wavelets: the removal, and the network that lacks them.

The model itself stays as it is: a copy of its network is given other kernels.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from timemil_core.errors import ModelError
from timemil_core.explain.wavelets.learned import LearnedWavelets
from timemil_core.models.encodings import PositionalEncoding, WaveletEncoding
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel


@dataclass(frozen=True)
class Removal:
    """Which wavelets are taken away, counted from 0; None stands for all.

    ``Removal()`` takes all, ``Removal(0)`` those of the first layer, ``Removal(0, 2)`` the third wavelet of each
    feature there, ``Removal(0, 2, 17)`` a single kernel.
    """

    layer: int | None = None
    wavelet: int | None = None
    feature: int | None = None

    @property
    def title(self) -> str:
        """What it takes, for people; counted from 1."""
        if self.layer is None:
            return "all wavelets" if self.wavelet is None else f"wavelet {self.wavelet + 1} of all layers"
        parts = [f"layer {self.layer + 1}"]
        parts += [] if self.wavelet is None else [f"wavelet {self.wavelet + 1}"]
        parts += [] if self.feature is None else [f"feature {self.feature + 1}"]
        return ", ".join(parts)

    def takes(self, layer: int, n_wavelets: int, width: int) -> Tensor:
        """Return which wavelets of a layer it takes, boolean ``(n_wavelets, L)``."""
        taken = torch.zeros(n_wavelets, width, dtype=torch.bool)
        if self.layer in (None, layer):
            wavelets = slice(None) if self.wavelet is None else slice(self.wavelet, self.wavelet + 1)
            features = slice(None) if self.feature is None else slice(self.feature, self.feature + 1)
            taken[wavelets, features] = True
        return taken


class OtherKernels(PositionalEncoding):
    """A wavelet encoding with another kernel of each feature, ``(L, size)``, in place of the sum of its wavelets."""

    kernel: Tensor

    def __init__(self, encoding: WaveletEncoding) -> None:
        super().__init__()
        self.encoding = encoding
        self.register_buffer("kernel", encoding.wavelets.kernels().sum(dim=0).detach())

    def added(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return what these kernels add."""
        return self.encoding.added_by(self.kernel, instances, mask)


def with_other_kernels(network: TimeMIL) -> tuple[TimeMIL, list[OtherKernels]]:
    """Return a copy of a network, and the encodings by which its kernels can be changed, one a layer.

    Raises
    ------
    ModelError
        Where the positional encoding is not the wavelet one.
    """
    copy = deepcopy(network)
    others = []
    for encoder in copy.pooling.encoders:
        if not isinstance(encoder.encoding, WaveletEncoding):
            raise ModelError("this model has no wavelets to remove.", remedy="Choose one with the wavelet encoding.")
        other = OtherKernels(encoder.encoding)
        encoder.encoding = other
        others.append(other)
    return copy.eval().requires_grad_(False), others


def without(model: TrainedModel, removal: Removal) -> TrainedModel:
    """Return a model that lacks some wavelets, to predict with and explain; it cannot be saved.

    Raises
    ------
    ModelError
        Where the positional encoding is not the wavelet one.
    """
    network, others = with_other_kernels(model.timemil)
    for layer, other in enumerate(others):
        kernels = other.encoding.wavelets.kernels()
        taken = removal.takes(layer, *kernels.shape[:2]).to(kernels.device)
        other.kernel = (kernels * ~taken[..., None]).sum(dim=0).detach()
    return replace(model, network=network, supervised=None, wavelet_path=None, facts={"without": removal.title})


def every_kernel(layers: LearnedWavelets, layer: int) -> list[Removal]:
    """Return the removal of each kernel of a layer, wavelet by wavelet."""
    n_wavelets, width = layers[layer].scales.shape
    return [Removal(layer, int(wavelet), int(feature)) for wavelet, feature in np.ndindex(n_wavelets, width)]


def every_part(layers: LearnedWavelets) -> list[Removal]:
    """Return the removal of all wavelets, of each layer's, and of each wavelet of each layer."""
    parts = [Removal()] if len(layers) > 1 else []
    for layer in layers:
        parts += [Removal(layer.layer), *(Removal(layer.layer, wavelet) for wavelet in range(len(layer.scales)))]
    return parts
