"""The network: 84 kernels of nine taps, dilated, and how often their response lies above a threshold.

A feature is a mean over time, ``PPV_f = (1 / N_f) Σ_t [C_f(t) > b_f]``, and the head is linear. So a logit is a sum
over time points, and what a time point adds is known without gradient, perturbation or approximation::

    logit_k = intercept_k + Σ_t Σ_f w_kf ([C_f(t) > b_f] − mean PPV_f) / N_f

Each term belongs to the nine time points that its kernel looked at there: it is *carried back* to them in equal
parts, and to the kernel's channels in equal parts. The sum stays exact.

B series, C channels, T time points, K classes, 84 kernels, Q thresholds of a kernel at one dilation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import torch
from torch import Tensor
from torch.nn.functional import pad

from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.minirocket.config import N_KERNELS, N_TAPS, MiniRocketConfig
from timemil_core.models.network import AdditiveNetwork

VIEWS = ("values", "differences")
LARGEST_COMPARISON = 20_000_000  # numbers held against thresholds at once


@dataclass(frozen=True)
class Block:
    """One dilation over one view of the series: which of the features these are, and where their arrays lie."""

    view: int
    place: int
    dilation: int
    n_biases: int
    first: int

    @property
    def features(self) -> slice:
        """Their columns among all features; kernel by kernel, threshold by threshold."""
        return slice(self.first, self.first + N_KERNELS * self.n_biases)


class MiniRocketNetwork(AdditiveNetwork):
    """Transform and ridge in one; its arrays come from ``fitting``, or from a file."""

    config: MiniRocketConfig

    def __init__(self, config: MiniRocketConfig) -> None:
        super().__init__()
        self.config = config
        n_blocks, n_features = len(VIEWS) * len(config.dilations), config.n_features
        # Which channels each kernel of a block adds up: (n_blocks, 84, C)
        self.register_buffer("members", torch.ones(n_blocks, N_KERNELS, config.n_channels))
        self.register_buffer("thresholds", torch.zeros(n_features))
        self.register_buffer("means", torch.zeros(n_features))
        self.register_buffer("weights", torch.zeros(n_features, config.n_classes))
        self.register_buffer("intercepts", torch.zeros(config.n_classes))
        self.members: Tensor
        self.thresholds: Tensor
        self.means: Tensor
        self.weights: Tensor
        self.intercepts: Tensor

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for: its features are steps, of which there is no gradient."""
        return frozenset({Ability.LOGITS, Ability.TIME_CONTRIBUTIONS, Ability.UNTRAINED})

    def untrained(self, seed: int) -> MiniRocketNetwork:
        """Return one with the same features, and the ridge's weights dealt out to them anew."""
        other = MiniRocketNetwork(self.config)
        other.load_state_dict(self.state_dict())
        order = torch.randperm(self.config.n_features, generator=torch.Generator().manual_seed(seed))
        other.weights.copy_(self.weights[order.to(self.weights.device)])
        return other

    @property
    def blocks(self) -> Iterator[Block]:
        """All blocks, in the order of their features."""
        first = 0
        for view in range(len(VIEWS)):
            for place, (dilation, n_biases) in enumerate(zip(self.config.dilations, self.config.n_biases, strict=True)):
                yield Block(view, view * len(self.config.dilations) + place, dilation, n_biases, first)
                first += N_KERNELS * n_biases

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``; where some time points are masked, the series without them."""
        if mask is not None and not bool(mask.all()):
            return torch.cat([self(one[None, :, kept]) for one, kept in zip(values, mask, strict=True)])
        return (self.features(values) - self.means) @ self.weights + self.intercepts  # (B, K)

    def features(self, values: Tensor) -> Tensor:
        """Return how often each response lies above its threshold, ``(B, n_features)``, 0 to 1."""
        views = viewed(values)
        found = values.new_empty(len(values), self.config.n_features)
        for block in self.blocks:
            inside = counted_timepoints(block, values.shape[2], values.device)  # (84, T)
            size = max(1, LARGEST_COMPARISON // (N_KERNELS * block.n_biases * values.shape[2]))
            for start in range(0, len(values), size):
                some = slice(start, start + size)
                responses = self.responses(block, views[block.view][some])  # (B, 84, T)
                # What does not count lies above no threshold.
                counted = responses.masked_fill(~inside, float("-inf"))[:, :, None]  # (B, 84, 1, T)
                thresholds = self.thresholds[block.features].view(N_KERNELS, block.n_biases, 1)
                above = (counted > thresholds).to(values.dtype)  # (B, 84, Q, T)
                proportions = above.sum(dim=-1) / inside.sum(dim=-1)[:, None]  # (B, 84, Q)
                found[some, block.features] = proportions.flatten(1)
        return found

    def above(self, block: Block, view: Tensor) -> Tensor:
        """Return where each response lies above each threshold: view ``(B, C, T)`` to ``(B, 84, Q, T)``."""
        responses = self.responses(block, view)[:, :, None]  # (B, 84, 1, T)
        return responses > self.thresholds[block.features].view(N_KERNELS, block.n_biases, 1)

    def responses(self, block: Block, view: Tensor) -> Tensor:
        """Return each kernel's response, zeros around the series: view ``(B, C, T)`` to ``(B, 84, T)``."""
        reach = N_TAPS // 2 * block.dilation
        around = pad(view, (reach, reach))  # (B, C, T + 8 dilation)
        length = view.shape[2]
        taps = [around[..., tap * block.dilation : tap * block.dilation + length] for tap in range(N_TAPS)]
        seen = torch.stack(taps, dim=2).flatten(1, 2)  # (B, C 9, T)
        kernels = self.members[block.place][:, :, None] * KERNELS.to(view)[:, None, :]  # (84, C, 9)
        return kernels.flatten(1) @ seen  # (B, 84, T)

    def time_contributions(self, values: Tensor) -> tuple[Tensor, Tensor]:
        """Take the logits of one series ``(1, C, T)`` apart: ``(K, C, T)``, and the intercepts ``(K,)``."""
        views, length = viewed(values), values.shape[2]
        total = values.new_zeros(self.config.n_classes, self.config.n_channels, length, dtype=torch.float64)
        for block in self.blocks:
            inside = counted_timepoints(block, length, values.device)  # (84, T)
            above = self.above(block, views[block.view])[0].double()  # (84, Q, T)
            means = self.means[block.features].double().view(N_KERNELS, block.n_biases, 1)
            share = (above - means) * (inside / inside.sum(dim=-1, keepdim=True))[:, None]  # (84, Q, T)
            weights = self.weights[block.features].double().view(N_KERNELS, block.n_biases, -1)
            added = torch.einsum("fqk,fqt->kft", weights, share)  # (K, 84, T)
            members = self.members[block.place].double()
            by_channel = torch.einsum("kft,fc->kct", added, members / members.sum(dim=1, keepdim=True))
            spread = over_the_taps(by_channel, block.dilation)  # (K, C, T)
            total += over_the_difference(spread) if VIEWS[block.view] == "differences" else spread
        return total, self.intercepts.double()


