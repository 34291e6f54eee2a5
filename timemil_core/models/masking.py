"""What padding may not do: reach a convolution's edge, a batch statistic, or a softmax. Letters: timemil.py."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from timemil_core.models.fast.checkpointing import is_uncounted
from timemil_core.models.fast.precision import in_float32


def nearest_observed(mask: Tensor) -> Tensor:
    """Return for each time point the index of the latest observed one at or before it, else the first observed.

    ``mask`` is ``(B, T)`` boolean, True where observed; so are the indices.
    """
    positions = torch.arange(mask.shape[1], device=mask.device)  # (T,)
    latest = torch.where(mask, positions, -1).cummax(dim=1).values  # (B, T), -1 before the first observed
    first = mask.int().argmax(dim=1, keepdim=True)  # (B, 1)
    return torch.where(latest < 0, first, latest)  # (B, T)


def hold_observed(features: Tensor, index: Tensor | None) -> Tensor:
    """Fill what was not observed with its nearest observed neighbour, as edge replication does at a series' end.

    ``features`` is ``(B, n_features, T)``, ``index`` from ``nearest_observed`` or None.
    """
    if index is None:
        return features
    return features.gather(2, index[:, None, :].expand_as(features))  # (B, n_features, T)


class MaskedBatchNorm(nn.BatchNorm1d):
    """Batch normalisation whose statistics come from observed time points alone."""

    def forward(self, features: Tensor, mask: Tensor | None = None) -> Tensor:
        """Normalise ``(B, n_features, T)``; ``mask`` is ``(B, T)``."""
        if not self.training:
            return super().forward(features)  # (B, n_features, T)
        n_observed = features.shape[0] * features.shape[2] if mask is None else int(mask.sum())
        if n_observed < 2:  # one value has no variance: use what was learned so far
            return nn.functional.batch_norm(
                features, self.running_mean, self.running_var, self.weight, self.bias, False, 0.0, self.eps
            )
        if mask is None:
            return self._by_the_batch(features)  # (B, n_features, T)
        observed = features.transpose(1, 2)[mask]  # (n_observed, n_features)
        normalised = torch.zeros_like(features.transpose(1, 2))  # (B, T, n_features)
        normalised[mask] = self._by_the_batch(observed).to(normalised.dtype)
        return normalised.transpose(1, 2)  # (B, n_features, T)

    def _by_the_batch(self, features: Tensor) -> Tensor:
        if not is_uncounted():
            return super().forward(features)
        # This batch has entered the running statistics already: what it is given now are copies.
        assert self.running_mean is not None and self.running_var is not None
        mean, variance = self.running_mean.clone(), self.running_var.clone()
        return nn.functional.batch_norm(features, mean, variance, self.weight, self.bias, True, 0.0, self.eps)


@in_float32
def masked_mean(instances: Tensor, mask: Tensor | None) -> Tensor:
    """Return the mean over observed time points: ``(B, T, L)`` to ``(B, L)``."""
    if mask is None:
        return instances.mean(dim=1)  # (B, L)
    weights = mask.to(instances.dtype)  # (B, T)
    return torch.einsum("btl,bt->bl", instances, weights) / weights.sum(dim=1, keepdim=True)  # (B, L)


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the last axis; exactly 0 where ``mask`` (broadcast over heads) is False."""
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1)
