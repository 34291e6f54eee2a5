"""How long a computation over a long series will take, found out by beginning it on a short stretch.

A short stretch fits into the processor's caches and a long series does not, so a time point of the long one costs more;
how much more, one computation tells that was timed over both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.progress import Progress
from timemil_core.models.trained import TrainedModel

PROBE_TIMEPOINTS = 2_000
PACE_TIMEPOINTS = 20_000  # over so many a pass is timed where none was timed over the series itself
LEAST_SECONDS = 0.3  # of parts that are timed: a shorter time is told by whatever else the machine does

Begin = Callable[[int, Progress], object]


class _EnoughError(Exception):
    """Enough parts have been timed."""


@dataclass(frozen=True)
class Timed:
    """A computation that was timed over many time points on this machine, and can be repeated over few.

    Attributes
    ----------
    n_timepoints
        Over how many it went.
    seconds
        How long that took.
    again
        Does it for the first ``n`` time points.
    """

    n_timepoints: int
    seconds: float
    again: Callable[[int], object]


def beginning(series: FloatArray, n_timepoints: int) -> FloatArray:
    """Return a series' first time points with 0 for what is missing, to find out how long something takes.

    A recording that begins with a gap cannot be classified by its beginning alone.
    """
    return np.nan_to_num(series[:, :n_timepoints], posinf=0, neginf=0)


def timed_pass(model: TrainedModel, series: FloatArray, examination: Examination | None = None) -> Timed:
    """Return how long one pass of a series ``(n_channels, n_timepoints)`` through a model takes.

    Parameters
    ----------
    examination
        Of this series by this model, where it is at hand: it was timed. Else the first 20,000 time points are timed
        now.
    """
    if examination is not None:
        return Timed(series.shape[1], examination.seconds, lambda n: examine(model, beginning(series, n)))
    n = min(series.shape[1], PACE_TIMEPOINTS)
    return Timed(n, examine(model, beginning(series, n)).seconds, lambda few: examine(model, beginning(series, few)))


def expected_seconds(n_timepoints: int, *begins: Begin, timed: Timed | None = None) -> float:
    """Foretell how long something takes that is linear in the number of time points.

    Parameters
    ----------
    n_timepoints
        Over how many it will go, all series together.
    begins
        ``(n, progress)``: does it, or one thing of several, for the first ``n`` time points of a series. Where it
        tells its progress it is broken off when enough parts are timed; the first is slower than those that follow,
        and is not counted.
    timed
        Over that series, or its beginning: how much slower time points of long series are is taken from this. Without
        it they count as fast as those of a short stretch.
    """
    n = min(PROBE_TIMEPOINTS, n_timepoints, timed.n_timepoints if timed else n_timepoints)
    least = LEAST_SECONDS / max(len(begins), 1)
    if timed is None or timed.n_timepoints <= n:
        return sum(_begun(begin, n, least) for begin in begins) * n_timepoints / n
    timed.again(n)  # warms up
    # What else the machine does meanwhile slows both alike: the stretch is timed before and after.
    before = _seconds(timed, n)
    seconds = sum(_begun(begin, n, least) for begin in begins)
    passes = seconds / ((before + _seconds(timed, n)) / 2)
    return passes * timed.seconds * n_timepoints / timed.n_timepoints


def _begun(begin: Begin, n: int, least: float) -> float:
    """Return how long the whole takes for ``n`` time points, from its first parts."""
    told: list[tuple[float, int, int]] = []

    def progress(done: int, of: int) -> None:
        told.append((time.perf_counter(), done, of))
        if len(told) >= 2 and told[-1][0] - told[0][0] >= least:
            raise _EnoughError

    started = time.perf_counter()
    try:
        begin(n, progress)
    except _EnoughError:
        (first, done_first, _), (last, done_last, of) = told[0], told[-1]
        return (last - first) / (done_last - done_first) * of
    return time.perf_counter() - started


def _seconds(timed: Timed, n: int) -> float:
    started = time.perf_counter()
    timed.again(n)
    return time.perf_counter() - started
