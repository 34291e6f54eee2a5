"""Without gradients another arithmetic runs: the same numbers as with them, for any weights, lengths and masks."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from tests.models.builders import batch, small_network
from timemil_core.models.backbone import InceptionTimeBackbone
from timemil_core.models.fast import convolutions


def _with_any_statistics(network: nn.Module) -> None:
    for module in network.modules():
        if isinstance(module, nn.BatchNorm1d):
            assert module.running_mean is not None and module.running_var is not None
            module.running_mean.normal_()
            module.running_var.uniform_(0.2, 3)
            nn.init.normal_(module.weight)
            nn.init.normal_(module.bias)


@pytest.mark.parametrize("many_points", [1, 10**9])
@pytest.mark.parametrize("lengths", [[1], [2, 1], [5, 40, 41], [70, 70]])
@pytest.mark.parametrize("n_channels", [1, 2])
def test_embeddings_are_those_with_gradients(
    monkeypatch: pytest.MonkeyPatch, many_points: int, lengths: list[int], n_channels: int
) -> None:
    monkeypatch.setattr(convolutions, "MANY_POINTS", many_points)
    torch.manual_seed(0)
    backbone = InceptionTimeBackbone(n_channels, 8).eval().double()
    _with_any_statistics(backbone)
    _, values, mask = batch(lengths, max(lengths) + 3, n_channels=n_channels)
    values = values.double()
    with torch.inference_mode():
        masked, whole = backbone(values, mask), backbone(values)
    torch.testing.assert_close(masked[mask], backbone(values, mask)[mask].detach())
    torch.testing.assert_close(whole, backbone(values).detach())


@pytest.mark.parametrize("settings", [{}, {"attention": "nystrom"}, {"value_convolution": "all"}])
@pytest.mark.parametrize("padded", [False, True])
def test_logits_are_those_with_gradients(settings: dict[str, Any], padded: bool) -> None:
    network = small_network(**settings, class_token_row_only=False).eval()
    _with_any_statistics(network)
    _, values, mask = batch([30, 21, 9] if padded else [30, 30, 30], 30)
    given = mask if padded else None
    with torch.inference_mode():
        ours = network(values, given)
    torch.testing.assert_close(ours, network(values, given).detach(), atol=1e-5, rtol=1e-5)
