"""From training series to a MiniRocket, in seconds: channels and thresholds drawn, the ridge solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.jobs import Progress
from timemil_core.models.minirocket.config import N_KERNELS, N_TAPS, MiniRocketConfig
from timemil_core.models.minirocket.network import Block, MiniRocketNetwork, viewed
from timemil_core.models.ridge import fit_ridge

GOLDEN_RATIO = (5**0.5 + 1) / 2  # its multiples spread evenly between 0 and 1, however many there are


def fit_minirocket(
    series: Sequence[FloatArray], labels: IntArray, n_classes: int, seed: int, progress: Progress
) -> MiniRocketNetwork:
    """Fit on prepared training series, each ``(n_channels, n_timepoints)``; the same seed gives the same network.

    ``progress`` is told (steps done, steps).
    """
    draw = np.random.default_rng(seed)
    lengths = [one.shape[1] for one in series]
    config = MiniRocketConfig.for_series(series[0].shape[0], n_classes, min(lengths))
    network = MiniRocketNetwork(config)
    network.members.copy_(_drawn_channels(draw, network.members.shape))
    steps = 2 * len(config.dilations) + len(series)
    for done, block in enumerate(network.blocks, start=1):
        network.thresholds[block.features] = _drawn_thresholds(draw, network, block, series)
        progress(done, steps)
    rows = []
    with torch.inference_mode():
        for done, one in enumerate(series, start=2 * len(config.dilations) + 1):
            rows.append(network.features(_tensor(one))[0].numpy())
            progress(done, steps)
    head = fit_ridge(np.stack(rows), labels, n_classes)
    network.means.copy_(torch.from_numpy(head.means))
    network.weights.copy_(torch.from_numpy(head.weights))
    network.intercepts.copy_(torch.from_numpy(np.array(head.intercepts)))
    return network.eval()


def _drawn_channels(draw: np.random.Generator, shape: torch.Size) -> Tensor:
    """Draw for each kernel of each block which channels it adds up: from one to nine of them, few the likelier."""
    n_blocks, n_kernels, n_channels = shape
    members = torch.zeros(shape)
    most = np.log2(min(n_channels, N_TAPS) + 1)
    sizes = (2 ** draw.uniform(0, most, (n_blocks, n_kernels))).astype(np.int64)
    for block in range(n_blocks):
        for kernel in range(n_kernels):
            members[block, kernel, draw.choice(n_channels, sizes[block, kernel], replace=False)] = 1
    return members


def _drawn_thresholds(
    draw: np.random.Generator, network: MiniRocketNetwork, block: Block, series: Sequence[FloatArray]
) -> Tensor:
    """Draw thresholds: quantiles of each kernel's response to a training series of its own."""
    drawn = np.empty((N_KERNELS, block.n_biases), dtype=np.float32)
    chosen = draw.integers(len(series), size=N_KERNELS)
    first = block.first + 1
    quantiles = np.arange(first, first + drawn.size).reshape(drawn.shape) * GOLDEN_RATIO % 1
    for index in np.unique(chosen):
        responses = network.responses(block, viewed(_tensor(series[index]))[block.view])[0].numpy()
        for kernel in np.flatnonzero(chosen == index):
            drawn[kernel] = np.quantile(responses[kernel], quantiles[kernel])
    return torch.from_numpy(drawn.reshape(-1))


def _tensor(series: FloatArray) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(series, dtype=np.float32))[None]
