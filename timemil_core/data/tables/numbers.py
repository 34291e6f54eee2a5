"""From a table's numbers to the float32 of a series, saying where that costs something."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.data.tables.parsing import DoubleArray

NOTICEABLE = 0.01  # rounding error in shares of the channel's own standard deviation
LARGEST = float(np.finfo(np.float32).max)


def as_float32(values: DoubleArray, names: Sequence[str]) -> tuple[FloatArray, list[str]]:
    """Round ``(n_rows, n_channels)`` to float32; return it and a sentence for each channel that suffers."""
    notes = []
    too_large = np.abs(values) > LARGEST
    if too_large.any():
        values = np.where(too_large, np.nan, values)
        notes.append(f"{int(too_large.sum()):,} values are too large for a network; treated as missing.")
    rounded = values.astype(np.float32)
    for channel, name in enumerate(names):
        original = values[:, channel]
        known = ~np.isnan(original)
        error = np.abs(original[known] - rounded[known, channel]).max(initial=0.0)
        if error > NOTICEABLE * original[known].std() > 0:
            notes.append(
                f"Warning: {name!r} has values so large ({original[known][0]:.6g}) that small differences between "
                "them are rounded away; subtract a constant from it before uploading."
            )
    return rounded, notes
