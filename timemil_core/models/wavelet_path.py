"""The way of a network's wavelets through training: scales and shifts after some epochs, in a small file.

At most 64 intervals are kept, evenly spaced: every epoch of short trainings, every second, fourth … of longer ones, and
always the start and the latest. What is kept depends on the epoch alone, so a resumed training writes the same file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file
from torch import Tensor

from timemil_core.atomic import check_regular, replacing_file
from timemil_core.errors import ModelError
from timemil_core.models.network import Network
from timemil_core.models.wavelets import WaveletBank

FILE = "wavelets.safetensors"
MOST_INTERVALS = 64


@dataclass(frozen=True, eq=False)
class WaveletPath:
    """Scales and shifts of every wavelet at some epochs.

    Attributes
    ----------
    epochs
        ``(n_epochs,)`` rising; 0 is before training.
    scales, shifts
        ``(n_epochs, n_layers, n_wavelets, L)``: a and b of ψ_{a,b}, in time points.
    """

    epochs: npt.NDArray[np.int64]
    scales: npt.NDArray[np.float32]
    shifts: npt.NDArray[np.float32]

    def up_to(self, epoch: int) -> WaveletPath:
        """Return the way as far as an epoch; nothing where it began later."""
        return self._at(self.epochs <= epoch)

    def after(self, epoch: int, network: Network) -> WaveletPath:
        """Return the way with a network's wavelets after ``epoch`` at its end, thinned; what was later is dropped."""
        before = self.up_to(epoch - 1)
        here = _state(network)
        kept = before._at(_kept(before.epochs, epoch))
        return WaveletPath(
            np.append(kept.epochs, epoch),
            np.concatenate([kept.scales, here[0][None]]),
            np.concatenate([kept.shifts, here[1][None]]),
        )

    def _at(self, kept: npt.NDArray[np.bool_]) -> WaveletPath:
        return WaveletPath(self.epochs[kept], self.scales[kept], self.shifts[kept])


def path_of(network: Network, epoch: int = 0) -> WaveletPath | None:
    """Return a way that begins with the network as it is after ``epoch``; None where it has no wavelets.

    Where the network knows how its wavelets began, the way begins there.
    """
    banks = _banks(network)
    if not banks:
        return None
    scales, shifts = _state(network)
    path = WaveletPath(np.array([epoch]), scales[None], shifts[None])
    scales_then = [bank.initial_scales for bank in banks if isinstance(bank.initial_scales, Tensor)]
    shifts_then = [bank.initial_shifts for bank in banks if isinstance(bank.initial_shifts, Tensor)]
    if epoch == 0 or not len(scales_then) == len(shifts_then) == len(banks):
        return path
    return WaveletPath(np.array([0]), _stacked(scales_then)[None], _stacked(shifts_then)[None]).after(epoch, network)


def save_path(path: WaveletPath, file: Path) -> None:
    """Write a way, in one step and never half-written."""
    with replacing_file(file) as beside:
        save_file({"epochs": path.epochs, "scales": path.scales, "shifts": path.shifts}, beside)


def load_path(file: Path) -> WaveletPath | None:
    """Read a way that ``save_path`` wrote; None where there is none.

    Raises
    ------
    ModelError
        Where the file is damaged.
    """
    if not os.path.lexists(file):
        return None
    try:
        check_regular(file)
        content = load_file(file)
        path = WaveletPath(content["epochs"], content["scales"], content["shifts"])
    except (OSError, SafetensorError, KeyError) as error:
        raise ModelError(f"the way of the wavelets cannot be read: {error}.", where=str(file)) from error
    if path.scales.ndim != 4 or path.scales.shape != path.shifts.shape or len(path.epochs) != len(path.scales):
        raise ModelError("this is no way of wavelets.", where=str(file), remedy="Remove the file: it is not needed.")
    return path


def _kept(epochs: npt.NDArray[np.int64], latest: int) -> npt.NDArray[np.bool_]:
    step = 1
    while latest > step * MOST_INTERVALS:
        step *= 2
    return epochs % step == 0


def _banks(network: Network) -> list[WaveletBank]:
    return [module for module in network.modules() if isinstance(module, WaveletBank)]


def _state(network: Network) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    with torch.no_grad():
        banks = _banks(network)
        return _stacked([bank.scales for bank in banks]), _stacked([bank.shifts for bank in banks])


def _stacked(tensors: list[Tensor]) -> npt.NDArray[np.float32]:
    return torch.stack([tensor.detach().float().cpu() for tensor in tensors]).numpy()
