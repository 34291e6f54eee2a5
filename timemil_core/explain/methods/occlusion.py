"""Occlusion: how far a class's logit falls when a window of time is taken away (Zeiler and Fergus 2014)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.fillers import DEFAULT_FILLER, Filler, FillerName, get_filler
from timemil_core.explain.evaluation.scoring import LogitArray, Score, score_without
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.request import Request
from timemil_core.explain.windows import sliding_windows, window_length

REFERENCE = "Zeiler and Fergus 2014"
DoubleArray = npt.NDArray[np.float64]
Explained = Callable[[LogitArray], DoubleArray]
"""From logits ``(n_copies, n_classes)`` to the number that is explained, ``(n_copies,)``."""


def occlusion(
    request: Request, *, window: int | None = None, filler: FillerName = DEFAULT_FILLER, seed: int = 0
) -> Importance:
    """Explain a class's logit by taking away windows of time over all channels.

    Parameters
    ----------
    request
        What is explained.
    window
        In time points; by default a tenth of the series, at least 5.
    filler
        What stands in the window; see ``fillers`` for how they compare.
    seed
        Of the noise, where that is the filler.

    Raises
    ------
    SettingsError
        Where the class, the window or the filler does not exist.
    """
    question = request.question
    prepared = request.prepared
    window = window_length(window, prepared.shape[1])
    values = occlusion_values(request.score, prepared, question.of, window, get_filler(filler, seed), request.progress)
    return request.importance(
        values=values,
        name=f"Occlusion of {window} time points, {question.title}",
        reference=REFERENCE,
        signed=True,
        note=(
            f"How far the {question.quantity} falls when the {window} time points around are replaced ({filler}) in "
            "all channels; below 0 where it rises. It measures this model's own reaction, is as sharp as the window is "
            "short, and misses what is told twice in the series."
        ),
    )


def channel_occlusion(
    request: Request, *, window: int | None = None, filler: FillerName = DEFAULT_FILLER, seed: int = 0
) -> Importance:
    """Explain a class's logit by taking away windows of one channel at a time; parameters as in ``occlusion``.

    Raises
    ------
    SettingsError
        As ``occlusion``; also for the filler "masked out", which takes whole time points.
    """
    question = request.question
    prepared = request.prepared
    window = window_length(window, prepared.shape[1])
    chosen_filler, n_channels = get_filler(filler, seed), len(prepared)
    per_channel = np.stack(
        [
            occlusion_values(
                request.score,
                prepared,
                question.of,
                window,
                chosen_filler,
                share_of(request.progress, channel, n_channels),
                channel,
            )
            for channel in range(n_channels)
        ]
    )
    return request.importance(
        values=per_channel.sum(axis=0),
        name=f"Occlusion of {window} time points by channel, {question.title}",
        reference=REFERENCE,
        signed=True,
        per_channel=per_channel,
        note=(
            f"How far the {question.quantity} falls when the {window} time points around are replaced ({filler}) in "
            "one channel while the others stay; over time, the sum of the channels. What several channels tell alike "
            "is missed: any of them can stand in for the rest."
        ),
    )


def occlusion_values(
    score: Score,
    prepared: FloatArray,
    explained: Explained,
    window: int,
    filler: Filler,
    progress: Progress = silent,
    channel: int | None = None,
) -> DoubleArray:
    """Return for each time point the mean fall over the windows that cover it, ``(n_timepoints,)``.

    ``channel`` is the index of the only channel that is occluded; None occludes all.
    """
    covered = sliding_windows(prepared.shape[1], window)
    unchanged = np.zeros((1, prepared.shape[1]), dtype=np.bool_)
    removed = _in_channel(np.concatenate([unchanged, covered]), channel, len(prepared))
    numbers = explained(score_without(score, prepared, removed, filler, progress))
    falls = numbers[0] - numbers[1:]
    return falls @ covered / covered.sum(axis=0)


def _in_channel(removed: BoolArray, channel: int | None, n_channels: int) -> BoolArray:
    if channel is None:
        return removed
    return removed[:, None, :] & (np.arange(n_channels) == channel)[None, :, None]
