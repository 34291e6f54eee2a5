"""Inception modules without gradients: batch normalisation folded into the convolutions before it, points in rows.

In eval mode batch normalisation is a factor and a summand for each feature, so it can be part of the weights: one pass
over the features less, and the same numbers to rounding. Features of one time point lie side by side throughout,
``(n_series, n_timepoints, n_features)``, which makes every 1×1 convolution a matrix product without a copy.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, linear

from timemil_core.models.convolution import centred, same_padding
from timemil_core.models.spectral import spectral_convolution

SPECTRAL_FROM = 1000  # time points of a batch from which the spectrum of the kernels is worth its making


def folds(module: nn.Module, features: Tensor) -> bool:
    """Tell whether a module may run folded: on a CPU, in eval mode, without gradients, in full precision."""
    return not (
        module.training
        or torch.is_grad_enabled()
        or torch.is_autocast_enabled("cpu")
        or features.device.type != "cpu"
        or features.dtype not in (torch.float32, torch.float64)
    )


def scale_and_shift(normalisation: nn.BatchNorm1d) -> tuple[Tensor, Tensor]:
    """Return what batch normalisation in eval mode multiplies by and adds, each ``(n_features,)``."""
    assert normalisation.running_mean is not None and normalisation.running_var is not None
    scale = normalisation.weight * torch.rsqrt(normalisation.running_var + normalisation.eps)
    return scale, normalisation.bias - normalisation.running_mean * scale


def pointwise(features: Tensor, convolution: nn.Conv1d, *folded: Tensor) -> Tensor:
    """Return a 1×1 convolution, and where ``folded`` is (scale, shift) these after it, as one matrix product."""
    scale, shift = folded or (torch.ones_like(convolution.weight[:, 0, 0]), 0)
    weight, bias = _scaled(convolution, scale)
    return linear(features, weight[..., 0], bias + shift)


def parallel(features: Tensor, convolutions: Sequence[nn.Conv1d], scale: Tensor, shift: Tensor) -> Tensor:
    """Return convolutions side by side with edges replicated (``parallel_convolutions``), then scale and shift."""
    largest = max(one.kernel_size[0] for one in convolutions)
    left, right = same_padding(largest)
    padded = torch.cat([features[:, :1].expand(-1, left, -1), features, features[:, -1:].expand(-1, right, -1)], dim=1)
    own_scales = scale.split([one.out_channels for one in convolutions])
    weights, biases = zip(*map(_scaled, convolutions, own_scales), strict=True)
    if features.shape[0] * features.shape[1] >= SPECTRAL_FROM:
        weight = torch.cat([centred(one, largest) for one in weights])
        return spectral_convolution(padded, weight, torch.cat(biases) + shift)
    results = []
    for weight in weights:
        own_left, own_right = same_padding(weight.shape[2])
        seen = padded[:, left - own_left : padded.shape[1] - (right - own_right)].transpose(1, 2)
        results.append(conv2d(seen[:, :, None], weight[:, :, None])[:, :, 0].transpose(1, 2))
    return torch.cat(results, dim=2).add_(torch.cat(biases) + shift)


def _scaled(convolution: nn.Conv1d, scale: Tensor) -> tuple[Tensor, Tensor]:
    assert convolution.bias is not None
    return convolution.weight * scale[:, None, None], convolution.bias * scale
