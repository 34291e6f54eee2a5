"""TimesNet (Wu et al. 2023): a series is laid out in rows of one period, and convolved as a picture.

A block finds the strongest frequencies of its features, lays the series out once for each, convolves (several sizes of
window at once, Inception), and adds the results up by the softmax of their amplitudes. Here every series has its own
frequencies: the authors' code takes the mean amplitude of a batch, so that there a series is classified otherwise
beside others. What is padding does not enter the amplitudes, nor what is
filled up behind the series the second convolution. The head is the paper's own for classification: GELU,
dropout, all time points flat with padding zero, a linear map. Two blocks of widths 16 and 32, three frequencies, six
windows and a dropout of 0.1 are from the authors' scripts for classification.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, gelu, pad

from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_mean
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import ActivatedHead, PointEmbedding
from timemil_core.setting_checks import SHARE, Check, whole


@dataclass(frozen=True)
class TimesNetConfig(OtherConfig):
    """``width`` of the features, ``inner_width`` of those between a block's two convolutions."""

    n_layers: int = 2
    width: int = 16
    inner_width: int = 32
    n_frequencies: int = 3
    n_windows: int = 6
    dropout: float = 0.1

    checks: ClassVar[dict[str, Check]] = {
        "n_layers": whole(1, 100),
        "width": whole(2, 10_000),
        "inner_width": whole(1, 10_000),
        "n_frequencies": whole(1, 1_000),
        "n_windows": whole(1, 20),
        "dropout": SHARE,
    }


class Inception(nn.Module):
    """The mean of convolutions over windows of 1 by 1, 3 by 3, 5 by 5…, computed as one over the largest."""

    def __init__(self, n_in: int, n_out: int, n_windows: int) -> None:
        super().__init__()
        convolutions = [nn.Conv2d(n_in, n_out, 2 * half + 1) for half in range(n_windows)]
        for one in convolutions:
            nn.init.kaiming_normal_(one.weight, mode="fan_out", nonlinearity="relu")
        self.weights = nn.ParameterList(one.weight for one in convolutions)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def kernel(self) -> Tensor:
        """Return the one kernel that does what all do: ``(n_out, n_in, window, window)``."""
        largest = len(self.weights) - 1
        return torch.stack([pad(one, (largest - half,) * 4) for half, one in enumerate(self.weights)]).mean(dim=0)

    def forward(self, picture: Tensor, kernel: Tensor) -> Tensor:
        """``(n, n_in, rows, columns)`` to ``(n, n_out, rows, columns)``; beyond the edges stands zero."""
        largest = len(self.weights) - 1
        # What lies on nothing but zeros is cut off.
        rows, columns = (min(largest, size - 1) for size in picture.shape[2:])
        kernel = kernel[..., largest - rows : largest + rows + 1, largest - columns : largest + columns + 1]
        return conv2d(picture, kernel, self.bias, padding=(rows, columns))


class TimesBlock(nn.Module):
    """B series, N time points, L features, Q frequencies."""

    def __init__(self, config: TimesNetConfig) -> None:
        super().__init__()
        self.n_frequencies = min(config.n_frequencies, config.n_timepoints // 2)
        self.first = Inception(config.width, config.inner_width, config.n_windows)
        self.second = Inception(config.inner_width, config.width, config.n_windows)
        self.norm = nn.LayerNorm(config.width)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)``, zero where not observed, to the same."""
        periods, amplitudes = strongest_periods(features, mask, self.n_frequencies)  # (B, Q), (B, Q)
        found = features.new_zeros(*periods.shape, *features.shape[1:])  # (B, Q, N, L)
        kernels = self.first.kernel(), self.second.kernel()
        for period in periods.unique().tolist():
            series, rank = (periods == period).nonzero(as_tuple=True)  # (n), (n)
            found[series, rank] = self.convolved(features[series], mask[series], period, *kernels).to(found.dtype)
        mixed = torch.einsum("bqnl,bq->bnl", found, amplitudes.softmax(dim=1))  # (B, N, L)
        return self.norm(mixed + features) * mask[..., None]

    def convolved(self, features: Tensor, mask: Tensor, period: int, first: Tensor, second: Tensor) -> Tensor:
        """Convolve ``(n, N, L)`` in rows of ``period``: the same shape."""
        length = features.shape[1]
        beyond = -length % period
        picture = pad(features.transpose(1, 2), (0, beyond)).unflatten(2, (-1, period))  # (n, L, rows, period)
        observed = pad(mask, (0, beyond)).unflatten(1, (-1, period))[:, None]  # (n, 1, rows, period)
        convolved = self.second(gelu(self.first(picture, first)) * observed, second)  # (n, L, rows, period)
        return convolved.flatten(2)[..., :length].transpose(1, 2)


@in_float32
def strongest_periods(features: Tensor, mask: Tensor, n_frequencies: int) -> tuple[Tensor, Tensor]:
    """Return for each series the periods of its strongest frequencies, in time points, and their amplitudes.

    Parameters
    ----------
    features, mask
        ``(B, N, L)`` and ``(B, N)``.
    n_frequencies
        Q. With 0, as of a single time point, the whole length is the one period.

    Returns
    -------
    tuple
        Two of ``(B, Q)``, the strongest first.
    """
    n_series, length = mask.shape
    if n_frequencies == 0:
        whole_length = torch.full((n_series, 1), length, device=mask.device)
        return whole_length, features.new_zeros(n_series, 1)
    # Without its mean, a series does not end in a step where its padding begins.
    centred = (features - masked_mean(features, mask)[:, None]) * mask[..., None]  # (B, N, L)
    amplitudes = torch.fft.rfft(centred, dim=1).abs().mean(dim=2)[:, 1:]  # (B, N / 2): no frequency 0
    strongest, order = amplitudes.sort(dim=1, descending=True, stable=True)  # (B, N / 2), (B, N / 2)
    return length // (order[:, :n_frequencies] + 1), strongest[:, :n_frequencies]


class TimesNet(OtherNetwork):
    """B series, C channels, N time points of the longest series, L the width, K classes."""

    config: TimesNetConfig
    of_config = TimesNetConfig

    def __init__(self, config: TimesNetConfig) -> None:
        super().__init__(config)
        self.embedding = PointEmbedding(config.n_channels, config.width, config.dropout)
        self.blocks = nn.ModuleList(TimesBlock(config) for _ in range(config.n_layers))
        self.head = ActivatedHead(config.n_timepoints, config.width, config.n_classes, config.dropout)

    @property
    def n_stages(self) -> int:
        """After each block."""
        return len(self.blocks)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        features = self.embedding(values, observed)  # (B, N, L)
        for block in self.blocks:
            features = stage(block, features, observed)  # (B, N, L)
        return self.head(features, observed)  # (B, K)
