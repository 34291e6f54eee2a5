"""From series as they were read to series as the network takes them: gaps filled, channels standardised.

Fitted on training series alone and stored with the model, so no test series has a say in it. A series is prepared
by itself: the outcome never depends on which other series are in the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.errors import DataError

Normalisation = Literal["per-channel", "per-series", "none"]
DoubleArray = npt.NDArray[np.float64]

NOTICEABLE = 0.01  # of a channel's standard deviation
LARGEST = float(np.finfo(np.float32).max)
# A network squares its features (a variance), which are up to a hundred times its input: beyond, float32 overflows.
LARGEST_CLASSIFIED = LARGEST**0.5 / 100
FILLED = "Missing values are interpolated linearly inside a series and held at its ends"
DESCRIPTIONS: dict[str, str] = {
    "per-channel": "Each channel has the training series' mean subtracted and is divided by their standard deviation.",
    "per-series": "Each channel of each series has its own mean subtracted and is divided by its own deviation.",
    "none": "Values are used as they were read.",
}


@dataclass(frozen=True, eq=False)
class Preparation:
    """What is done to every series before the network sees it.

    Attributes
    ----------
    normalisation
        ``"per-channel"`` (training statistics), ``"per-series"`` (each series' own) or ``"none"``.
    means
        ``(n_channels,)``, the training series' means in the data's own units, over all their observed time points.
    deviations
        ``(n_channels,)``, their standard deviations; 1 for a channel that is constant or never observed.
    """

    normalisation: Normalisation
    means: DoubleArray
    deviations: DoubleArray

    @classmethod
    def fit(cls, series: Sequence[FloatArray], normalisation: Normalisation = "per-channel") -> Preparation:
        """Take the statistics of the training series, each ``(n_channels, n_timepoints)``; NaN and inf are left out.

        Raises
        ------
        DataError
            Where there is no series, or the numbers of channels differ, or the normalisation is unknown.
        """
        if normalisation not in get_args(Normalisation):
            raise DataError(
                f"The normalisation {normalisation!r} is unknown.",
                remedy=f"Choose one of {', '.join(get_args(Normalisation))}.",
            )
        if not series:
            raise DataError("There is no training series to take means and deviations from.")
        n_channels = series[0].shape[0]
        for values in series:
            _check_channels(values, n_channels)
        means, deviations = _pooled_statistics(series, n_channels)
        return cls(normalisation, means, deviations)

    def transform(self, series: Sequence[FloatArray]) -> tuple[FloatArray, ...]:
        """Return the prepared series, same shapes, float32 and finite throughout.

        Arithmetic is in float64, so a channel such as an epoch in seconds keeps its detail. A channel that is wholly
        missing in a series takes the training mean.

        Raises
        ------
        DataError
            Where a series has another number of channels than the training series had.
        """
        return tuple(self._transform_one(values) for values in series)

    def _transform_one(self, values: FloatArray) -> FloatArray:
        _check_channels(values, len(self.means))
        filled, wholly_missing = _fill_gaps(values)
        filled[wholly_missing] = self.means[wholly_missing, None]
        if self.normalisation == "per-channel":
            filled = (filled - self.means[:, None]) / self.deviations[:, None]
        elif self.normalisation == "per-series":
            filled = _standardised_by_itself(filled)
        return np.clip(filled, -LARGEST, LARGEST).astype(np.float32)

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON holds it; numbers survive exactly."""
        return {
            "normalisation": self.normalisation,
            "means": self.means.tolist(),
            "deviations": self.deviations.tolist(),
        }

    @classmethod
    def from_json(cls, content: Any) -> Preparation:
        """Restore what ``to_json`` returned.

        Raises
        ------
        DataError
            Where the content is not that of a preparation.
        """
        try:
            normalisation = content["normalisation"]
            means = np.array(content["means"], dtype=np.float64)
            deviations = np.array(content["deviations"], dtype=np.float64)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"The stored preparation cannot be read ({error!r}).", remedy=_RETRAIN) from error
        known = normalisation in get_args(Normalisation)
        fitting = means.ndim == 1 and means.shape == deviations.shape
        if not (known and fitting and np.isfinite(means).all() and (deviations > 0).all()):
            raise DataError("The stored preparation is damaged.", remedy=_RETRAIN)
        return cls(normalisation, means, deviations)

    def describe(self) -> str:
        """Return what is done, in words for the page."""
        return f"{DESCRIPTIONS[self.normalisation]} {FILLED}."


