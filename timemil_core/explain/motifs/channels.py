"""Which channels of important spans the model looks at: shapes are compared on those."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.explain.motifs.motif import Occurrence
from timemil_core.models.trained import TrainedModel

DoubleArray = npt.NDArray[np.float64]

MOST_SPANS, N_FILLINGS = 20, 4


def channel_counts(
    model: TrainedModel, series_set: SeriesSet, spans: Sequence[Occurrence], target: int, others: IntArray, seed: int
) -> DoubleArray:
    """Return what each channel counts for in spans of one class, ``(n_channels,)``: none is below 0, their mean is 1.

    In each span one channel at a time is taken from four other series, as it is there at the same share of their
    length: real values, such as the model was trained on. A channel counts for how far the logit of the class falls on
    average. Where none makes it fall, all count alike.

    Parameters
    ----------
    model, series_set
        Of like channels.
    spans
        At most twenty are asked, the first ones.
    target
        Index of the class.
    others
        Indices of the series to take from.
    seed
        Of which are taken.
    """
    n_channels = len(model.channel_names)
    if n_channels == 1 or not spans:
        return np.ones(n_channels)
    falls = [_falls(model, series_set, one, target, others, seed) for one in spans[:MOST_SPANS]]
    counts = np.maximum(np.mean(falls, axis=0), 0.0)
    return np.ones(n_channels) if not counts.any() else counts / counts.mean()


def _falls(
    model: TrainedModel, series_set: SeriesSet, span: Occurrence, target: int, others: IntArray, seed: int
) -> DoubleArray:
    own = series_set.series[span.series]
    n_channels, length = len(own), span.stop - span.start
    generator = np.random.default_rng([seed, span.series, span.start])
    possible = others[others != span.series]
    givers = generator.permutation(possible)[:N_FILLINGS] if len(possible) else np.array([span.series])
    changed = [own]
    for giver in givers.tolist():
        given = series_set.series[giver]
        within = min(length, given.shape[1])
        start = min(round(span.start / own.shape[1] * given.shape[1]), given.shape[1] - within)
        for channel in range(n_channels):
            copy = own.copy()
            copy[channel, span.start : span.start + within] = given[channel, start : start + within]
            changed.append(copy)
    logits = model.predict(changed).logits[:, target].astype(np.float64)
    return (logits[0] - logits[1:]).reshape(len(givers), n_channels).mean(axis=0)
