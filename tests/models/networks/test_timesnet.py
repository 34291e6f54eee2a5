"""TimesNet: a sine's own period is found, whatever stands beside it; one convolution is as good as several."""

from __future__ import annotations

import torch
from torch.nn.functional import conv2d

from timemil_core.models.networks.timesnet import Inception, strongest_periods


def sine(period: int, length: int = 60) -> torch.Tensor:
    return torch.sin(2 * torch.pi * torch.arange(length) / period)[None, :, None]  # (1, length, 1)


def test_each_series_has_its_own_period() -> None:
    features = torch.cat([sine(12), 50 * sine(5) + 3])
    periods, amplitudes = strongest_periods(features, torch.ones(2, 60, dtype=torch.bool), 1)
    assert periods.tolist() == [[12], [5]]
    torch.testing.assert_close(amplitudes, torch.tensor([[30.0], [1500.0]]), atol=0.1, rtol=1e-4)


def test_of_a_padded_series_the_level_is_no_frequency() -> None:
    features, mask = sine(12) + 100, torch.arange(60)[None] < 48
    assert strongest_periods(features * mask[..., None], mask, 1)[0].tolist() == [[12]]


def test_one_convolution_is_the_mean_of_several() -> None:
    inception = Inception(2, 3, 6)
    torch.nn.init.normal_(inception.bias)
    for shape in ((1, 30), (4, 7), (20, 3)):
        picture = torch.randn(2, 2, *shape)
        several = [conv2d(picture, one, inception.bias, padding="same") for one in inception.weights]
        torch.testing.assert_close(
            inception(picture, inception.kernel()), torch.stack(several).mean(dim=0), atol=1e-4, rtol=1e-4
        )
