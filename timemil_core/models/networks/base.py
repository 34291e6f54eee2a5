"""What the other networks share: their abilities, a length that they are made for, and heads that classify.

B series, C channels, T time points, N the longest series that a network is made for, L features, K classes.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.errors import DataError
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.drawing import Building
from timemil_core.models.masking import masked_mean
from timemil_core.models.network import Network
from timemil_core.models.networks.config import OtherConfig


class OtherNetwork(Network):
    """A network of another paper: logits and gradients, and a copy that has learned nothing."""

    config: OtherConfig
    of_config: ClassVar[type[OtherConfig]] = OtherConfig  # with what settings it is made

    def __init__(self, config: OtherConfig) -> None:
        super().__init__()
        self.config = config

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for."""
        return frozenset({Ability.LOGITS, Ability.GRADIENTS, Ability.UNTRAINED})

    def untrained(self, seed: int) -> OtherNetwork:
        """Return one with new random weights."""
        with Building(torch.Generator().manual_seed(seed)):
            return type(self)(self.config)


def to_full_length(values: Tensor, mask: Tensor | None, n_timepoints: int) -> tuple[Tensor, Tensor]:
    """Put zeros behind series until they have the length that a network is made for.

    A series is then the same whatever it stands beside.

    Parameters
    ----------
    values, mask
        ``(B, C, T)``, and ``(B, T)`` or None where all is observed; what is masked becomes zero.
    n_timepoints
        N, at least T.

    Returns
    -------
    tuple
        ``(B, C, N)`` and ``(B, N)``.

    Raises
    ------
    DataError
        Where an observed time point lies beyond N.
    """
    observed = torch.ones_like(values[:, 0], dtype=torch.bool) if mask is None else mask
    beyond = values.shape[2] - n_timepoints
    if beyond > 0 and bool(observed[:, n_timepoints:].any()):
        raise DataError(
            f"a series has {int(observed.sum(dim=1).max())} time points, and this network is made for at most "
            f"{n_timepoints}.",
            remedy="Cut or resample it, or train a network on series as long.",
        )
    # A negative number of zeros cuts off what is padding.
    return pad(values * observed[:, None], (0, -beyond)), pad(observed, (0, -beyond))


class MeanHead(nn.Module):
    """The mean over observed time points, then a linear map."""

    def __init__(self, n_features: int, n_classes: int) -> None:
        super().__init__()
        self.linear = nn.Linear(n_features, n_classes)

    def forward(self, features: Tensor, mask: Tensor | None) -> Tensor:
        """``(B, T, L)`` to ``(B, K)``."""
        return self.linear(masked_mean(features, mask))


class FlattenHead(nn.Module):
    """Features of all time points side by side, those of padding zero, then a linear map."""

    def __init__(self, n_timepoints: int, n_features: int, n_classes: int) -> None:
        super().__init__()
        self.linear = nn.Linear(n_timepoints * n_features, n_classes)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)`` to ``(B, K)``."""
        return self.linear((features * mask[..., None]).flatten(1))
