from __future__ import annotations

import torch

from timemil_core.models.networks.lstnet import N_SKIPPING, LSTNet, LSTNetConfig


def network(period: int) -> LSTNet:
    return LSTNet(LSTNetConfig(2, 3, "lstnet", period=period)).eval()


def test_states_do_not_see_the_future() -> None:
    values = torch.randn(1, 2, 60)
    changed = values.clone()
    changed[..., 40:] += 1.0
    one = network(24)
    assert one.states(values).shape == (1, 60, 105)
    moved_at = (one.states(changed) - one.states(values)).abs().amax(dim=2)[0] > 0
    assert moved_at.tolist() == [False] * 40 + [True] * 20


def test_the_skipping_states_are_those_of_a_loop() -> None:
    one = network(7)
    features = torch.randn(2, 24, 100)
    states = one._skipping(features)
    for first in range(7):  # each phase by itself, one cell step after the other
        alone = one.skipping_gru(features[:, first::7])[0]
        torch.testing.assert_close(states[:, first::7], alone)
    assert states.shape == (2, 24, N_SKIPPING)
