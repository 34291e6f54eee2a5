"""What every network is to the rest of the house: settings, abilities, and logits of padded batches.

``TrainedModel`` holds any network that keeps this contract; methods and pages ask it for abilities, never for its
class. How a network comes to its weights is `training`'s business: most by the one trainer, some are fitted at once
(``models/building.py`` lists them all).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from timemil_core.errors import ModelError
from timemil_core.models.abilities import Abilities, Ability


class NetworkConfig(Protocol):
    """The settings of a network; a frozen dataclass of JSON values."""

    @property
    def n_channels(self) -> int:
        """Channels that it reads."""

    @property
    def n_classes(self) -> int:
        """Classes that it tells apart."""

    @property
    def masks_padding(self) -> bool:
        """Whether batches may hold series of several lengths; False: of one length at a time."""

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""


class Network(nn.Module, ABC):
    """A classifier of prepared series. Logits are one-vs-rest (paper, equations 4 and 5)."""

    config: NetworkConfig

    @abstractmethod
    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(n_series, n_channels, n_timepoints)``: logits ``(n_series, n_classes)``.

        ``mask`` ``(n_series, n_timepoints)`` is True where a time point is observed; None where all are. ``warm_up``
        is the α of TimeMIL's appendix, None for what does not warm up.
        """

    @property
    @abstractmethod
    def abilities(self) -> Abilities:
        """What it can be asked for."""

    def untrained(self, seed: int) -> Network:
        """Return a network like this one that has learned nothing: what a map of it shows, no training taught.

        Raises
        ------
        ModelError
            Where there is none; ask for ``Ability.UNTRAINED`` first.
        """
        raise ModelError(f"this model has no {Ability.UNTRAINED.value}: nobody here knows how it was trained.")

    @property
    def reads_at_most(self) -> int | None:
        """How many time points from its beginning are read of a series; None: all."""
        return None

    @property
    def warms_up(self) -> bool:
        """Whether its first epochs are fed otherwise (TimeMIL's appendix)."""
        return False

    @property
    def marks(self) -> bool:
        """Whether it says itself which time points it goes by, in the pass that classifies: its ``forward`` then takes
        ``shares``, as TimeMIL's does.
        """
        return False

    @property
    def trained_apart(self) -> tuple[nn.Module, ...]:
        """What is trained each by its own loss; where that is more than the network, its logits in training are
        ``(n_series, n_networks, n_classes)``.
        """
        return (self,)

    @property
    def averaged(self) -> tuple[Network, ...]:
        """The networks that it averages; none where it is one."""
        return ()

    @property
    def n_stages(self) -> int:
        """After how many stages a pass tells whoever watches it (`watching`)."""
        return 1

    @property
    def device(self) -> torch.device:
        """Where its weights are; the CPU where it has none."""
        tensors = (*self.parameters(), *self.buffers())
        return tensors[0].device if tensors else torch.device("cpu")


class AdditiveNetwork(Network):
    """A network whose logits are sums over channels and time points, exactly, with nothing linearised."""

    @abstractmethod
    def time_contributions(self, values: Tensor) -> tuple[Tensor, Tensor]:
        """Take the logits of one series ``(1, n_channels, n_timepoints)`` apart.

        Returns
        -------
        tuple
            ``(n_classes, n_channels, n_timepoints)``, what each value adds to each logit; and ``(n_classes,)``, what
            no value adds: ``parts.sum((1, 2)) + rest = logits``.
        """
