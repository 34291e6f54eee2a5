"""OS-CNN and MOS-CNN (Tang et al. 2022): kernels whose widths are the primes, so that every length is seen by some.

Two layers of the widths 1, 2, 3, 5, 7 … up to a quarter of the series and at most 89, then one of the widths 1 and 2:
their sums are all receptive fields up to about half the series. As in the paper's code, a layer's weights are given,
and how many filters of each width they make follows.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.masking import MaskedBatchNorm
from timemil_core.models.networks.base import MeanHead, OtherNetwork
from timemil_core.models.networks.config import OtherConfig

WIDEST = 89
FIRST_WEIGHTS = 8 * 128  # of the first layer, for each channel
SECOND_WEIGHTS = 5 * 128 * 256 + 2 * 256 * 128
MOST_CHANNELS = 32  # that MOS-CNN looks at one by one


def prime_widths(n_timepoints: int) -> list[int]:
    """Return 1 and the primes up to a quarter of the series, 2 at least and 89 at most."""
    widest = max(2, min(WIDEST, n_timepoints // 4))
    return [1, *(width for width in range(2, widest + 1) if all(width % below for below in range(2, width)))]


class OSCNN(OtherNetwork):
    """B series, C channels, T time points, W features, K classes.

    The first layer has as many filters as for one channel, and each sees all channels.
    """

    one_by_one: ClassVar[bool] = False

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        widths = prime_widths(config.n_timepoints)
        n_filters = max(1, FIRST_WEIGHTS // sum(widths))  # of each width
        n_channels, n_groups = config.n_channels, 1
        self.mixture: nn.Module = nn.Identity()
        if self.one_by_one:
            n_channels = n_groups = min(config.n_channels, MOST_CHANNELS)
            if n_channels < config.n_channels:
                self.mixture = nn.Conv1d(config.n_channels, n_channels, 1)
        n_first = n_groups * max(1, n_filters // n_groups)  # of each width
        n_second = max(1, SECOND_WEIGHTS // (n_first * len(widths) * sum(widths)))  # of each width
        n_last = n_filters * len(widths)  # of each width
        self.layers = nn.ModuleList(
            [
                OmniScaleLayer(n_channels, n_first, widths, n_groups),
                OmniScaleLayer(n_first * len(widths), n_second, widths),
                OmniScaleLayer(n_second * len(widths), n_last, [1, 2]),
            ]
        )
        self.head = MeanHead(2 * n_last, config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        features = self.mixture(values)  # (B, C, T)
        for layer in self.layers:
            features = layer(features, mask)  # (B, W, T)
        return self.head(features.transpose(1, 2), mask)  # (B, K)


class MOSCNN(OSCNN):
    """OS-CNN whose first layer looks at each channel by itself, the second at all of them together.

    Its filters are shared out over the channels, one of each width a channel at least. Of more than 32 channels 32
    weighted sums are looked at in their place, learned with the rest: not in the paper, and bounds the memory.
    """

    one_by_one = True


class OmniScaleLayer(nn.Module):
    """Convolutions of several widths side by side, each with so many filters; zero beyond a series' ends."""

    def __init__(self, n_in: int, n_filters: int, widths: list[int], n_groups: int = 1) -> None:
        super().__init__()
        self.widths = widths
        self.convolutions = nn.ModuleList(
            nn.Conv1d(n_in, n_filters, width, padding=(width - 1) // 2, groups=n_groups, bias=False) for width in widths
        )
        self.normalisation = MaskedBatchNorm(n_filters * len(widths))

    def forward(self, features: Tensor, mask: Tensor | None) -> Tensor:
        """``(B, n_in, T)`` to ``(B, W, T)``."""
        if mask is not None:
            features = features * mask[:, None, :]  # (B, n_in, T): what is padded is as what lies beyond
        longer = pad(features, (0, 1))  # (B, n_in, T + 1): the even width sees one more behind than before
        by_width = zip(self.widths, self.convolutions, strict=True)
        found = [convolve(longer if width == 2 else features) for width, convolve in by_width]  # each (B, n_filters, T)
        return self.normalisation(torch.cat(found, dim=1), mask).relu()  # (B, W, T)
