"""From a table's numbers to the float32 of a series, saying where that costs something."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.data.tables.parsing import DoubleArray

NOTICEABLE = 0.01  # rounding error in shares of the channel's own standard deviation


def as_float32(values: DoubleArray, names: Sequence[str]) -> tuple[FloatArray, list[str]]:
    """Round ``(n_rows, n_channels[, n_timepoints])`` to float32; return it and a sentence where a channel suffers."""
    notes = []
    with np.errstate(over="ignore"):
        rounded = values.astype(np.float32)
    too_large = np.isinf(rounded)
    if too_large.any():
        values = np.where(too_large, np.nan, values)
        rounded[too_large] = np.nan
        notes.append(f"Values too large for a network, treated as missing: {int(too_large.sum()):,}.")
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
