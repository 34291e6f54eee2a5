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


def pick_devices(name: str, n_devices: int) -> list[torch.device]:
    """Return a device for each replica of a setting: the first GPUs of this machine, or its CPU for all.

    Raises
    ------
    SettingsError
        Where this machine has not so many.
    """
    device = pick_device(name)
    if n_devices == 1 or name == "cpu":
        return [device] * n_devices
    if device.type != "cuda" or name not in ("auto", "cuda"):
        raise SettingsError(
            f"{n_devices} devices of the kind {name!r} cannot share a batch.",
            remedy="Choose cuda, or cpu for several processes; CUDA_VISIBLE_DEVICES says which GPUs are the first.",
        )
    if n_devices > torch.cuda.device_count():
        raise SettingsError(f"this machine has {torch.cuda.device_count()} GPUs, not {n_devices}.")
    return [torch.device("cuda", index) for index in range(n_devices)]


def device_name(device: torch.device, n_devices: int = 1) -> str:
    """Return the name for people: the GPU's model, or the CPU with the threads in use; and how many of them."""
    if n_devices > 1:
        return f"{n_devices} × {device_name(device)}"
    if device.type == "cuda":
        return str(torch.cuda.get_device_name(device))
    threads = torch.get_num_threads()
    return f"CPU ({threads} thread{'' if threads == 1 else 's'})" if device.type == "cpu" else device.type.upper()


def _exists(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count()
    return device.type == "cpu" or (device.type == "mps" and torch.backends.mps.is_available())