_RETRAIN = "Train the model again, or copy its folder anew."


def float32_keeps(series: Sequence[npt.NDArray[np.floating]]) -> bool:
    """Tell whether rounding to float32 moves no value by more than a hundredth of its channel's deviation.

    ``series`` are ``(n_channels, n_timepoints)``. Values far from 0, such as an epoch in seconds, are moved further.
    """
    _, deviations = _pooled_statistics(series, series[0].shape[0])
    largest = np.max([np.max(np.abs(one), axis=1, initial=0, where=_observed(one)) for one in series], axis=0)
    return bool((np.spacing(largest.astype(np.float32)) / 2 <= NOTICEABLE * deviations).all())


def has_values(values: npt.NDArray[np.floating]) -> bool:
    """Tell whether any value of a series is neither missing nor infinite."""
    return bool(_observed(values).any())


def overflows(values: npt.NDArray[np.floating]) -> bool:
    """Tell whether a value of a prepared series is too large for a network's arithmetic in float32."""
    return bool((np.abs(values) > LARGEST_CLASSIFIED).any())


def overflow(
    values: npt.NDArray[np.floating], prepared: FloatArray, where: str, channel_names: Sequence[str]
) -> DataError:
    """Return the error that names the value of a series from which a network's arithmetic overflows.

    ``values`` and ``prepared`` are ``(n_channels, n_timepoints)``, before and after preparation.
    """
    channel, time = (int(one) for one in np.unravel_index(int(np.abs(prepared).argmax()), prepared.shape))
    return DataError(
        f"it cannot be classified: {channel_names[channel]!r} is {values[channel, time]:g} at time point {time} "
        "(counted from 0), so far from the training series that a network's arithmetic of 32 bits overflows.",
        where=where,
        remedy="Correct the value, or write it as missing.",
    )


def _check_channels(values: FloatArray, n_channels: int) -> None:
    if values.ndim != 2 or values.shape[0] != n_channels:
        raise DataError(
            f"A series has shape {values.shape}; ({n_channels} channels, n_timepoints) was expected.",
            remedy="Give every series the channels that the training series had, in their order.",
        )


def _observed(values: npt.NDArray[np.floating]) -> BoolArray:
    # beyond float32 is infinite to the network, whatever the array's own type can hold
    return np.abs(values) <= LARGEST


def _pooled_statistics(series: Sequence[npt.NDArray[np.floating]], n_channels: int) -> tuple[DoubleArray, DoubleArray]:
    """Return mean and standard deviation a channel over all observed points; two passes, a series at a time."""
    counts, sums, squares = np.zeros(n_channels), np.zeros(n_channels), np.zeros(n_channels)
    lowest, highest = np.full(n_channels, np.inf), np.full(n_channels, -np.inf)
    for values in series:
        observed = _observed(values)
        counts += observed.sum(axis=1)
        sums += np.sum(values, axis=1, dtype=np.float64, where=observed)
        lowest = np.minimum(lowest, np.min(values, axis=1, initial=np.inf, where=observed))
        highest = np.maximum(highest, np.max(values, axis=1, initial=-np.inf, where=observed))
    means = sums / np.maximum(counts, 1)
    for values in series:
        distances = values - means[:, None]
        squares += np.sum(np.square(distances, where=_observed(values), out=np.zeros_like(distances)), axis=1)
    deviations = np.sqrt(squares / np.maximum(counts, 1))
    # equal values have a deviation of rounding errors, not of 0: compare the values themselves
    varies = (lowest < highest) & (deviations > 0)
    return means, np.where(varies, deviations, 1.0)


def _fill_gaps(values: FloatArray) -> tuple[DoubleArray, BoolArray]:
    """Return the series in float64 without inner gaps, and which channels have nothing to fill from."""
    observed = _observed(values)
    filled = values.astype(np.float64)
    has_any: BoolArray = np.asarray(observed.any(axis=1))
    times = np.arange(values.shape[1])
    for channel in np.flatnonzero(has_any & ~observed.all(axis=1)):
        known = observed[channel]
        filled[channel] = np.interp(times, times[known], filled[channel, known])
    return filled, ~has_any


def _standardised_by_itself(filled: DoubleArray) -> DoubleArray:
    centred = filled - filled.mean(axis=1, keepdims=True)
    deviations = centred.std(axis=1, keepdims=True)
    varies = (np.ptp(filled, axis=1, keepdims=True) > 0) & (deviations > 0)
    return np.where(varies, centred / np.where(varies, deviations, 1.0), 0.0)
