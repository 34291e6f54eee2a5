"""What padding may not do: reach a convolution's edge, a batch statistic, or a softmax."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from timemil_core.models.fast.checkpointing import is_computed_again
from timemil_core.models.fast.precision import in_float32


def nearest_observed(mask: Tensor) -> Tensor:
    """Return for each time point the index of the latest observed one at or before it, else the first observed.

    Parameters
    ----------
    mask
        ``(n_series, n_timepoints)`` boolean, True where observed.

    Returns
    -------
    Tensor
        ``(n_series, n_timepoints)`` indices.
    """
    positions = torch.arange(mask.shape[1], device=mask.device)
    latest = torch.where(mask, positions, -1).cummax(dim=1).values
    first = mask.int().argmax(dim=1, keepdim=True)
    return torch.where(latest < 0, first, latest)


def hold_observed(features: Tensor, index: Tensor | None) -> Tensor:
    """Fill what was not observed with its nearest observed neighbour, as edge replication does at a series' end.

    ``features`` is ``(n_series, n_features, n_timepoints)``, ``index`` from ``nearest_observed`` or None.
    """
    if index is None:
        return features
    return features.gather(2, index[:, None, :].expand_as(features))


class MaskedBatchNorm(nn.BatchNorm1d):
    """Batch normalisation whose statistics come from observed time points alone."""

    def forward(self, features: Tensor, mask: Tensor | None = None) -> Tensor:
        """Normalise ``(n_series, n_features, n_timepoints)``; ``mask`` is ``(n_series, n_timepoints)``."""
        if not self.training:
            return super().forward(features)
        n_observed = features.shape[0] * features.shape[2] if mask is None else int(mask.sum())
        if n_observed < 2:  # one value has no variance: use what was learned so far
            return nn.functional.batch_norm(
                features, self.running_mean, self.running_var, self.weight, self.bias, False, 0.0, self.eps
            )
        if mask is None:
            return self._by_the_batch(features)
        observed = features.transpose(1, 2)[mask]  # (n_observed, n_features)
        normalised = torch.zeros_like(features.transpose(1, 2))
        normalised[mask] = self._by_the_batch(observed).to(normalised.dtype)
        return normalised.transpose(1, 2)

    def _by_the_batch(self, features: Tensor) -> Tensor:
        if not is_computed_again():
            return super().forward(features)
        # This batch has entered the running statistics already: what it is given now are copies.
        assert self.running_mean is not None and self.running_var is not None
        mean, variance = self.running_mean.clone(), self.running_var.clone()
        return nn.functional.batch_norm(features, mean, variance, self.weight, self.bias, True, 0.0, self.eps)


@in_float32
def masked_mean(instances: Tensor, mask: Tensor | None) -> Tensor:
    """Return the mean over observed time points: ``(n_series, n_timepoints, L)`` to ``(n_series, L)``."""
    if mask is None:
        return instances.mean(dim=1)
    weights = mask.to(instances.dtype)
    return torch.einsum("btl,bt->bl", instances, weights) / weights.sum(dim=1, keepdim=True)


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the last axis; exactly 0 where ``mask`` (broadcast over heads) is False."""
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1)
