"""``AuthorsTimeMIL``: ``TimeMIL`` with the three parts replaced in which the authors' code computes otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import torch
from torch import Tensor
from torch.nn.functional import pad

from timemil_core.models.authors.attention import AuthorsAttention, refuse_padding
from timemil_core.models.authors.config import AuthorsConfig, Scaling
from timemil_core.models.authors.wavelets import SignedWaveletBank
from timemil_core.models.backbone import InceptionTimeBackbone
from timemil_core.models.drawing import Building
from timemil_core.models.encodings import WaveletEncoding
from timemil_core.models.poolings.contract import PoolingWeights
from timemil_core.models.timemil import Output, TimeMIL


class AuthorsBackbone(InceptionTimeBackbone):
    """The same feature extractor, on a series with zeros around it where it is short."""

    def __init__(self, config: AuthorsConfig) -> None:
        super().__init__(config.n_channels, config.embedding_width)
        self.config = config

    def forward(self, values: Tensor, mask: Tensor | None = None) -> Tensor:
        """Embed each time point, the zeros around it too: ``config.own_places`` tells which are the series' own.

        Raises
        ------
        ModelError
            Where a time point is masked: their arithmetic would count it.
        """
        refuse_padding(mask)
        return super().forward(pad(values, self.config.zeros_around(values.shape[2])))


class AuthorsTimeMIL(TimeMIL):
    """A network whose logits are those of the authors' public code for the same weights and input.

    With ``config.scaling`` ``"series"`` a series is classified as their code classifies it alone; ``"batch"`` is
    their code for the batch that is given.
    """

    config: AuthorsConfig

    def __init__(self, config: AuthorsConfig) -> None:
        super().__init__(config)
        self.backbone = AuthorsBackbone(config)
        assert self.pooling.class_token_layers is not None
        layers = self.pooling.class_token_layers.layers
        for layer in layers:
            attention = AuthorsAttention(config)
            attention.load_state_dict(layer.attention.state_dict())  # as TimeMIL has drawn it
            layer.attention = attention
            cast(WaveletEncoding, layer.encoding).wavelets = SignedWaveletBank(config.embedding_width)
        first, *others = (cast(WaveletEncoding, layer.encoding).wavelets for layer in layers)
        for bank in others:
            bank.load_state_dict(first.state_dict())  # their layers begin with the same wavelets

    def detailed(self, values: Tensor, mask: Tensor | None = None) -> Output:
        """Classify and keep what the pages draw, of the series' own time points."""
        output = super().detailed(values, mask)
        places = self.config.own_places(values.shape[2])
        rows = tuple(
            torch.cat([row[..., :1], row[..., 1:][..., places]], dim=-1) for row in output.weights.class_token_rows
        )
        weights = PoolingWeights(output.weights.instances[:, places], rows)
        return Output(output.logits, output.instances[:, places], weights, pooled=output.instances)

    def with_scaling(self, scaling: Scaling) -> AuthorsTimeMIL:
        """Return a copy in eval mode that scales its pseudo-inverses so: ``"batch"`` to compare with their code."""
        with Building():
            copy = AuthorsTimeMIL(replace(self.config, scaling=scaling))
        copy.load_state_dict(self.state_dict())
        return copy.to(next(self.parameters()).device).eval()
