from __future__ import annotations

import torch

from timemil_core.models.networks.s4d import S4DBlock, convolved


def test_the_convolution_is_the_recurrence_in_both_directions() -> None:
    torch.manual_seed(0)
    block = S4DBlock(3)
    driving = torch.randn(2, 23, 3, dtype=torch.float64)
    steps, fading, turning, readout = (
        one.detach().double() for one in (block.log_steps, block.log_fading, block.turning, block.readout)
    )
    rates = torch.complex(-fading.exp(), turning)
    decay = (rates * steps.exp()[:, None]).exp()
    gain = (decay - 1) / rates
    read = torch.view_as_complex(readout)
    expected = torch.zeros_like(driving)
    state = torch.zeros(2, *rates.shape, dtype=torch.complex128)
    for at in range(23):
        state = decay * state + gain * driving[:, at, :, None]
        expected[:, at] += 2 * (read[0] * state).sum(dim=2).real
    state = torch.zeros_like(state)
    for at in range(21, -1, -1):
        state = decay * state + gain * driving[:, at + 1, :, None]
        expected[:, at] += 2 * (read[1] * state).sum(dim=2).real
    torch.testing.assert_close(convolved(driving, steps, fading, turning, readout), expected)


def test_one_time_point_is_driven_by_itself_alone() -> None:
    block = S4DBlock(2)
    out = convolved(torch.ones(1, 1, 2), block.log_steps, block.log_fading, block.turning, block.readout)
    assert out.shape == (1, 1, 2)
    assert out.isfinite().all()
