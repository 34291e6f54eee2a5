"""Where in time a model looks, on average over the series of a class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch

from timemil_core.data.series_set import FloatArray, IntArray, SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.timemil import Output
from timemil_core.models.trained import TrainedModel

DoubleArray = npt.NDArray[np.float64]
ClassMean = tuple[DoubleArray, DoubleArray, DoubleArray]


def class_mean_attention(
    model: TrainedModel,
    series_set: SeriesSet,
    *,
    layer: int | None = None,
    n_bins: int = 100,
    max_series: int = 200,
    by: Literal["predicted", "true"] = "predicted",
    progress: Progress = silent,
) -> dict[str, ClassMean]:
    """Return each class's mean attention over relative time, as density: 1 is what a flat map has everywhere.

    Weights are divided by their sum over the instances, so that the class token's own share does not count.

    Parameters
    ----------
    model
        Stays as it is. Poolings without a class token show their own weights.
    series_set
        Raw series, of any lengths.
    layer
        Of the class token's attention (mean of heads); the last by default. Passed by for other poolings.
    n_bins
        Of relative time, from the first to the last time point of each series.
    max_series
        At most so many series, the same ones each time, evenly over the set.
    by
        Group by the class that the model predicts, or by the true one (unknown ones are left out).
    progress
        Told (series done, series).

    Returns
    -------
    dict
        From class name, in the model's order, to (mean, 5 % and 95 % over its series), each ``(n_bins,)``. Classes
        without a series are absent.

    Raises
    ------
    SettingsError
        Where there is no such layer.
    """
    chosen = series_set.subset(spread_over(with_values(series_set), max_series))
    n_chosen = len(chosen)
    densities = np.empty((n_chosen, n_bins))
    labels = labels_for(model, chosen)
    for done, (index, weights, predicted) in enumerate(_weights(model, chosen, layer), start=1):
        densities[index] = density(weights, n_bins)
        if by == "predicted":
            labels[index] = predicted
        progress(done, n_chosen)
    return {
        name: _summary(densities[labels == label])
        for label, name in enumerate(model.class_names)
        if np.any(labels == label)
    }


def density(weights: npt.NDArray[np.floating], n_bins: int) -> DoubleArray:
    """Return weights ``(n_timepoints,)`` as a density over relative time, ``(n_bins,)`` with mean 1.

    Weight is conserved: a bin holds what falls into it, whether it is wider or narrower than a time point.
    Where weights sum to nothing positive the density is 0.
    """
    weights = np.asarray(weights, dtype=np.float64)
    total = weights.sum()
    if total <= 0:
        return np.zeros(n_bins)
    cumulative = np.concatenate([[0.0], np.cumsum(weights / total)])
    edges = np.linspace(0, 1, n_bins + 1)
    return np.diff(np.interp(edges, np.linspace(0, 1, len(cumulative)), cumulative)) * n_bins


def _weights(model: TrainedModel, chosen: SeriesSet, layer: int | None) -> Iterator[tuple[int, FloatArray, int]]:
    with torch.inference_mode():
        for indices, values, mask in model.batches(chosen.series):
            output = model.timemil.detailed(values, mask)
            weights = _layer_weights(output, layer)
            predicted: IntArray = output.logits.argmax(dim=1).cpu().numpy()
            for row, index in enumerate(indices):
                yield index, weights[row, : chosen.lengths[index]], int(predicted[row])


def _layer_weights(output: Output, layer: int | None) -> FloatArray:
    rows = output.weights.class_token_rows
    if not rows or layer is None:
        return output.weights.instances.float().cpu().numpy()
    if not -len(rows) <= layer < len(rows):
        raise SettingsError(f"there is no layer {layer}.", remedy=f"Give an index from 0 to {len(rows) - 1}.")
    return rows[layer].mean(dim=1)[:, 1:].float().cpu().numpy()


def _summary(densities: DoubleArray) -> ClassMean:
    low, high = np.percentile(densities, [5, 95], axis=0)
    return densities.mean(axis=0), low, high
