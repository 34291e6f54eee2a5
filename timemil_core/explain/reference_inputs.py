"""What a series is compared with (its "baseline") by methods that need one: a series that says nothing.

None is neutral in itself: a model can be sure of a class on a flat line, which it never met in training (so
``methods/integrated_gradients`` takes noise unless asked otherwise). All depend on the series and the model's
preparation alone, never on a test part.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError

BaselineName = Literal["series mean", "training mean", "noise"]
BASELINES: dict[str, str] = {
    "series mean": "each channel held at its own mean",
    "training mean": "each channel held at 0 after preparation: with the usual preparation the training mean",
    "noise": "N(0, 1) noise, with which the training masks",
}
DEFAULT_BASELINE: BaselineName = "series mean"


def reference_input(prepared: FloatArray, baseline: str, seed: int = 0) -> FloatArray:
    """Return the baseline of one prepared series ``(n_channels, n_timepoints)``, of the same shape.

    Raises
    ------
    SettingsError
        Where there is no baseline of that name.
    """
    if baseline == "series mean":
        return np.broadcast_to(prepared.mean(axis=1, keepdims=True), prepared.shape).astype(np.float32)
    if baseline == "training mean":
        return np.zeros_like(prepared)
    if baseline == "noise":
        return np.random.default_rng(seed).standard_normal(prepared.shape).astype(np.float32)
    raise SettingsError(f"there is no baseline {baseline!r}.", remedy=f"Choose one of {', '.join(BASELINES)}.")
