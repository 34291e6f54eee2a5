"""What a reader of one layout hands over to become a ``SeriesSet``."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray, IntArray
from timemil_core.data.timestamps import Timestamps


@dataclass(eq=False)
class Parts:
    """A set without its name; ``notes`` are sentences for its provenance."""

    series: tuple[FloatArray, ...]
    series_ids: tuple[str, ...]
    channel_names: tuple[str, ...]
    labels: IntArray
    class_names: tuple[str, ...]
    split: npt.NDArray[np.str_]
    sampling_rate: float | None
    instance_labels: tuple[BoolArray, ...] | None = None
    notes: list[str] = field(default_factory=list)
    groups: tuple[str, ...] | None = None
    timestamps: Timestamps | None = None
