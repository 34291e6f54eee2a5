"""Occlusion: how far a class's logit falls when a window of time is taken away (Zeiler and Fergus 2014)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.contract import Importance, check_class
from timemil_core.explain.examination import Examination
from timemil_core.explain.fillers import DEFAULT_FILLER, Filler, FillerName, get_filler
from timemil_core.explain.scoring import Score, network_score, prepared_series, score_without
from timemil_core.models.trained import TrainedModel

MOST_WINDOWS = 128
STEPS_PER_WINDOW = 8  # windows that overlap by more than seven eighths tell nothing new


def occlusion(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
    window: int | None = None,
    filler: FillerName = DEFAULT_FILLER,
    seed: int = 0,
) -> Importance:
    """Explain a class's logit by taking away windows of time over all channels.

    Parameters
    ----------
    model
        Any.
    series
        ``(n_channels, n_timepoints)``, raw.
    target_class
        The class to explain; by default the predicted one.
    examination
        Of the same series by the same model, to spare predicting again.
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
    score, prepared = network_score(model.network), prepared_series(model, series)
    if target_class is None:
        logits = score(prepared[None])[0] if examination is None else examination.logits
        target_class = int(logits.argmax())
    target_class = check_class(model, target_class)
    window = _window(window, prepared.shape[1])
    values = occlusion_values(score, prepared, target_class, window, get_filler(filler, seed))
    name = model.class_names[target_class]
    return Importance(
        values=values,
        name=f"Occlusion of {window} time points, class {name!r}",
        reference="Zeiler and Fergus 2014",
        signed=True,
        class_specific=True,
        per_channel=None,
        class_token_mass=None,
        target_class=target_class,
        note=(
            f"How far the logit of {name!r} falls when the {window} time points around are replaced ({filler}) in all "
            "channels; below 0 where it rises. It measures this model's own reaction, is as sharp as the window is "
            "short, and misses what is told twice in the series."
        ),
    )


def occlusion_values(
    score: Score, prepared: FloatArray, target_class: int, window: int, filler: Filler
) -> npt.NDArray[np.float64]:
    """Return for each time point the mean fall of the logit over the windows that cover it, ``(n_timepoints,)``."""
    covered = windows(prepared.shape[1], window)
    unchanged = np.zeros((1, prepared.shape[1]), dtype=np.bool_)
    logits = score_without(score, prepared, np.concatenate([unchanged, covered]), filler)[:, target_class]
    falls = logits[0] - logits[1:]
    return falls @ covered / covered.sum(axis=0)


def windows(n_timepoints: int, window: int) -> BoolArray:
    """Return evenly spread windows that cover every time point, at most 128 unless more are needed for that.

    ``(n_windows, n_timepoints)``; where 128 suffice, a window starts an eighth of its length after the one before.
    """
    last_start = n_timepoints - window
    wanted = math.ceil(last_start / max(1, window // STEPS_PER_WINDOW)) + 1
    needed = math.ceil(last_start / window) + 1
    n_windows = max(min(wanted, MOST_WINDOWS), needed)
    starts = np.unique(np.round(np.linspace(0, last_start, n_windows)).astype(np.intp))
    positions = np.arange(n_timepoints)
    return (positions >= starts[:, None]) & (positions < starts[:, None] + window)


def _window(window: int | None, n_timepoints: int) -> int:
    if window is None:
        return min(max(5, round(n_timepoints / 10)), n_timepoints)
    if not 1 <= window <= n_timepoints:
        raise SettingsError(
            f"an occlusion window of {window} time points does not fit a series of {n_timepoints}.",
            remedy=f"Give a window from 1 to {n_timepoints}.",
        )
    return window
