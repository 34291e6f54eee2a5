"""MICN's isometric convolution: by Fourier transforms as by the sum, and nothing of what comes later."""

from __future__ import annotations

import torch
from torch.nn.functional import conv1d, pad

from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.micn import MICN, IsometricConvolution, MICNConfig


def test_it_is_the_convolution_behind_zeros() -> None:
    convolution = IsometricConvolution(3, 7)
    torch.nn.init.normal_(convolution.bias)
    tokens = torch.randn(2, 3, 7)
    naive = conv1d(pad(tokens, (6, 0)), convolution.weight.flip(2), convolution.bias[:, 0])
    torch.testing.assert_close(convolution(tokens), naive, atol=1e-5, rtol=1e-5)


def test_a_token_sees_none_that_comes_later() -> None:
    convolution, tokens = IsometricConvolution(2, 9), torch.randn(1, 2, 9)
    changed = tokens.clone()
    changed[..., 5:] += 10
    torch.testing.assert_close(convolution(tokens)[..., :5], convolution(changed)[..., :5], atol=1e-4, rtol=1e-4)


def test_scales_are_kept_as_json_keeps_them_and_no_longer_than_the_series() -> None:
    config = MICNConfig(n_channels=1, n_classes=2, network="micn", n_timepoints=5, scales=(3, 12, 16))
    kept: OtherConfig = MICNConfig.from_json({**config.to_json(), "scales": [3, 12, 16]})
    assert kept == config
    assert [scale.block for scale in MICN(config).layers[0].scales] == [3, 5]
