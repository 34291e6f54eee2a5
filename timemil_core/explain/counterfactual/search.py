"""The search: borrow what brings most until the model turns, give back what is not needed, cut the rest shorter."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray
from timemil_core.explain.counterfactual.borrowing import Lead, spans
from timemil_core.explain.evaluation.scoring import copies_at_once
from timemil_core.explain.progress import Progress, share_of


def smallest(lead: Lead, units: BoolArray, progress: Progress) -> BoolArray | None:
    """Return a small part ``(n_channels, n_timepoints)`` that turns the model; None where even all does not."""
    progress(0, 4)
    gains = _in_turn(lead, units, share_of(progress, 0, 4))
    order = np.argsort(-gains, kind="stable")
    grown = _grown(lead, units, order, share_of(progress, 1, 4))
    if grown is None:
        return None
    kept = _dropped(lead, units, grown, share_of(progress, 2, 4))
    trimmed = _trimmed(lead, _together(units, kept))
    progress(4, 4)
    return trimmed


def _in_turn(lead: Lead, borrowed: BoolArray, progress: Progress) -> npt.NDArray[np.float64]:
    size, numbers = copies_at_once(borrowed.shape[-1]), []
    for start in range(0, len(borrowed), size):
        numbers.append(lead(borrowed[start : start + size]))
        progress(min(start + size, len(borrowed)), len(borrowed))
    return np.concatenate(numbers)


def _grown(lead: Lead, units: BoolArray, order: npt.NDArray[np.intp], progress: Progress) -> list[int] | None:
    # the blocks that bring most by themselves, one more at a time, until the model turns
    size, borrowed = copies_at_once(units.shape[-1]), np.zeros_like(units[0])
    for start in range(0, len(order), size):
        steps = np.logical_or.accumulate(units[order[start : start + size]], axis=0) | borrowed
        turned = np.flatnonzero(lead(steps) > 0)
        if len(turned):
            return [int(one) for one in order[: start + turned[0] + 1]]
        borrowed = steps[-1]
        progress(min(start + size, len(order)), len(order))
    return None


def _dropped(lead: Lead, units: BoolArray, grown: list[int], progress: Progress) -> list[int]:
    # those that bring least go back first
    kept = list(grown)
    for done, unit in enumerate(reversed(grown), start=1):
        without = [one for one in kept if one != unit]
        if without and lead(_together(units, without)[None])[0] > 0:
            kept = without
        progress(done, len(grown))
    return kept


def _together(units: BoolArray, chosen: list[int]) -> BoolArray:
    return np.asarray(units[chosen].any(axis=0), dtype=np.bool_)


def _trimmed(lead: Lead, borrowed: BoolArray) -> BoolArray:
    # each span of each channel, from either end, by halves of what is left down to single time points
    for channel, start, stop in spans(borrowed):
        for from_start in (True, False):
            step = (stop - start) // 2
            while step:
                shorter = borrowed.copy()
                cut = slice(start, start + step) if from_start else slice(stop - step, stop)
                shorter[channel, cut] = False
                if stop - start > step and lead(shorter[None])[0] > 0:
                    borrowed = shorter
                    start, stop = (start + step, stop) if from_start else (start, stop - step)
                step //= 2
    return borrowed
