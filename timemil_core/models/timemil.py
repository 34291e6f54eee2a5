"""TimeMIL: ``ŷ = g(σ{f(x^t)})``, a bag of time points classified (theorem 1, figure 2 and Algorithm 1).

Read on in ``views.py`` and ``backbone.py`` (f), ``poolings/`` and ``time_aware.py`` (σ), ``encodings.py`` and
``wavelets.py`` (what tells an instance its place), ``attention.py`` (how the class token gathers them) and
``masking.py`` (what keeps padding out of all that). What only makes it quicker is in ``fast/``.

Letters of shapes, with the name in the paper (Chen et al., ICML 2024) and in the settings:

====  ==============================================================================================================
B     series (bags) of a batch; the paper speaks of one, X_i
C     channels of a series (the paper's d)
T     time points of a series, and so instances of its bag; in a batch those of the longest
L     width of an embedding, ``embedding_width`` (L; d_model in the appendix)
N     tokens: the class token and the instances, 1 + T
H, d  heads of the self-attention and the size of each (H, d_k), ``n_heads`` and ``head_size``
m     landmarks of Nyström's approximation
n_W   wavelets of each feature (n_W), ``n_wavelets``, of ``size`` taps
K     classes (the paper's C), each against the rest (equations 4 and 5)
====  ==============================================================================================================

================  =====================================================  ==========================================
X, x^t            values, a time point; after f an embedded instance     ``values``, ``instances``
x^cls, X^cls      class token; class token ∪ instances                   ``class_token``, ``tokens``
f, σ, g           feature extractor, pooling, classifier                 ``backbone``, ``pooling``, ``classifier``
WPE, Φ, Ψ_j       wavelet positional encoding (equations 10 and 11)      ``WaveletEncoding``, ``WaveletBank``
ψ_{a,b}, a, b     Mexican hat of a scale and a shift                     ``mexican_hat``, ``scales``, ``shifts``
W^Q, W^K, W^V     projections to queries, keys and values (equation 9)   ``to_query_key_value``
W_0               projection of the joined heads (equation 8)            ``output``
softmax(QKᵀ/√d)   the map A of tokens onto tokens (equation 9)           ``Attention``
A_i               its row of the class token (equation 12)               ``row``
α                 the warm-up's share of the mean instance (appendix)    ``warm_up``
================  =====================================================  ==========================================
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Building, Dropout
from timemil_core.models.fast.checkpointing import uncounted
from timemil_core.models.masking import masked_mean
from timemil_core.models.network import Network
from timemil_core.models.poolings.conjunctive import ConjunctivePooling
from timemil_core.models.poolings.contract import PoolingWeights
from timemil_core.models.poolings.listing import build_pooling
from timemil_core.models.views import blocks_of, build_backbone

ROUNDING = 1e-4  # of a logit: what single precision leaves over


def _two_layer(config: ModelConfig) -> nn.Module:
    width = config.embedding_width
    return nn.Sequential(
        nn.Linear(width, width), nn.ReLU(), Dropout(config.dropout), nn.Linear(width, config.n_classes)
    )


CLASSIFIERS: dict[str, Callable[[ModelConfig], nn.Module]] = {
    "two-layer": _two_layer,
    "linear": lambda config: nn.Linear(config.embedding_width, config.n_classes),
}


@dataclass(frozen=True)
class Output:
    """Logits ``(B, K)``, instances ``(B, T, L)``, and the pooling's weights.

    ``pooled`` is ``(B, n, L)``, all that was pooled, where that is more: the authors' arithmetic puts zeros
    around a short series, and embeds them too. None where the instances are all.
    """

    logits: Tensor
    instances: Tensor
    weights: PoolingWeights
    pooled: Tensor | None = None


@dataclass(frozen=True)
class Contributions:
    """A number that the head says of a bag, as a sum: ``instances.sum() + sum(rest.values()) = total``.

    ``instances`` is ``(n,)``, one of each that was pooled; ``of_views`` ``(n_views, n)``, of equal sum, what each view
    of the backbone adds at its instances' own time points; ``rest`` what none of them adds, by name.
    """

    instances: Tensor
    of_views: Tensor
    rest: dict[str, float]
    total: float


class TimeMIL(Network):
    """A time series classifier that sees a series as a bag of time points.

    Logits are one-vs-rest (equations 4 and 5): class c against all others, trained with binary cross-entropy.
    """

    config: ModelConfig

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.backbone: nn.Module = build_backbone(config)
        self.pooling = build_pooling(config)
        normalise = config.final_normalisation and not self.pooling.gives_logits
        self.normalisation = nn.LayerNorm(config.embedding_width) if normalise else nn.Identity()
        self.classifier = nn.Identity() if self.pooling.gives_logits else CLASSIFIERS[config.classifier](config)
        self.apply(_initialise)

    def forward(
        self,
        values: Tensor,
        mask: Tensor | None = None,
        warm_up: float | None = None,
        shares: Tensor | None = None,
    ) -> Tensor:
        """Classify.

        Parameters
        ----------
        values
            ``(B, C, T)``, prepared.
        mask
            ``(B, T)`` boolean, True where observed, at least one a series; None where all are.
        warm_up
            α of the appendix: the classifier is fed α · mean instance + (1 − α) · class token.
        shares
            ``(B,)``, in training, for a network that ``marks``: of the observed time points of a series, those that it
            goes by most are classified alone too, all others taken away as missing.

        Returns
        -------
        Tensor
            One-vs-rest logits, ``(B, K)``; with ``shares`` ``(B, 2, K)``: of the series, and of what it marks in it.
        """
        instances = self.backbone(values, mask)  # f, line 1: (B, T, L)
        bag, _ = self.pooling(instances, mask)  # σ, lines 2 to 7: (B, L), or (B, K) where it gives logits
        if warm_up is not None and not self.pooling.gives_logits:
            bag = warm_up * masked_mean(instances, mask) + (1 - warm_up) * bag  # (B, L)
        logits = self.classify(bag)  # g, line 8: (B, K)
        if shares is None:
            return logits
        assert isinstance(self.pooling, ConjunctivePooling)
        with torch.no_grad():
            marked = self.pooling.marked(instances, mask, shares)  # (B, T)
        with uncounted():  # the finished model is asked of whole series
            return torch.stack([logits, self(values, marked)], dim=1)  # (B, 2, K)

    def classify(self, bag: Tensor) -> Tensor:
        """Return the logits ``(..., K)`` of bags ``(..., L)``: the model's own head."""
        return self.classifier(self.normalisation(bag))  # after a LayerNorm that the paper has not

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for."""
        own = {Ability.LOGITS, Ability.GRADIENTS, Ability.INSTANCES, Ability.CONTRIBUTIONS, Ability.UNTRAINED}
        if self.config.positional_encoding == "wavelet":
            own.add(Ability.WAVELETS)
        return frozenset(own if self.pooling.class_token_layers is None else own | {Ability.CLASS_TOKEN})

    @property
    def warms_up(self) -> bool:
        """Whether the warm-up does anything: not where the bag is the mean already, or is logits."""
        return self.pooling.warms_up

    def untrained(self, seed: int) -> TimeMIL:
        """Return one of the same settings with new random weights and fresh batch statistics."""
        with Building(torch.Generator().manual_seed(seed)):
            return type(self)(self.config)

    @property
    def marks(self) -> bool:
        """Whether it says itself which time points it goes by, in the pass that classifies."""
        return isinstance(self.pooling, ConjunctivePooling)

    @property
    def n_stages(self) -> int:
        """After how many stages a pass tells whoever watches it (`watching`)."""
        backbone = sum(1 + len(block.inception_modules) for block in blocks_of(self.backbone).values())
        return backbone + (self.config.n_layers if self.pooling.class_token_layers is not None else 0)

    def classify_with_held_deviation(self, bag: Tensor) -> Tensor:
        """Return the same logits as ``classify``, with no slope through the deviation of the head's LayerNorm.

        A head that divides by the bag's own deviation is blind to its scale: along the bag it has no slope, and what
        the bag is made of would speak for a class no more than against it.
        """
        return self.classifier(_with_held_deviation(self.normalisation, bag))

    def contributions(self, pooled: Tensor, explained: Callable[[Tensor], Tensor]) -> Contributions:
        """Share a number of the logits out over the instances of one series, ``pooled (1, n, L)``.

        ``explained`` takes logits ``(1, K)`` to the number ``(1,)``, and is linear. The head is linearised at
        the bag, with the deviation by which its LayerNorm divides held; with ReLUs alone that is exact.
        """
        with torch.no_grad():
            parts = self.pooling.parts(pooled)
        with torch.enable_grad():
            # A copy, whose biases may have slopes: the network itself is shared.
            normalisation, classifier = deepcopy((self.normalisation, self.classifier))
            biases = [weight for name, weight in _named_weights(normalisation, classifier) if name.endswith("bias")]
            for bias in biases:
                bias.requires_grad_()
            bag = parts.bag.detach().requires_grad_()
            number = explained(classifier(_with_held_deviation(normalisation, bag[None])))[0]
            slope, *of_biases = torch.autograd.grad(number, [bag, *biases])
        rest = {name: float(vector @ slope) for name, vector in parts.rest.items()}
        if biases:
            rest["the head's biases"] = sum(
                float((one * bias).sum()) for one, bias in zip(of_biases, biases, strict=True)
            )
        instances = parts.instances @ slope
        total = float(number.detach())
        beyond = total - float(instances.double().sum()) - sum(rest.values())
        if abs(beyond) > ROUNDING * max(1.0, abs(total)):
            rest["the head beyond its slope"] = beyond
        of_views = torch.stack([one @ slope for one in parts.of_views or (parts.instances,)])
        return Contributions(instances.detach(), of_views.detach(), rest, total)

    def detailed(self, values: Tensor, mask: Tensor | None = None) -> Output:
        """Classify and keep what the pages draw: instance embeddings and the pooling's weights."""
        instances = self.backbone(values, mask)  # (B, T, L)
        bag, weights = self.pooling(instances, mask, return_attention=True)  # (B, L), (B, T)
        assert weights is not None
        return Output(self.classify(bag), instances, weights)


def _named_weights(*modules: nn.Module) -> list[tuple[str, nn.Parameter]]:
    return [pair for module in modules for pair in module.named_parameters()]


def _with_held_deviation(normalisation: nn.Module, bag: Tensor) -> Tensor:
    if not isinstance(normalisation, nn.LayerNorm):
        normalised: Tensor = normalisation(bag)
        return normalised
    centred = bag - bag.mean(dim=-1, keepdim=True)  # (..., L)
    deviation = (centred.square().mean(dim=-1, keepdim=True) + normalisation.eps).sqrt().detach()  # (..., 1)
    return centred / deviation * normalisation.weight + normalisation.bias  # (..., L)


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):
        nn.init.xavier_normal_(module.weight)


def probabilities(logits: Tensor) -> Tensor:
    """Return class probabilities that sum to 1: one-vs-rest sigmoids, divided by their sum.

    Computed from log-sigmoids, so that saturated logits never divide 0 by 0. Only classes whose own sigmoids all
    round to 1 share one probability; rank by the logits, as ``Prediction.labels`` does.
    """
    return torch.softmax(nn.functional.logsigmoid(logits.double()), dim=-1)
