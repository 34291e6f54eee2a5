"""In which precision, and by which compiler, a network is trained."""

from __future__ import annotations

from contextlib import AbstractContextManager

import torch
from torch import nn

from timemil_core.errors import SettingsError
from timemil_core.training.config import CompilationName, PrecisionName

_MODES = {"on": "default", "cuda-graphs": "reduce-overhead"}


def uses_bfloat16(precision: PrecisionName, device: torch.device) -> bool:
    """Tell whether convolutions and matrix products are to run in bfloat16; ``"auto"``: on a GPU that has it.

    Raises
    ------
    SettingsError
        Where it is asked for on a GPU that has not.
    """
    here = device.type != "cuda" or torch.cuda.is_bf16_supported(including_emulation=False)
    if precision == "bf16" and not here:
        raise SettingsError("this GPU does not compute in bfloat16.", remedy="Choose the precision 32 or auto.")
    return precision == "bf16" or (precision == "auto" and device.type == "cuda" and here)


def autocast(precision: PrecisionName, device: torch.device) -> AbstractContextManager[None]:
    """Return the context of a training network's forward pass (``models/fast/precision.py``: what stays as it is)."""
    enabled: AbstractContextManager[None] = torch.autocast(
        device.type, torch.bfloat16, enabled=uses_bfloat16(precision, device)
    )
    return enabled


def compiled(network: nn.Module, compilation: CompilationName) -> nn.Module:
    """Return the network as it is, or the same weights behind ``torch.compile``, by CUDA graphs where asked for."""
    if compilation == "off":
        return network
    behind: nn.Module = torch.compile(network, mode=_MODES[compilation])  # type: ignore[assignment]
    return behind