def viewed(values: Tensor) -> tuple[Tensor, Tensor]:
    """Return the series and its first differences, ``(B, C, T)`` each; the first difference of all is 0."""
    return values, torch.diff(values, dim=2, prepend=values[..., :1])


def _kernels() -> Tensor:
    """Return the 84 kernels, ``(84, 9)``: −1 everywhere, and 2 at three taps, so that each sums to 0."""
    kernels = torch.full((N_KERNELS, N_TAPS), -1.0)
    for kernel, three in enumerate(combinations(range(N_TAPS), 3)):
        kernels[kernel, list(three)] = 2.0
    return kernels


KERNELS = _kernels()


def counted_timepoints(block: Block, n_timepoints: int, device: torch.device) -> Tensor:
    """Return ``(84, T)``: which time points count for a kernel, all, or those where its nine taps lie in the series.

    The two alternate over kernels and dilations, as in the paper; in a series that is too short for the second, all
    count.
    """
    reach = N_TAPS // 2 * block.dilation
    inside = torch.zeros(N_KERNELS, n_timepoints, dtype=torch.bool, device=device)
    inside[:, reach : max(n_timepoints - reach, 0)] = True
    all_count = (torch.arange(N_KERNELS, device=device) + block.place) % 2 == 0
    inside[all_count | ~inside.any(dim=1)] = True
    return inside


def over_the_taps(added: Tensor, dilation: int) -> Tensor:
    """Share what was added at each time point ``(..., T)`` out over the nine that were looked at there, in equal parts.

    Taps beyond the ends of the series looked at nothing and get nothing. The sum stays.
    """
    length = added.shape[-1]
    shifts = [shift for tap in range(N_TAPS) if abs(shift := (tap - N_TAPS // 2) * dilation) < length]
    ones = added.new_ones(length)
    n_seen = sum(_shifted(ones, -shift) for shift in shifts)
    return sum((_shifted(added / n_seen, shift) for shift in shifts), torch.zeros_like(added))


def over_the_difference(added: Tensor) -> Tensor:
    """Share what was added by each difference ``(..., T)`` out over the two values that it is of."""
    half = added / 2
    half[..., 0] = added[..., 0]  # the first has none before it
    return half + _shifted(_without_first(added / 2), -1)


def _without_first(values: Tensor) -> Tensor:
    kept = values.clone()
    kept[..., 0] = 0
    return kept


def _shifted(values: Tensor, shift: int) -> Tensor:
    """Return values ``(..., T)`` moved by some time points to the right, 0 where none comes from."""
    length = values.shape[-1]
    return pad(values, (max(shift, 0), max(-shift, 0)))[..., max(-shift, 0) : max(-shift, 0) + length]
