"""S4D (Gu et al. 2022): each feature drives a diagonal linear state space, whose outputs are a long convolution.

Of the family of LSSL and S4 (both Gu et al. 2021). States turn and fade at rates that begin as the paper's S4D-Lin, in
steps of learned length; blocks as in its public example, half as wide. The kernel is applied by FFT, forwards and, with
weights of its own, backwards, as its authors classify long sequences. The mean over time and a linear map classify.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, glu

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.networks.base import MeanHead, OtherNetwork
from timemil_core.models.networks.config import OtherConfig

WIDTH, N_BLOCKS, N_STATES = 64, 4, 32  # states in pairs with their conjugates: 64 real numbers
SHORTEST_STEP, LONGEST_STEP = 0.001, 0.1
DROPPED = 0.1


class S4D(OtherNetwork):
    """B series, C channels, T time points, L features, S complex states of each, K classes."""

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Linear(config.n_channels, WIDTH)
        self.blocks = nn.ModuleList(S4DBlock(WIDTH) for _ in range(N_BLOCKS))
        self.head = MeanHead(WIDTH, config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        if mask is not None:
            values = values * mask[:, None, :]  # (B, C, T)
        features = self.embedding(values.transpose(1, 2))  # (B, T, L)
        for block in self.blocks:
            features = block(features, mask)  # (B, T, L)
        return self.head(features, mask)  # (B, K)


class S4DBlock(nn.Module):
    """The state spaces, a gated linear map, a residual connection, and a normalisation of each time point."""

    def __init__(self, width: int) -> None:
        super().__init__()
        spread = torch.rand(width) * math.log(LONGEST_STEP / SHORTEST_STEP)
        self.log_steps = nn.Parameter(spread + math.log(SHORTEST_STEP))  # (L,)
        self.log_fading = nn.Parameter(torch.full((width, N_STATES), math.log(0.5), dtype=torch.float32))  # (L, S)
        self.turning = nn.Parameter(math.pi * torch.arange(N_STATES).float().repeat(width, 1))  # (L, S)
        self.readout = nn.Parameter(torch.randn(2, width, N_STATES, 2) * 0.5**0.5)  # there and back; real, imaginary
        self.direct = nn.Parameter(torch.randn(width))  # (L,)
        self.gated = nn.Linear(width, 2 * width)
        self.dropout = Dropout(DROPPED)
        self.normalisation = nn.LayerNorm(width)

    def forward(self, features: Tensor, mask: Tensor | None) -> Tensor:
        """``(B, T, L)`` to the same."""
        driving = features if mask is None else features * mask[..., None]  # (B, T, L): padding drives nothing
        out = convolved(driving, self.log_steps, self.log_fading, self.turning, self.readout)  # (B, T, L)
        out = self.dropout(gelu(out + driving * self.direct))  # (B, T, L)
        return self.normalisation(features + self.dropout(glu(self.gated(out))))  # (B, T, L)


@in_float32
def convolved(driving: Tensor, log_steps: Tensor, log_fading: Tensor, turning: Tensor, readout: Tensor) -> Tensor:
    """Return what the state spaces put out: ``(B, T, L)``.

    With a = exp(step · rate): forwards h_t = a h_(t−1) + (a − 1) / rate · u_t, backwards h_t = a h_(t+1) +
    (a − 1) / rate · u_(t+1); each puts out twice the real part of what it reads of h_t.
    """
    n_timepoints = driving.shape[1]
    there, back = kernels(n_timepoints, log_steps, log_fading, turning, readout)  # (T, L) each
    size = 2 * n_timepoints
    # What lies behind a time point comes first, what lies before it last: a circle, in which nothing meets.
    around = torch.cat([there, back.flip(0)])  # (2T, L)
    spectrum = torch.fft.rfft(driving, size, dim=1) * torch.fft.rfft(around, dim=0)  # (B, T + 1, L)
    return torch.fft.irfft(spectrum, size, dim=1)[:, :n_timepoints]  # (B, T, L)


def kernels(
    n_timepoints: int, log_steps: Tensor, log_fading: Tensor, turning: Tensor, readout: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the weights of what lies 0, 1, 2 … time points before, and of what lies 1, 2, 3 … after: ``(T, L)``."""
    rates = torch.complex(-log_fading.exp(), turning)  # (L, S)
    moved = rates * log_steps.exp()[:, None]  # (L, S)
    read = torch.view_as_complex(readout.contiguous()) * (moved.exp() - 1) / rates  # (2, L, S)
    # Powers of 0 to T − 1 are products of few: t = i n + j, and a sum over states is a product of matrices.
    n = math.isqrt(n_timepoints - 1) + 1
    count = torch.arange(n, device=moved.device)
    coarse = (moved[:, None] * (n * count)[:, None]).exp()  # (L, n, S)
    fine = (moved[:, None] * count[:, None]).exp()  # (L, n, S)
    both = 2 * ((read[:, :, None] * coarse) @ fine.transpose(1, 2)).real  # (2, L, n, n)
    there, back = both.flatten(2)[..., :n_timepoints].transpose(1, 2)  # (T, L) each
    return there, back
