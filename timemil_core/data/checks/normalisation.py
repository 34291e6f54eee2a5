"""Signs that values were normalised before they came here, with what a new series could not have had."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import IntArray
from timemil_core.data.timestamps import DoubleArray

MEAN_OFF, DEVIATION_OFF = 1e-3, 1e-3  # how far a normalised part may be from mean 0 and deviation 1
SERIES_OFF = 0.02  # likewise for one series, whose deviation may have been taken with n or n - 1
NEARLY_ALL = 0.95
FEWEST_POINTS = 8


def normalisation(measured: Measured) -> Iterator[ReportLine]:
    """Look for a mean of 0 and a deviation of 1, in each series or in whole parts (pitfall 14)."""
    if _each_series(measured):
        yield note(
            "Each series has mean 0 and deviation 1 in each channel: it was z-normalised by itself, as in the UCR "
            "archive. Levels and amplitudes are gone, and cannot tell classes apart."
        )
        return
    train, test = (measured.series_set.indices(part) for part in ("train", "test"))
    if not len(train) or not len(test):
        return
    both = np.concatenate([train, test])
    of_train, of_test, of_both = (_is_standard(measured, indices) for indices in (train, test, both))
    if of_train and of_test:
        yield warning(
            "The test part has mean 0 and deviation 1 in each channel, and so has the training part: it was "
            "normalised with its own mean. A new series has no test part to be normalised with.",
            remedy="Upload the values as they were measured: training normalises with the training series alone.",
        )
    elif of_both and not of_train:
        yield warning(
            "Training and test series together have mean 0 and deviation 1 in each channel: they were normalised with "
            "the test series' values among them, so scores may be too good.",
            remedy="Upload the values as they were measured: training normalises with the training series alone.",
        )


def _each_series(measured: Measured) -> bool:
    long_enough = measured.series_set.lengths >= FEWEST_POINTS
    if not long_enough.any():
        return False
    means, deviations = measured.mean[long_enough], measured.deviation[long_enough]
    standard = (np.abs(means) < MEAN_OFF) & ((np.abs(deviations - 1) < SERIES_OFF) | (deviations == 0))
    return float(standard.mean()) >= NEARLY_ALL and bool((deviations > 0).any())


def _is_standard(measured: Measured, indices: IntArray) -> bool:
    means, deviations = _pooled(measured, indices)
    varying = deviations > 0
    if not varying.any():
        return False
    is_centred = bool((np.abs(means[varying]) < MEAN_OFF).all())
    return is_centred and bool((np.abs(deviations[varying] - 1) < DEVIATION_OFF).all())


def _pooled(measured: Measured, indices: IntArray) -> tuple[DoubleArray, DoubleArray]:
    """Return mean and deviation of each channel, ``(n_channels,)``, over all observed values of some series."""
    counts = measured.n_observed[indices]
    known = counts > 0
    means, deviations = (np.where(known, one[indices], 0.0) for one in (measured.mean, measured.deviation))
    totals = np.maximum(counts.sum(axis=0), 1)
    overall = (counts * means).sum(axis=0) / totals
    squares = (counts * (np.square(deviations) + np.square(means - overall))).sum(axis=0) / totals
    return overall, np.sqrt(squares)
