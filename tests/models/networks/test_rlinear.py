"""Reversible instance normalisation: worked out by hand, undone, and what padding holds does not enter it."""

from __future__ import annotations

import torch

from timemil_core.models.networks.forecasting_parts import ReversibleInstanceNorm, mean_and_deviation
from timemil_core.models.networks.rlinear import RMLP, RMLPConfig

VALUES = torch.tensor([[[1.0, 3.0, 5.0, 100.0]]])
MASK = torch.tensor([[True, True, True, False]])


def test_mean_and_deviation_by_hand() -> None:
    mean, deviation = mean_and_deviation(VALUES, MASK)
    assert mean.item() == 3
    torch.testing.assert_close(deviation.square().item(), 8 / 3 + 1e-5, atol=1e-5, rtol=0)


def test_it_is_undone() -> None:
    norm = ReversibleInstanceNorm(1)
    torch.nn.init.constant_(norm.weight, 0.5)
    torch.nn.init.constant_(norm.bias, 2.0)
    normal, mean, deviation = norm(VALUES, MASK)
    assert normal[0, 0, 3] == 0
    torch.testing.assert_close(norm.restore(normal, mean, deviation)[..., :3], VALUES[..., :3])


def test_a_level_added_passes_the_maps_by() -> None:
    """What the maps see of a series is the same at any level: the level enters the flat features alone."""
    network = RMLP(RMLPConfig(n_channels=1, n_classes=2, network="rmlp", n_timepoints=6)).eval()
    values = torch.randn(1, 1, 6)
    flat = network.head.linear.weight.sum(dim=1)  # what a level of 1 adds to each logit
    torch.testing.assert_close(network(values + 10) - network(values), 10 * flat[None], atol=1e-3, rtol=1e-3)
