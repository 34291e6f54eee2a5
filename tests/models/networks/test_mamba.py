from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn.functional import softplus

from timemil_core.errors import SettingsError
from timemil_core.models.at_once import asked_for
from timemil_core.models.networks import selective_scan as scan
from timemil_core.models.networks.mamba import Mamba, MambaBlock, MambaConfig
from timemil_core.models.networks.selective_scan import selective_scan


def one_by_one(driving: Tensor, steps: Tensor, entering: Tensor, leaving: Tensor, rates: Tensor) -> Tensor:
    """The recurrence as it is written, a time point after the other."""
    state = torch.zeros(len(driving), *rates.shape, dtype=driving.dtype)
    out = []
    for at in range(driving.shape[1]):
        new = (steps[:, at] * driving[:, at])[:, None] * entering[:, at, :, None]
        state = (steps[:, at, None] * rates).exp() * state + new
        out.append((leaving[:, at, :, None] * state).sum(dim=1))
    return torch.stack(out, dim=1)


def inputs(n_timepoints: int, dtype: torch.dtype) -> list[Tensor]:
    draw = torch.Generator().manual_seed(n_timepoints)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=draw, dtype=dtype)

    steps = softplus(normal(2, n_timepoints, 3) * 3 - 1)  # some so long that a state is gone at once
    rates = -torch.arange(1, 5, dtype=dtype)[:, None].repeat(1, 3)
    wide, long = normal(2, n_timepoints, 3), normal(2, 2, n_timepoints, 4)
    return [one.requires_grad_() for one in (wide, steps, long[0].clone(), long[1].clone(), rates)]


@pytest.mark.parametrize("n_timepoints", [1, 2, 15, 16, 17, 100])
def test_the_scan_is_the_recurrence(n_timepoints: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "LONGEST_PIECE", 16)  # several pieces
    given = inputs(n_timepoints, torch.float32)
    torch.testing.assert_close(selective_scan(*given), one_by_one(*given), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("n_timepoints", [1, 15, 37])
def test_so_are_its_gradients(n_timepoints: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "LONGEST_PIECE", 16)
    given = inputs(n_timepoints, torch.float64)
    weights = torch.randn(2, n_timepoints, 3, dtype=torch.float64)
    expected = torch.autograd.grad((one_by_one(*given) * weights).sum(), given)
    found = torch.autograd.grad((selective_scan(*given) * weights).sum(), given)
    torch.testing.assert_close(found, expected)


def test_it_does_not_see_the_future() -> None:
    block = MambaBlock(64)
    features = torch.randn(1, 30, 64)
    changed = features.clone()
    changed[:, 20:] += 1.0
    moved = (block(changed) - block(features)).abs().amax(dim=2)[0] > 0
    assert moved.tolist() == [False] * 20 + [True] * 10


def test_steps_begin_between_a_thousandth_and_a_tenth() -> None:
    steps = softplus(MambaBlock(64).step.bias)
    assert 0.00099 < steps.min() < steps.max() < 0.101


def test_blocks_are_a_setting() -> None:
    config = asked_for("mamba", n_channels=2, n_classes=2, n_blocks=3)
    assert isinstance(config, MambaConfig)
    assert len(Mamba(config).blocks) == 3
    with pytest.raises(SettingsError, match="n_blocks is 23"):
        asked_for("mamba", n_channels=2, n_classes=2, n_blocks=23)
