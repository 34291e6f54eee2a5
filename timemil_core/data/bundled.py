"""The sets that come inside the aeon package, so that a machine without a network has real series."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from timemil_core.data.series_set import SeriesSet
from timemil_core.data.ts_files import read_ts
from timemil_core.errors import DataError

BUNDLED = (
    "BasicMotions",
    "JapaneseVowels",
    "GunPoint",
    "ItalyPowerDemand",
    "ArrowHead",
    "OSULeaf",
    "ACSF1",
    "PickupGestureWiimoteZ",
)


def aeon_datasets() -> Path:
    """Return the folder of aeon's data sets; found without importing aeon, which takes seconds."""
    spec = find_spec("aeon")
    if spec is None or not spec.submodule_search_locations:
        raise DataError("The package aeon is not installed.", remedy="Install it with: pip install aeon")
    return Path(spec.submodule_search_locations[0]) / "datasets"


def load_bundled(name: str) -> SeriesSet:
    """Load one of ``BUNDLED`` with its official split.

    Raises
    ------
    DataError
        Where aeon does not bring the set.
    """
    if name not in BUNDLED:
        raise DataError(f"{name!r} does not come with aeon.", remedy=f"These do: {', '.join(BUNDLED)}.")
    folder = aeon_datasets() / "data" / name
    return read_ts(folder / f"{name}_TRAIN.ts", folder / f"{name}_TEST.ts", name=name)
