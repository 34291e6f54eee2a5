"""What a model can do beyond naming a class: methods and pages ask for abilities, never for a model's type."""

from __future__ import annotations

from enum import Enum


class Ability(Enum):
    """One thing that a model can be asked for; its value completes "this model has no …"."""

    LOGITS = "logits"
    GRADIENTS = "gradients of its logits"
    INSTANCES = "embeddings and pooling weights of its time points"
    CONTRIBUTIONS = "logits that are sums over its instances"
    TIME_CONTRIBUTIONS = "logits that are sums over values, exactly"
    MEMBERS_ADD_UP = "several networks whose logits are sums over time points"
    CLASS_TOKEN = "class token"  # noqa: S105  no password
    WAVELETS = "learned wavelets"
    UNTRAINED = "copy that has learned nothing"
    SEVERAL_CHANNELS = "second channel"


Abilities = frozenset[Ability]
