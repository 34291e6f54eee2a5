"""What the forecasters share: statistics of one series, attention among tokens, an embedding, a head.

B series, C channels, N the longest series that a network is made for, S tokens, L features, K classes.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from timemil_core.errors import SettingsError
from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.networks.base import FlattenHead, MeanHead
from timemil_core.setting_checks import Check

SMALLEST_VARIANCE = 1e-5
LONGEST_PAIRED = 20_000
PAIRS_FIT: dict[str, Check] = {
    "n_timepoints": (
        lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LONGEST_PAIRED,
        f"It has a weight for each pair of time points: cut or resample the series to at most {LONGEST_PAIRED:,}.",
    )
}


def check_heads(width: int, n_heads: int) -> None:
    """Raise SettingsError where heads cannot share a width evenly."""
    if width % n_heads:
        raise SettingsError(f"{n_heads} heads cannot share a width of {width}.", remedy="Give a multiple of n_heads.")


@in_float32
def mean_and_deviation(values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation over observed time points: ``(B, C, N)`` to two of ``(B, C, 1)``."""
    observed = mask[:, None].to(values.dtype)  # (B, 1, N)
    n_seen = observed.sum(dim=2, keepdim=True).clamp(min=1)  # (B, 1, 1)
    mean = (values * observed).sum(dim=2, keepdim=True) / n_seen  # (B, C, 1)
    variance = ((values - mean) * observed).square().sum(dim=2, keepdim=True) / n_seen  # (B, C, 1)
    return mean, (variance + SMALLEST_VARIANCE).sqrt()


def standardised(values: Tensor, mask: Tensor) -> Tensor:
    """Give each channel of each series mean 0 and deviation 1 over observed time points; zero where not observed."""
    mean, deviation = mean_and_deviation(values, mask)
    return (values - mean) / deviation * mask[:, None]  # (B, C, N)


class ReversibleInstanceNorm(nn.Module):
    """Each series loses its own mean and deviation, and is given them back at the end (Kim et al. 2022)."""

    def __init__(self, n_channels: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n_channels, 1)), nn.Parameter(torch.zeros(n_channels, 1))

    def forward(self, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return ``(B, C, N)``, zero where not observed, and the mean and the deviation that ``restore`` asks for."""
        mean, deviation = mean_and_deviation(values, mask)
        return ((values - mean) / deviation * self.weight + self.bias) * mask[:, None], mean, deviation

    def restore(self, values: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
        """Undo it: ``(B, C, N)``."""
        return (values - self.bias) / (self.weight + SMALLEST_VARIANCE**2) * deviation + mean


class TokenAttention(nn.Module):
    """Softmax attention of several heads (Vaswani et al. 2017); tokens that are not seen have no share."""

    def __init__(self, width: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.to_query, self.to_key, self.to_value = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)
        self.dropout = Dropout(dropout)

    def forward(self, queries: Tensor, tokens: Tensor, seen: Tensor | None = None) -> Tensor:
        """Let ``(B, S', L)`` ask ``(B, S, L)``, of which ``seen`` ``(B, S)`` are there: ``(B, S', L)``."""
        query, key, value = (
            part.unflatten(2, (self.n_heads, -1)).transpose(1, 2)  # (B, heads, S, L / heads)
            for part in (self.to_query(queries), self.to_key(tokens), self.to_value(tokens))
        )
        mask = None if seen is None else seen[:, None, None, :]  # (B, 1, 1, S)
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=mask)  # (B, heads, S', L / heads)
        return self.dropout(self.out(mixed.transpose(1, 2).flatten(2)))


def sine_positions(features: Tensor) -> Tensor:
    """Return the positions of Vaswani et al. 2017 for ``(B, N, L)``, sines and cosines in turn: ``(N, L)``."""
    length, width = features.shape[1:]
    places = torch.arange(length, dtype=torch.float32, device=features.device)  # (N)
    halves = torch.arange(0, width, 2, dtype=torch.float32, device=features.device)  # (L / 2)
    angles = places[:, None] * torch.exp(halves * (-math.log(10_000.0) / width))  # (N, L / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :width]


class PointEmbedding(nn.Module):
    """A convolution of three taps over the values, and where wanted sine positions, as Informer began it."""

    def __init__(self, n_channels: int, width: int, dropout: float, positions: bool = True) -> None:
        super().__init__()
        self.of_values = nn.Conv1d(n_channels, width, 3, padding=1, bias=False)
        self.positions = positions
        self.dropout = Dropout(dropout)

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """``(B, C, N)``, zero where not observed, to ``(B, N, L)``, zero there too."""
        features = self.of_values(values).transpose(1, 2)  # (B, N, L)
        if self.positions:
            features = features + sine_positions(features)  # (B, N, L)
        return self.dropout(features) * mask[..., None]


class ActivatedHead(nn.Module):
    """The head of TimesNet's benchmark: GELU, dropout, all time points flat with padding zero, a linear map."""

    def __init__(self, n_timepoints: int, n_features: int, n_classes: int, dropout: float) -> None:
        super().__init__()
        self.dropout = Dropout(dropout)
        self.flat = FlattenHead(n_timepoints, n_features, n_classes)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)`` to ``(B, K)``."""
        return self.flat(self.dropout(nn.functional.gelu(features)), mask)


class ActivatedMeanHead(nn.Module):
    """GELU, dropout, the mean over observed time points, a linear map: where a pattern lies does not matter."""

    def __init__(self, n_features: int, n_classes: int, dropout: float) -> None:
        super().__init__()
        self.dropout = Dropout(dropout)
        self.mean = MeanHead(n_features, n_classes)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)`` to ``(B, K)``."""
        return self.mean(self.dropout(nn.functional.gelu(features)), mask)
