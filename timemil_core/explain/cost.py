"""How long a computation over a long series will take, found out by beginning it on a short stretch."""

from __future__ import annotations

import time
from collections.abc import Callable

from timemil_core.explain.progress import Progress

PROBE_TIMEPOINTS = 2_000


class _EnoughError(Exception):
    """Two parts have been timed."""


def expected_seconds(n_timepoints: int, begin: Callable[[int, Progress], object]) -> float:
    """Foretell how long something takes that is linear in the number of time points.

    Parameters
    ----------
    n_timepoints
        Over how many it will go, all series together.
    begin
        ``(n, progress)``: does it for the first ``n`` time points. Where it tells its progress it is broken off after
        two parts, the first of which is slower than those that follow.
    """
    n = min(PROBE_TIMEPOINTS, n_timepoints)
    told: list[tuple[float, int, int]] = []

    def progress(done: int, of: int) -> None:
        told.append((time.perf_counter(), done, of))
        if len(told) == 2:
            raise _EnoughError

    started = time.perf_counter()
    try:
        begin(n, progress)
        seconds = time.perf_counter() - started
    except _EnoughError:
        (first, done_first, _), (second, done_second, of) = told
        seconds = (second - first) / (done_second - done_first) * of
    return seconds * n_timepoints / n
