"""Prepared series as tensors, and the batches they come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import one_hot
from torch.nn.utils.rnn import pad_sequence

from timemil_core.data.series_set import FloatArray, IntArray

TIMEPOINTS_AT_ONCE = 20_000  # of one pass forward and back, twice where marked_alone; bounds the memory
SHARE_OF_FREE_MEMORY = 0.5
BATCHES_IN_A_POOL = 8


@dataclass(frozen=True)
class Batch:
    """Values ``(n_series, n_channels, n_timepoints)``, mask ``(n_series, n_timepoints)`` or None, targets one-hot."""

    values: Tensor
    mask: Tensor | None
    targets: Tensor

    def rows(self, which: slice) -> Batch:
        """Return some of the series, padded as they are."""
        return Batch(self.values[which], None if self.mask is None else self.mask[which], self.targets[which])


@dataclass(frozen=True, eq=False)
class Examples:
    """Prepared, labelled series; on the device where they fit there, else in the CPU's memory.

    Attributes
    ----------
    series
        Tensors ``(n_timepoints, n_channels)``.
    targets
        ``(n_series, n_classes)`` one-hot, for one-vs-rest (equation 5).
    device
        Where batches are wanted.
    """

    series: tuple[Tensor, ...]
    targets: Tensor
    device: torch.device

    def __len__(self) -> int:
        return len(self.series)

    @property
    def lengths(self) -> list[int]:
        """The number of time points of each series."""
        return [len(one) for one in self.series]

    def batch(self, indices: Sequence[int]) -> Batch:
        """Return some series together on the device, padded behind; the mask is None where nothing is padded."""
        chosen = [self.series[index] for index in indices]
        values = self._sent(pad_sequence(chosen, batch_first=True)).transpose(1, 2)
        lengths = torch.tensor([len(one) for one in chosen], device=self.device)
        mask = torch.arange(values.shape[2], device=self.device) < lengths[:, None]
        is_padded = len({len(one) for one in chosen}) > 1
        return Batch(values.contiguous(), mask if is_padded else None, self.targets[list(indices)])

    def _sent(self, padded: Tensor) -> Tensor:
        if padded.device.type == "cpu" and self.device.type == "cuda":
            # From pinned memory the copy runs while the GPU is still at the batch before.
            return padded.pin_memory().to(self.device, non_blocking=True)
        return padded.to(self.device)

    def parts(self, indices: Sequence[int], n_shares: int = 1) -> list[list[int]]:
        """Split a batch into parts whose padded size bounds the memory of each of ``n_shares`` that divide a part.

        A part holds at least one series a share; of fewer than that, all are one part.
        """
        parts: list[list[int]] = []
        longest = 0
        for index in indices:
            length = len(self.series[index])
            longest = max(longest, length)
            is_full = bool(parts) and longest * (len(parts[-1]) + 1) > TIMEPOINTS_AT_ONCE * n_shares
            if not parts or (is_full and len(parts[-1]) >= n_shares):
                parts.append([])
                longest = length
            parts[-1].append(index)
        return _last_joined(parts, n_shares)


def make_examples(series: Sequence[FloatArray], labels: IntArray, n_classes: int, device: torch.device) -> Examples:
    """Return examples of prepared series ``(n_channels, n_timepoints)`` with known labels ``(n_series,)``."""
    home = device if _fits(device, sum(one.nbytes for one in series)) else torch.device("cpu")
    tensors = tuple(torch.from_numpy(one.T.copy()).to(home) for one in series)
    targets = one_hot(torch.as_tensor(labels), n_classes).float().to(device)
    return Examples(tensors, targets, device)


def shuffled_batches(
    lengths: Sequence[int], batch_size: int, generator: torch.Generator, n_shares: int = 1
) -> list[list[int]]:
    """Return a new random order of all series in batches.

    Where lengths differ, series of like length come together: the order is cut into pools of eight batches, each
    pool is sorted by length, and the batches are shuffled. A last batch of one series joins another one, since a
    batch statistic of one series says little, and so does one of fewer series than ``n_shares`` can divide.
    """
    order = torch.randperm(len(lengths), generator=generator).tolist()
    if len(set(lengths)) > 1:
        pool = batch_size * BATCHES_IN_A_POOL
        pools = [order[start : start + pool] for start in range(0, len(order), pool)]
        order = [index for some in pools for index in sorted(some, key=lambda index: lengths[index])]
    batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    batches = _last_joined(batches, max(2, n_shares) if batch_size > 1 else 1)
    if len(set(lengths)) > 1:
        batches = [batches[place] for place in torch.randperm(len(batches), generator=generator).tolist()]
    return batches


def _last_joined(groups: list[list[int]], fewest: int) -> list[list[int]]:
    # a last group of too few joins the one before
    if len(groups) > 1 and len(groups[-1]) < fewest:
        return [*groups[:-2], groups[-2] + groups[-1]]
    return groups


def _fits(device: torch.device, n_bytes: int) -> bool:
    if device.type != "cuda":
        return True
    free, _ = torch.cuda.mem_get_info(device)
    return n_bytes < SHARE_OF_FREE_MEMORY * free
