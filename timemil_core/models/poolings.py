"""MIL poolings σ (theorem 1), one contract: ``forward(instances, mask, return_attention) -> (bag, weights)``.

A pooling also explains itself: what each instance brings to the bag (``parts``), what its weights are, where it comes
from, and whether it has a class token. No table elsewhere names poolings.

Instances are ``(B, T, L)``, masks ``(B, T)`` or None, bags ``(B, L)``, or ``(B, K)`` where ``gives_logits``; weights
are None unless asked for. Letters: timemil.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Dropout
from timemil_core.models.encodings import PositionalEncoding, build_encoding
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_mean, masked_softmax
from timemil_core.models.time_aware import TimeAwareLayer, TimeAwareLayers
from timemil_core.models.views import over_what_was_seen


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


class MeanPooling(Pooling):
    """The mean of all instances; every weight is 1 / T."""

    warms_up = False
    title = "Mean pooling weighs every time point alike"
    note = "Every weight is 1 / T: this pooling cannot tell time points apart."
    reference = "Ilse et al. 2018"

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        bag = masked_mean(self.encoding(instances, mask), mask)  # (B, L)
        if not return_attention:
            return bag, None
        ones = instances.new_ones(instances.shape[:2]) if mask is None else mask.to(instances.dtype)
        return bag, PoolingWeights(ones / ones.sum(dim=1, keepdim=True))  # (B, L), (B, T)

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds 1 / T of itself."""
        return PooledParts(self.encoding(instances)[0] / instances.shape[1])


class MaxPooling(Pooling):
    """The maximum of each feature; an instance's weight is the share of features whose maximum it holds."""

    title = "Max pooling: share of features held"
    note = "The share of features whose maximum stands at the time point, whether the classifier uses them or not."
    reference = "Ilse et al. 2018"

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        encoded = self.encoding(instances, mask)  # (B, T, L)
        if mask is not None:
            encoded = encoded.masked_fill(~mask[..., None], float("-inf"))  # (B, T, L)
        bag, holder = encoded.max(dim=1)  # (B, L), (B, L)
        if not return_attention:
            return bag, None
        return bag, PoolingWeights(one_hot(holder, instances.shape[1]).to(bag.dtype).mean(dim=1))  # (B, L), (B, T)

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds the features whose maximum it holds."""
        encoded = self.encoding(instances)[0]
        return PooledParts(encoded * one_hot(encoded.argmax(dim=0), len(encoded)).to(encoded.dtype).T)


class AttentionPooling(Pooling):
    """ABMIL (Ilse et al. 2018, equations 7 and 8): a softmax of ``wᵀ tanh(V h_t)`` weighs the instances."""

    title = "Attention pooling (ABMIL)"
    note = "The weights with which the instances were averaged; they sum to 1."
    reference = "Ilse et al. 2018, equations 7 and 8"

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.score = nn.Sequential(
            nn.Linear(config.embedding_width, config.embedding_width),
            nn.Tanh(),
            nn.Linear(config.embedding_width, 1),
        )

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        encoded = self.encoding(instances, mask)  # (B, T, L)
        weights = masked_softmax(self.score(encoded)[..., 0], mask)  # (B, T)
        bag = torch.einsum("bt,btl->bl", weights, encoded)  # (B, L)
        return bag, PoolingWeights(weights) if return_attention else None

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds its weight times itself."""
        encoded = self.encoding(instances)
        return PooledParts((masked_softmax(self.score(encoded)[..., 0], None)[..., None] * encoded)[0])


