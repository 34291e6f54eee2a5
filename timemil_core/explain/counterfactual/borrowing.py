"""What can be borrowed from another series, what of it was, and what the model makes of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from timemil_core.data.runs import runs
from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet
from timemil_core.explain.evaluation.scoring import copies_at_once
from timemil_core.explain.question import Question
from timemil_core.models.trained import TrainedModel

MOST_UNITS, MOST_BLOCKS, FEWEST_BLOCKS = 240, 20, 4
N_RANDOM = 20

Lead = Callable[[BoolArray], npt.NDArray[np.float64]]
"""From what is borrowed, ``(n_copies, n_channels, n_timepoints)``, to the target's lead, ``(n_copies,)``."""


def lead(model: TrainedModel, original: FloatArray, donor: FloatArray, question: Question) -> Lead:
    """Return the function that tells the target's lead over its strongest rival for parts that are borrowed."""
    n = min(original.shape[1], donor.shape[1])
    other = original.copy()
    other[:, :n] = donor[:, :n]

    def lead(borrowed: BoolArray) -> npt.NDArray[np.float64]:
        size, numbers = copies_at_once(original.shape[1]), []
        for start in range(0, len(borrowed), size):
            copies = np.where(borrowed[start : start + size], other, original)
            logits = model.predict(list(copies)).logits.astype(np.float64)
            # the lead over the strongest rival, not over the first class alone
            rivals = np.delete(logits, question.target, axis=1).max(axis=1)
            numbers.append(logits[:, question.target] - rivals)
        return np.concatenate(numbers)

    return lead


def blocks(series_set: SeriesSet, index: int, donor: int) -> BoolArray:
    """Return what can be borrowed, piece by piece, ``(n_units, n_channels, n_timepoints)``: blocks of channels."""
    n_channels, n_timepoints = series_set.series[index].shape
    common = min(n_timepoints, series_set.series[donor].shape[1])
    n_blocks = min(max(MOST_UNITS // n_channels, FEWEST_BLOCKS), MOST_BLOCKS, common)
    n_groups = min(n_channels, MOST_UNITS // FEWEST_BLOCKS)
    edges = np.linspace(0, common, n_blocks + 1).round().astype(int)
    groups = np.array_split(np.arange(n_channels), n_groups)
    units = np.zeros((n_groups * n_blocks, n_channels, n_timepoints), dtype=np.bool_)
    for unit, (group, block) in enumerate((g, b) for g in range(n_groups) for b in range(n_blocks)):
        units[unit, groups[group], edges[block] : edges[block + 1]] = True
    return units


def spans(borrowed: BoolArray) -> list[tuple[int, int, int]]:
    """Return channel, first time point and the one after the last of each run of True."""
    found = []
    for channel, row in enumerate(borrowed):
        found += [(channel, start, stop) for start, stop in runs(row).tolist()]
    return found


def random_spans(spans: list[tuple[int, int, int]], shape: tuple[int, ...], common: int, seed: int) -> BoolArray:
    """Return spans of the same channels and lengths at random times before ``common``, ``(n_random, *shape)``."""
    generator = np.random.default_rng(seed)
    borrowed = np.zeros((N_RANDOM, *shape), dtype=np.bool_)
    for copy in borrowed:
        for channel, start, stop in spans:
            first = int(generator.integers(common - (stop - start) + 1))
            copy[channel, first : first + stop - start] = True
    return borrowed
