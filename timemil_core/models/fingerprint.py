"""A short name for a set of weights, for caches and cards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from torch import nn


def weights_fingerprint(network: nn.Module, settings: Mapping[str, Any] | None = None) -> str:
    """Return sixteen hexadecimal digits that change with any weight or buffer, and with any setting (JSON values)."""
    digest = hashlib.sha256(json.dumps(settings).encode())
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
