"""Which device a run is trained on, and what to call it."""

from __future__ import annotations

import torch

from timemil_core.errors import SettingsError


def pick_device(name: str) -> torch.device:
    """Return the device of a setting; ``"auto"`` is a CUDA GPU where there is one, else the CPU.

    Raises
    ------
    SettingsError
        Where this machine has no such device.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device = torch.device(name)
    if not _exists(device):
        raise SettingsError(f"device {name!r} is not on this machine.", remedy="Choose auto or cpu.")
    return device


def device_name(device: torch.device) -> str:
    """Return the device's name for people: the GPU's model, or the CPU with the number of threads in use."""
    if device.type == "cuda":
        return str(torch.cuda.get_device_name(device))
    threads = torch.get_num_threads()
    return f"CPU ({threads} thread{'' if threads == 1 else 's'})" if device.type == "cpu" else device.type.upper()


def _exists(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count()
    return device.type == "cpu" or (device.type == "mps" and torch.backends.mps.is_available())
