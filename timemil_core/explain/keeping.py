"""Where what was found of a model on a set is kept: beside a shipped model, or on this machine; and its numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from timemil_core import workspace
from timemil_core.data.series_set import SeriesSet
from timemil_core.models.trained import TrainedModel

DIGITS = 5  # significant ones of what is drawn


def kept_at(model: TrainedModel, series_set: SeriesSet, name: str, folder: Path | None = None) -> list[Path]:
    """Return where a file called ``name`` may be, the place to write it to first.

    With the model's own ``folder`` that is there, else on this machine, where it goes by model and data.
    """
    here = workspace.choices_folder() / f"{model.fingerprint}-{series_set.fingerprint}-{name}"
    return [here] if folder is None else [folder / name, here]


def rounded(values: npt.NDArray[np.floating], digits: int = DIGITS) -> list[float | None]:
    """Return ``(n,)`` numbers with so many significant digits for JSON; None where there is none."""
    return [float(f"{value:.{digits}g}") if np.isfinite(value) else None for value in values.tolist()]
