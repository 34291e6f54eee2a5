"""What a pooling is: ``forward(instances, mask, return_attention) -> (bag, weights)``, and how it explains itself.

What each instance brings to the bag (``parts``), what its weights are, where it comes from, and whether it has a class
token: no table elsewhere names poolings.

Instances are ``(B, T, L)``, masks ``(B, T)`` or None, bags ``(B, L)``, or ``(B, K)`` where ``gives_logits``; weights
are None unless asked for. Letters: timemil.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn

from timemil_core.models.config import ModelConfig
from timemil_core.models.encodings import PositionalEncoding, build_encoding
from timemil_core.models.time_aware import TimeAwareLayer, TimeAwareLayers


@dataclass(frozen=True)
class PoolingWeights:
    """How much of each instance went into the bag.

    Attributes
    ----------
    instances
        ``(B, T)``, non-negative for all but Nyström's rows; exactly 0 in the padding.
    class_token_rows
        Time-aware pooling only: for each layer ``(B, H, 1 + T)``, the class token first.
    """

    instances: Tensor
    class_token_rows: tuple[Tensor, ...] = ()


Pooled = tuple[Tensor, PoolingWeights | None]


@dataclass(frozen=True)
class PooledParts:
    """What a bag is the sum of.

    Attributes
    ----------
    instances
        ``(T, L)``, or ``(T, K)`` where the pooling gives logits.
    rest
        By name, ``(L,)`` each: what no instance adds.
    of_views
        What each view of the backbone adds at its instances' own time points; none where they are not told apart.
    """

    instances: Tensor
    rest: dict[str, Tensor] = field(default_factory=dict)
    of_views: tuple[Tensor, ...] = ()

    @property
    def bag(self) -> Tensor:
        """The bag, ``(L,)``."""
        return self.instances.sum(dim=0) + sum(self.rest.values())


class Pooling(nn.Module, ABC):
    """From a bag of instances to one vector.

    Attributes
    ----------
    gives_logits
        Whether the bag is the logits, so that no classifier follows.
    warms_up
        Whether the paper's warm-up does anything: not where the bag is the mean already, or is logits.
    title, note
        Of the map of its weights: its name, and a sentence on what they are.
    reference
        Where the pooling comes from.
    """

    gives_logits: ClassVar[bool] = False
    warms_up: ClassVar[bool] = True
    title: ClassVar[str] = "Pooling weights"
    note: ClassVar[str] = "The weights of the instances, as the pooling tells them."
    reference: ClassVar[str] = "the model's own pooling"

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.encoding = build_encoding(config)

    @abstractmethod
    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""

    @property
    def class_token_layers(self) -> TimeAwareLayers | None:
        """The layers through which a class token gathers the bag; None where there is no class token."""
        return None

    @property
    def encoders(self) -> list[Pooling | TimeAwareLayer]:
        """The modules that own an ``encoding``, in the order in which the instances pass them."""
        return [self]

    def encodings(self, instances: Tensor, mask: Tensor | None) -> Iterator[tuple[PositionalEncoding, Tensor]]:
        """Yield each positional encoding with the instances that enter it, ``(B, T, L)``."""
        yield self.encoding, instances

    def approximates(self, n_timepoints: int) -> tuple[bool, ...]:
        """Tell for each layer with a class token whether its row is Nyström's; empty where there is none."""
        return ()

    def parts(self, instances: Tensor) -> PooledParts:
        """Take apart the bag of one series, ``instances (1, T, L)``; the pooling stays as it is.

        An instance adds its value times the slope of the bag there: exact for every pooling that is a sum or a choice
        of instances, whatever its code. A pooling that knows better says so in its own ``parts``.
        """
        with torch.enable_grad():
            given = instances.detach().clone().requires_grad_()
            bag = self(given)[0][0]  # (L,)
            slopes = (torch.autograd.grad(one, given, retain_graph=True)[0][0] for one in bag)
            added = torch.stack([(slope * given[0]).sum(dim=-1).detach() for slope in slopes], dim=-1)
        return PooledParts(added, {"what the pooling adds beyond its slope": bag.detach() - added.sum(dim=0)})
