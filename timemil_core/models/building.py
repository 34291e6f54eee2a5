"""From a configuration to its network: ours, or one that keeps the authors' arithmetic."""

from __future__ import annotations

from typing import Any

import torch

from timemil_core.models.authors.config import AuthorsConfig
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Building
from timemil_core.models.timemil import TimeMIL


def read_config(content: dict[str, Any]) -> ModelConfig:
    """Read what a configuration's ``to_json`` wrote.

    Raises
    ------
    SettingsError
        Where a setting is unknown, missing, or has a value that cannot work.
    """
    kind = AuthorsConfig if content.get("arithmetic") == "authors" else ModelConfig
    return kind.from_json(content)


def build_network(config: ModelConfig, seed: int | None = None) -> TimeMIL:
    """Return a new network on the CPU, in float32, its weights drawn from the seed alone.

    Without a seed nothing is drawn, and the weights mean nothing until a state dict is loaded. The process's own
    generators are neither used nor changed.
    """
    with Building(None if seed is None else torch.Generator().manual_seed(seed)):
        return AuthorsTimeMIL(config) if isinstance(config, AuthorsConfig) else TimeMIL(config)
