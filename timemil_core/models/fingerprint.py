"""A short name for a set of weights, for caches and cards."""

from __future__ import annotations

import hashlib

from torch import nn


def weights_fingerprint(network: nn.Module) -> str:
    """Return sixteen hexadecimal digits that change with any weight or buffer."""
    digest = hashlib.sha256()
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
