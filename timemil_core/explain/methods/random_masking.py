"""Random masking: what the logit is on average with a time point and without it (RISE, Petsiuk et al. 2018)."""

from __future__ import annotations

import numpy as np

from timemil_core.data.series_set import BoolArray
from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.fillers import DEFAULT_FILLER, FillerName, get_filler
from timemil_core.explain.evaluation.scoring import score_without
from timemil_core.explain.methods.occlusion import DoubleArray
from timemil_core.explain.request import Request
from timemil_core.explain.windows import blocks, window_length

N_MASKS = 150


def random_masking(
    request: Request,
    *,
    window: int | None = None,
    n_masks: int = N_MASKS,
    filler: FillerName = DEFAULT_FILLER,
    seed: int = 0,
) -> Importance:
    """Explain a class's logit by removing about half of all windows at random, many times.

    RISE weighs masks by the score; here the mean score without a time point is subtracted from the mean score with
    it, so that a time point that changes nothing gets 0. Masks come in pairs, each the other's complement.

    Parameters
    ----------
    request
        What is explained.
    window
        In time points, of one removed block; by default a tenth of the series, at least 5.
    n_masks
        How many, at least 2; an odd number is rounded up.
    filler
        What stands where a time point was removed.
    seed
        Of masks and noise.

    Raises
    ------
    SettingsError
        Where the class, the window or the filler does not exist, or there are fewer than 2 masks.
    """
    question = request.question
    prepared = request.prepared
    window = window_length(window, prepared.shape[1])
    removed = random_masks(prepared.shape[1], window, (n_masks + 1) // 2, np.random.default_rng(seed))
    logits = score_without(request.score, prepared, removed, get_filler(filler, seed), request.progress)
    return request.importance(
        values=difference_of_means(question.of(logits), removed),
        name=f"Random masking by {window} time points, {question.title}",
        reference="Petsiuk et al. 2018 (RISE), as a difference of means",
        signed=True,
        note=(
            f"The mean {question.quantity} of {len(removed)} copies that keep the time point, less that of those that "
            f"lack it, while about half of the series is replaced ({filler}) in blocks of {window}. It also sees what "
            "is told twice, judges the model on series that are half destroyed, and carries noise of its own."
        ),
    )


def random_masks(n_timepoints: int, window: int, n_pairs: int, generator: np.random.Generator) -> BoolArray:
    """Return what each mask removes, ``(2 n_pairs, n_timepoints)``: blocks at random places, then the complements."""
    masks = []
    for _ in range(n_pairs):
        block = blocks(n_timepoints, window, int(generator.integers(window)))
        masks.append(generator.random(block[-1] + 1)[block] < 0.5)
    one = np.array(masks)
    return np.concatenate([one, ~one])


def difference_of_means(numbers: DoubleArray, removed: BoolArray) -> DoubleArray:
    """Return for each time point the mean number ``(n_masks,)`` of masks that keep it, less that of the others."""
    n_removed = removed.sum(axis=0)
    without = numbers @ removed
    return (numbers.sum() - without) / (len(removed) - n_removed) - without / n_removed
