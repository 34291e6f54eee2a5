"""Sweeps whose cells take seconds."""

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from tests.training.builders import SMALL, kept_small_set
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.folder import SweepFolder, open_sweep
from timemil_core.sweep.spec import SweepSpec

TINY: dict[str, tuple[Any, ...]] = {
    **{key: (value,) for key, value in SMALL.items()},
    "batch_size": (6,),
    "with_supervised": (False,),
    "device": ("cpu",),
}


def tiny_spec(seeds: tuple[int, ...] = (0,), n_epochs: int = 1, **settings: tuple[Any, ...]) -> SweepSpec:
    return SweepSpec((kept_small_set(),), {**TINY, "n_epochs": (n_epochs,), **settings}, seeds)


def tiny_sweep(folder: Path, **changes: Any) -> tuple[SweepFolder, list[Cell]]:
    sweep = open_sweep(folder, tiny_spec(**changes))
    return sweep, sweep.spec().cells()


def weights(sweep: SweepFolder, cell: Cell) -> dict[str, torch.Tensor]:
    return load_file(sweep.cell_folder(cell) / "model" / "weights.safetensors")


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(value, other[name]) for name, value in one.items())
