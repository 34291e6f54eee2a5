"""From a table's numbers to the float32 of a series, saying where that costs something."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.data.tables.parsing import DoubleArray

NOTICEABLE = 0.01  # rounding error in shares of the channel's own standard deviation
LARGEST = float(np.finfo(np.float32).max)


def as_float32(values: DoubleArray, names: Sequence[str]) -> tuple[FloatArray, list[str]]:
    """Round ``(n_rows, n_channels[, n_timepoints])`` to float32; return it and a sentence where a channel suffers."""
    notes = []
    too_large = np.abs(values) > LARGEST
    if too_large.any():
        values = np.where(too_large, np.nan, values)
        notes.append(f"Values too large for a network, treated as missing: {int(too_large.sum()):,}.")
    rounded = values.astype(np.float32)
    for channel, name in enumerate(names):
        known = ~np.isnan(values[:, channel])
        original = values[:, channel][known]
        error = np.abs(original - rounded[:, channel][known]).max(initial=0.0)
        if error > 0 and np.ptp(original) > 0 and error > NOTICEABLE * original.std():
            notes.append(
                f"Warning: {name!r} has values so large ({original[0]:.6g}) that small differences between "
                "them are rounded away; subtract a constant from it before uploading."
            )
    return rounded, notes
