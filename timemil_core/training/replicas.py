"""Replicas: the same network in several processes, each of which trains on a share of every batch.

What they do together is written here and nowhere else. Gradients are summed once a step rather than by
``DistributedDataParallel``: a batch may come in several parts, weights are few (2.6 MB), and neither the loop nor a
checkpoint has to know of a wrapper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, distributed
from torch.nn import Parameter


@dataclass(frozen=True)
class Replicas:
    """One of ``size`` replicas; all do the same steps in the same order, or none goes on.

    Attributes
    ----------
    rank
        Which one this is, from 0.
    size
        How many there are; 1 leaves every method without an effect.
    """

    rank: int = 0
    size: int = 1

    @property
    def writes(self) -> bool:
        """Whether this is the one that writes files."""
        return self.rank == 0

    @property
    def share(self) -> slice:
        """Which rows of a batch are this replica's: every ``size``-th, since neighbours are of like length."""
        return slice(self.rank, None, self.size)

    def sum(self, tensor: Tensor) -> Tensor:
        """Add up a tensor over replicas, in place; the result has the same bits in each."""
        if self.size > 1:
            distributed.all_reduce(tensor)
        return tensor

    def sum_gradients(self, parameters: Iterable[Parameter]) -> None:
        """Add up all gradients over replicas."""
        if self.size == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        summed = self.sum(torch.cat([gradient.flatten() for gradient in gradients]))
        for gradient, part in zip(gradients, summed.split([one.numel() for one in gradients]), strict=True):
            gradient.copy_(part.view_as(gradient))

    def any(self, wish: bool) -> bool:
        """Tell whether some replica wishes it; over the CPU, so that no GPU has to be waited for."""
        return bool(self.sum(torch.tensor(float(wish)))) if self.size > 1 else wish

    def least(self, number: float) -> float:
        """Return the smallest of all replicas' numbers."""
        numbers = torch.tensor(number, dtype=torch.float64)
        if self.size > 1:
            distributed.all_reduce(numbers, distributed.ReduceOp.MIN)
        return numbers.item()

    @contextmanager
    def first_alone(self) -> Iterator[None]:
        """Let the replica that writes go through a block before the others, which then find what it wrote."""
        if self.size > 1 and not self.writes:
            distributed.barrier()
        yield
        if self.size > 1 and self.writes:
            distributed.barrier()


ALONE = Replicas()