class ConjunctivePooling(Pooling):
    """MILLET's conjunctive pooling (Early et al. 2024, section 3.2): the mean of attention times instance logits.

    The bag is the logits. ``instance_logits`` gives the per-class evidence a_t z_t of each instance.
    """

    gives_logits = True
    warms_up = False
    title = "Conjunctive pooling's attention"
    note = "The factor from 0 to 1 on each instance's own logits; the factors need not sum to 1."
    reference = "Early et al. 2024 (MILLET), section 3.2"
    HIDDEN_WIDTH = 8

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.config = config
        self.dropout = Dropout(config.dropout)
        self._build_heads(config)

    def _build_heads(self, config: ModelConfig) -> None:
        self.score = _gate(config.embedding_width, self.HIDDEN_WIDTH)
        self.instance_classifier = nn.Linear(config.embedding_width, config.n_classes)

    def instance_logits(self, instances: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return attention ``(B, T)`` and a_t z_t ``(B, T, K)``."""
        encoded = self.dropout(self.encoding(instances, mask))  # (B, T, L)
        weights, of_views = self.by_view(encoded)  # (n_views, B, T), (n_views, B, T, K)
        told = weights.mean(dim=0), of_views.sum(dim=0)  # (B, T), (B, T, K)
        return told if mask is None else (told[0] * mask, told[1] * mask[..., None])

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        weights, evidence = self.instance_logits(instances, mask)  # (B, T), (B, T, K)
        bag = masked_mean(evidence, mask)  # (B, K)
        return bag, PoolingWeights(weights) if return_attention else None

    def by_view(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Return attention and a_t z_t of each view, as ``instance_logits`` does with the views before the series."""
        weights = self.score(encoded)[..., 0]
        return weights[None], (weights[..., None] * self.instance_classifier(encoded))[None]

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds the sum over views of a_t z_t / T; of its own time point, or of those that it saw."""
        of_views = self.by_view(self.encoding(instances))[1] / instances.shape[1]
        return PooledParts(self.told(of_views)[0], of_views=tuple(of_views[:, 0]))

    @in_float32
    def marked(self, instances: Tensor, mask: Tensor | None, shares: Tensor) -> Tensor:
        """Return the time points that add most to the class that the bag is said to be, ``(B, T)``, the earlier of two.

        ``shares`` ``(B,)`` of those observed in each series.
        """
        of_views = self.by_view(self.encoding(instances, mask))[1]  # (n_views, B, T, K)
        observed = instances.new_ones(instances.shape[:2], dtype=torch.bool) if mask is None else mask  # (B, T)
        of_views = of_views * observed[..., None]
        said = masked_mean(of_views.sum(dim=0), mask).argmax(dim=1)  # (B,)
        of_said = of_views.gather(3, said[None, :, None, None].expand(*of_views.shape[:3], 1))  # (n_views, B, T, 1)
        added = self.told(of_said, mask)[..., 0].masked_fill(~observed, float("-inf"))  # (B, T)
        place = added.argsort(dim=1, descending=True, stable=True).argsort(dim=1)  # (B, T)
        return observed & (place < (shares * observed.sum(dim=1)).ceil()[:, None])

    def told(self, of_views: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return what is told of what each view's instances add, ``(n_views, B, T, K)``: of time points, ``(B, T, K)``.

        Of their own time points, or of those that they saw (``evidence``).
        """
        seen = self.config.evidence == "sight"
        return (over_what_was_seen(of_views, self.config, mask) if seen else of_views).sum(dim=0)


class SeveralViewsPooling(ConjunctivePooling):
    """Conjunctive pooling of several views: each has its own attention and instance logits, and all are added up.

    The weights that are told are the mean over views.
    """

    note = "The factors from 0 to 1 on each instance's own logits, mean over views; they need not sum to 1."

    def _build_heads(self, config: ModelConfig) -> None:
        self.n_views = len(config.views)
        width = config.embedding_width // self.n_views
        self.scores = nn.ModuleList(_gate(width, self.HIDDEN_WIDTH) for _ in config.views)
        self.instance_classifiers = nn.ModuleList(nn.Linear(width, config.n_classes) for _ in config.views)

    def by_view(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Return attention and a_t z_t of each view, as ``instance_logits`` does with the views before the series."""
        shares = encoded.tensor_split(self.n_views, dim=2)
        weights = torch.stack([score(one)[..., 0] for score, one in zip(self.scores, shares, strict=True)])
        logits = torch.stack([judge(one) for judge, one in zip(self.instance_classifiers, shares, strict=True)])
        return weights, weights[..., None] * logits


def _gate(width: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, 1), nn.Sigmoid())


class TimeAwarePooling(Pooling):
    """The paper's pooling (Algorithm 1): a class token attends to the instances through transformer layers."""

    title = "Time-aware pooling: last layer, mean of heads"
    note = "These are the weights with which the class token mixed the instances in the last layer."
    reference = "Chen et al. 2024 (TimeMIL), equation 12"

    def __init__(self, config: ModelConfig) -> None:
        nn.Module.__init__(self)  # each layer owns its encoding
        self.layers = TimeAwareLayers(config)

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances; the weights are the last layer's class token row, mean of heads, instances only."""
        bag, rows = self.layers(instances, mask, return_rows=return_attention)  # (B, L), each (B, H, 1 + T)
        if not return_attention:
            return bag, None
        return bag, PoolingWeights(rows[-1].mean(dim=1)[:, 1:], rows)  # (B, L), (B, T)

    @property
    def class_token_layers(self) -> TimeAwareLayers:
        """The transformer layers."""
        return self.layers

    @property
    def encoders(self) -> list[Pooling | TimeAwareLayer]:
        """The layers: each owns its encoding."""
        return [*self.layers.layers]

    def encodings(self, instances: Tensor, mask: Tensor | None) -> Iterator[tuple[PositionalEncoding, Tensor]]:
        """Yield each layer's encoding with the instances that enter it."""
        for one in self.layers.passes(instances, mask):
            yield one.layer.encoding, one.entering[:, 1:]

    def approximates(self, n_timepoints: int) -> tuple[bool, ...]:
        """Tell for each layer whether the class token's row is Nyström's."""
        return tuple(
            layer.attention.uses_nystrom(1 + n_timepoints) and not layer.class_token_alone
            for layer in self.layers.layers
        )

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds ``W_o a_t v_t`` of the last layer; the class token itself is told apart."""
        *_, one = self.layers.passes(instances, None)
        attention, config = one.layer.attention, one.layer.attention.config
        encoded = one.layer.encoded(one.entering, None)  # (1, N, L)
        value = attention.values(one.layer.normalisation(encoded))  # (1, H, N, d)
        output = attention.output.weight.unflatten(1, (config.n_heads, config.head_size))  # (L, H, d)
        added = torch.einsum("hn,hnd,lhd->nl", one.row[0], value[0], output)  # (N, L)
        rest = {
            "the class token before the layer": encoded[0, 0],
            "the class token's attention to itself": added[0],
            "the layer's bias": attention.output.bias.detach(),
        }
        if attention.value_convolution is not None and config.value_convolution == "all":
            convolved = attention.value_convolution(value)[0, :, 0]  # (H, d)
            rest["the convolution of values"] = torch.einsum("hd,lhd->l", convolved, output)
        return PooledParts(added[1:], rest)


POOLINGS: dict[str, Callable[[ModelConfig], Pooling]] = {
    "mean": MeanPooling,
    "max": MaxPooling,
    "attention": AttentionPooling,
    "conjunctive": lambda config: (ConjunctivePooling if len(config.views) == 1 else SeveralViewsPooling)(config),
    "time-aware": TimeAwarePooling,
}


def build_pooling(config: ModelConfig) -> Pooling:
    """Return a new pooling as configured."""
    return POOLINGS[config.pooling](config)
