"""A model whose weights are made random layer by layer, from the classifier down (Adebayo et al. 2018)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

from torch import Tensor

from timemil_core.explain.baseline import untrained_copy
from timemil_core.models.time_aware import TimeAwareLayers
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel
from timemil_core.models.views import blocks_of


def cascade(model: TrainedModel, seed: int = 0) -> Iterator[tuple[str, TrainedModel]]:
    """Yield (what was made random last, the model) from the classifier down to the first block of the backbone.

    Each model keeps the random weights of those before it; the last has none of the trained ones. The model itself
    stays as it is.
    """
    untrained = untrained_copy(model, seed)
    if not isinstance(model.network, TimeMIL):  # nothing is known of its layers
        yield "all that was learned", replace(untrained, facts={"randomised": "all"})
        return
    network, random = deepcopy(model.network), untrained.network.state_dict()
    for title, prefixes in stages(network):
        network.load_state_dict(_replaced(network.state_dict(), random, prefixes))
        yield title, replace(model, network=deepcopy(network), supervised=None, facts={"randomised": title})


def stages(network: TimeMIL) -> list[tuple[str, tuple[str, ...]]]:
    """Return the parts of a network from its output down: (title, how the names of their weights begin)."""
    layers = [(name, one) for name, one in network.named_modules() if isinstance(one, TimeAwareLayers)]
    if layers:
        name, stack = layers[0]
        pooling = [
            (f"attention layer {place + 1}", (f"{name}.stack.{place}.",))
            for place in reversed(range(len(stack.layers)))
        ]
        pooling[-1] = (pooling[-1][0], ("pooling.",))  # with the class token, and whatever else the pooling has
    else:
        pooling = [("pooling", ("pooling.",))]
    blocks = reversed([*enumerate(blocks_of(network), start=1)])
    backbone = [(f"backbone block {number}", (f"{name}.",)) for number, name in blocks]
    backbone[-1] = (backbone[-1][0], ("",))  # all that is left
    parts = [("classifier", ("classifier.", "normalisation.")), *pooling, *backbone]
    names = network.state_dict().keys()
    return [part for part in parts if any(name.startswith(part[1]) for name in names)]


def _replaced(weights: dict[str, Tensor], random: dict[str, Tensor], prefixes: tuple[str, ...]) -> dict[str, Tensor]:
    return {name: random[name] if name.startswith(prefixes) else value for name, value in weights.items()}
