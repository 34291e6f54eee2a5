from __future__ import annotations

import torch

from timemil_core.models.building import build
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.tapnet import TapNet


def network(n_channels: int, seed: int = 0) -> TapNet:
    made = build(OtherConfig(n_channels, 3, "tapnet"), seed)
    assert isinstance(made, TapNet)
    return made.eval()


def test_groups_are_two_thirds_of_the_channels_drawn_from_the_seed() -> None:
    groups = network(9).groups
    assert groups.shape == (3, 6)
    assert all(len(set(row)) == 6 for row in groups.tolist())
    assert torch.equal(groups, network(9).groups)
    assert not torch.equal(groups, network(9, seed=1).groups)
    assert network(1).groups.tolist() == [[0]]


def test_a_logit_is_the_radius_less_the_squared_distance_to_the_prototype() -> None:
    one = network(2)
    values = torch.randn(1, 2, 12)
    with torch.no_grad():
        one.radii.copy_(torch.tensor([1.0, 2.0, 3.0]))
        one.prototypes[0] = one._embedded(values, None)[0]  # the series lies on the first
        one.prototypes[1] = one.prototypes[0]
        one.prototypes[1, 0] += 3.0
        logits = one(values)[0]
    torch.testing.assert_close(logits[:2], torch.tensor([1.0, 2.0 - 9.0]))
