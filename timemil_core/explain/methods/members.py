"""Maps of several networks as one: each is asked, and what they say is averaged as their logits are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

from timemil_core.explain.contract import Importance
from timemil_core.explain.methods.contribution import contribution
from timemil_core.explain.methods.exact_contribution import exact_contribution
from timemil_core.explain.request import Request
from timemil_core.models.abilities import Ability
from timemil_core.models.ensemble.network import EnsembleNetwork

AGREE = "The networks' own maps "
DoubleArray = npt.NDArray[np.float64]


def averaged(request: Request, explain: Callable[[Request], Importance]) -> Importance:
    """Return the mean of the members' maps, weighted as their logits are; sums stay sums."""
    maps = [explain(one) for one in _members(request)]
    network = request.model.network
    assert isinstance(network, EnsembleNetwork)
    weights = network.config.weights
    first, values = maps[0], [one.values for one in maps]
    totals = [one.total for one in maps if one.total is not None]
    masses = [one.class_token_mass for one in maps if one.class_token_mass is not None]
    channels = [one.per_channel for one in maps if one.per_channel is not None]
    return replace(
        first,
        values=_mean(values, weights),
        name=f"{first.name}, mean of {len(maps)} networks",
        per_channel=_mean(channels, weights) if len(channels) == len(maps) else None,
        class_token_mass=float(np.dot(masses, weights)) if len(masses) == len(maps) else None,
        parts=_parts(maps, weights),
        total=float(np.dot(totals, weights)) if len(totals) == len(maps) else None,
        note=f"{first.note} {agreement(values)}",
    )


def member_contributions(request: Request) -> Importance:
    """Explain a class's logit by what each time point adds to it, summed over all networks: a sum of exact sums.

    Each network is asked for what it itself adds up: one of instances for its contributions, a MiniRocket for its
    exact ones. They are averaged as the logits are, so ``values`` and ``parts`` sum to the logit.
    """
    found = averaged(request, _told_by_itself)
    *_, agreed = found.note.partition(AGREE)
    request.progress(1, 1)
    return replace(
        found,
        name=f"Contribution of all networks, {request.question.title}",
        reference="Dempster et al. 2021 (MiniRocket), Early et al. 2024 (MILLET); the sum is ours",
        note=(
            f"What each time point adds to the {request.question.quantity} ({found.total or 0:.3g}): the model "
            f"averages {len(request.model.members)} networks whose logits are sums over time, and this is the average "
            f"of the sums themselves. {AGREE}{agreed}"
        ),
    )


def agreement(values: list[DoubleArray]) -> str:
    """Tell in a sentence how far maps ``(n_timepoints,)`` of one series agree."""
    pairs = [float(spearmanr(one, other).statistic) for one, other in combinations(values, 2)]
    known = [one for one in pairs if np.isfinite(one)]
    if not known:
        return f"{AGREE}cannot be compared: one is flat."
    return (
        f"{AGREE}agree with a rank correlation of {np.mean(known):.2f} on average "
        f"(least {min(known):.2f}; 1 is the same order)."
    )


def _told_by_itself(request: Request) -> Importance:
    is_exact = Ability.TIME_CONTRIBUTIONS in request.model.abilities
    return replace(exact_contribution(request), per_channel=None) if is_exact else contribution(request)


def _members(request: Request) -> list[Request]:
    target, against = request.question.target, request.question.against  # of all together
    return [
        replace(request, model=member, target_class=target, against=against, known=None)
        for member in request.model.members
    ]


def _mean(values: list[DoubleArray], weights: tuple[float, ...]) -> DoubleArray:
    return np.einsum("m,m...->...", np.array(weights), np.stack(values))


def _parts(maps: list[Importance], weights: tuple[float, ...]) -> dict[str, float]:
    parts: dict[str, float] = {}
    for one, weight in zip(maps, weights, strict=True):
        for name, value in one.parts.items():
            parts[name] = parts.get(name, 0.0) + weight * value
    return parts
