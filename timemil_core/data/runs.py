"""Where a mask is True without a break."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray


def runs(flags: BoolArray) -> npt.NDArray[np.int64]:
    """Return the first index and the end of each run of True in ``(n,)`` flags, ``(n_runs, 2)``."""
    steps = np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8))
    return np.stack([np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)], axis=1)
