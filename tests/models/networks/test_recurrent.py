from __future__ import annotations

import torch

from timemil_core.models.networks.recurrent import last_observed


def test_the_last_observed_state() -> None:
    states = torch.arange(8.0).view(2, 4, 1)
    mask = torch.tensor([[True, True, False, False], [True, True, True, True]])
    assert last_observed(states, mask).flatten().tolist() == [1, 7]
    assert last_observed(states, None).flatten().tolist() == [3, 7]
