"""Batch normalisation over the shares of all replicas: mean and variance of the whole batch, padding masked.

PyTorch's own ``SyncBatchNorm`` runs on GPUs alone and knows no mask.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.autograd.function import once_differentiable

from timemil_core.models.fast.checkpointing import is_uncounted
from timemil_core.models.masking import MaskedBatchNorm


class SharedBatchNorm(MaskedBatchNorm):
    """``MaskedBatchNorm`` of the same weights, whose statistics in training are those of all replicas' shares."""

    def forward(self, features: Tensor, mask: Tensor | None = None) -> Tensor:
        """Normalise ``(n_series, n_features, n_timepoints)``; ``mask`` is ``(n_series, n_timepoints)``."""
        if not self.training:
            return super().forward(features, mask)
        wide = features.to(torch.promote_types(features.dtype, torch.float32))
        weights = torch.ones_like(wide[:, :1]) if mask is None else mask[:, None].to(wide.dtype)
        total = _OverReplicas.apply(torch.cat([(wide * weights).sum(dim=(0, 2)), weights.sum()[None]]))
        mean, n_observed = total[:-1] / total[-1], total[-1].detach()
        centred = (wide - mean[:, None]) * weights
        variance = _OverReplicas.apply(centred.square().sum(dim=(0, 2))) / n_observed
        self._remember(mean.detach(), variance.detach(), n_observed)
        scale = self.weight * (variance + self.eps).rsqrt()
        return ((centred * scale[:, None] + self.bias[:, None]) * weights).to(features.dtype)

    @torch.no_grad()
    def _remember(self, mean: Tensor, variance: Tensor, n_observed: Tensor) -> None:
        if is_uncounted():
            return
        assert self.running_mean is not None and self.running_var is not None and self.num_batches_tracked is not None
        assert self.momentum is not None
        unbiased = variance * n_observed / (n_observed - 1)
        self.running_mean.lerp_(mean.to(self.running_mean), self.momentum)
        self.running_var.lerp_(unbiased.to(self.running_var), self.momentum)
        self.num_batches_tracked.add_(1)


def share_batch_statistics(network: nn.Module) -> None:
    """Replace every ``MaskedBatchNorm`` of a network by one over all replicas, weights and names unchanged."""
    for name, child in network.named_children():
        if isinstance(child, MaskedBatchNorm):
            shared = SharedBatchNorm(child.num_features, eps=child.eps, momentum=child.momentum)
            shared.load_state_dict(child.state_dict())
            setattr(network, name, shared.to(child.weight))
        else:
            share_batch_statistics(child)


class _OverReplicas(torch.autograd.Function):
    """The sum over replicas, whose gradient is the sum of all replicas' gradients."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:
        summed = tensor.clone()
        distributed.all_reduce(summed)
        return summed

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        summed = gradient.clone()
        distributed.all_reduce(summed)
        return summed
