"""The ids that a picked point brings back from the browser."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def as_ids(ids: npt.NDArray[np.integer[Any]]) -> list[list[int]]:
    """Return ``(n_points,)`` or ``(n_points, n_parts)`` integers as a trace's ``customdata``: a list a point.

    Plain lists on purpose: Plotly sends arrays in binary, and a picked point's row of one would come back from the
    browser as ``{"0": 50}`` instead of ``[50]``.
    """
    rows: list[list[int]] = (ids[:, None] if ids.ndim == 1 else ids).tolist()
    return rows
