"""What stands in the place of removed time points. Removal always needs a choice; every chart names it.

Which fillers a verdict rests on follows from how the model was trained (``default_fillers``): what it never saw tells
little of what it learned. Noise is in distribution where training masked windows with noise; where it did not, a model
may say one class of noise and of any flat line, and no removal can then be tested against that class. The same span of
other training series is always like what was trained on, but for its two edges. Two fillers are taken, since each map
does well under the removal that it was made from.

A filler is ``(prepared, removed) -> copies``: ``(n_channels, n_timepoints)`` and ``removed`` boolean, of all channels
``(n_copies, n_timepoints)`` or of each ``(n_copies, n_channels, n_timepoints)``, to ``(n_copies, n_channels,
n_timepoints)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.labels import labels_for
from timemil_core.models.trained import TrainedModel

FillerName = Literal["noise", "other series", "local mean", "interpolation", "masked out"]
Filler = Callable[[FloatArray, BoolArray], FloatArray]
IndexArray = npt.NDArray[np.intp]

DEFAULT_FILLER: FillerName = "noise"
IN_PLACE: dict[FillerName, str] = {
    "noise": "replaced by noise",
    "other series": "replaced by the same span of another training series",
    "local mean": "replaced by the local mean",
    "interpolation": "interpolated",
    "masked out": "masked out",
}
"""How each filler is told of removed points."""
RANDOM: tuple[FillerName, ...] = ("noise", "other series")
"""Fillers that differ from draw to draw: several draws are averaged."""
LEAST_NEIGHBOURHOOD = 5
MOST_DONORS = 24


def interpolation(prepared: FloatArray, removed: BoolArray) -> FloatArray:
    """Draw a straight line between the kept neighbours; beyond the outermost, hold it. Nothing kept: the mean."""
    removed = _by_channel(removed)
    before, after = _kept_neighbours(removed)
    n_timepoints = removed.shape[-1]
    has_before, has_after = before >= 0, after < n_timepoints
    left = np.where(has_before, before, np.minimum(after, n_timepoints - 1))
    right = np.where(has_after, after, left)
    share = (np.arange(n_timepoints) - left) / np.maximum(right - left, 1)
    share = np.where(has_before, share, 0.0).astype(np.float32)
    left_values, right_values = (np.take_along_axis(prepared[None], index, axis=2) for index in (left, right))
    return _filled(prepared, removed, left_values + share * (right_values - left_values))


def local_mean(prepared: FloatArray, removed: BoolArray) -> FloatArray:
    """Hold each gap at the mean of what is kept beside it: a twentieth of the series (at least 5 points) each side."""
    removed = _by_channel(removed)
    before, after = _kept_neighbours(removed)
    n_timepoints = removed.shape[-1]
    reach = max(LEAST_NEIGHBOURHOOD, n_timepoints // 20)
    kept = _sums(~removed)
    sums = _sums(np.where(removed, 0.0, prepared[None]))
    spans = [
        (np.maximum(before - reach + 1, 0), before + 1),
        (np.minimum(after, n_timepoints), np.minimum(after + reach, n_timepoints)),
    ]
    count = sum(_between(kept, *span) for span in spans)
    total = sum(_between(sums, *span) for span in spans)
    return _filled(prepared, removed, (total / np.maximum(count, 1)).astype(np.float32))


def noise(seed: int) -> Filler:
    """Return a filler of N(0, 1), the noise of the training's own window masking (paper, appendix).

    All copies get the same noise at the same time point, so that they differ by what was removed alone.
    """

    def filler(prepared: FloatArray, removed: BoolArray) -> FloatArray:
        drawn = np.random.default_rng(seed).standard_normal(prepared.shape).astype(np.float32)
        return np.where(_by_channel(removed), drawn[None], prepared[None])

    return filler


def masked_out(prepared: FloatArray, removed: BoolArray) -> FloatArray:
    """Mark time points as missing (NaN): ``network_score`` masks them as padding is masked. Nothing kept: the mean."""
    removed = _by_channel(removed)
    return _filled(prepared, removed, np.full((), np.nan, dtype=np.float32))


@dataclass(frozen=True, eq=False)
class Donors:
    """Prepared training series of other classes than the one that is explained, ``(n_channels, n_timepoints)`` each.

    Of the same class a span would bring back what was taken away.
    """

    series: tuple[FloatArray, ...]

    def filler(self, seed: int) -> Filler:
        """Return a filler that takes each removed span from one of them, at the same share of its duration."""

        def filler(prepared: FloatArray, removed: BoolArray) -> FloatArray:
            donor = self.series[int(np.random.default_rng(seed).integers(len(self.series)))]
            n_timepoints = prepared.shape[1]
            places = (np.arange(n_timepoints) * donor.shape[1]) // n_timepoints
            return np.where(_by_channel(removed), donor[None, :, places], prepared[None])

        return filler


FILLERS: dict[FillerName, Callable[[int], Filler]] = {
    "noise": noise,
    "local mean": lambda seed: local_mean,
    "interpolation": lambda seed: interpolation,
    "masked out": lambda seed: masked_out,
}
"""Those that need nothing but the series itself."""


def get_filler(name: str, seed: int = 0, donors: Donors | None = None) -> Filler:
    """Return a filler by its name.

    Raises
    ------
    SettingsError
        Where there is none of that name, or it needs training series and none are given.
    """
    if name == "other series":
        if donors is None or not donors.series:
            raise SettingsError(
                "there is no training series of another class to take a span from.", remedy="Choose another filler."
            )
        return donors.filler(seed)
    if name not in FILLERS:
        raise SettingsError(f"there is no filler {name!r}.", remedy=f"Choose one of {', '.join(IN_PLACE)}.")
    return FILLERS[name](seed)


def fillers_for(model: TrainedModel, donors: Donors | None = None) -> list[FillerName]:
    """Return the fillers that a model takes: "masked out" needs a network that masks, "other series" donors."""
    possible = {
        "masked out": model.network.config.masks_padding,
        "other series": donors is not None and bool(donors.series),
    }
    return [name for name in IN_PLACE if possible.get(name, True)]


def default_fillers(model: TrainedModel, donors: Donors | None = None) -> tuple[FillerName, ...]:
    """Return the two fillers that a verdict rests on: those nearest to what the model was trained on."""
    possible = fillers_for(model, donors)
    wanted: tuple[FillerName, ...] = ("noise", "masked out", "local mean")
    if not masked_by_noise(model):
        wanted = ("other series", "masked out", "noise", "local mean")
    return tuple(name for name in wanted if name in possible)[:2]


def masked_by_noise(model: TrainedModel) -> bool:
    """Tell whether training replaced windows by noise; where that is not known, it is taken to have done so."""
    return float(model.facts.get("training", {}).get("masking_share", 1.0)) > 0


def donors_for(model: TrainedModel, series_set: SeriesSet, target: int) -> Donors:
    """Return training series of other classes than the target, prepared; of all classes where there is no other."""
    train = series_set.indices("train")
    among = with_values(series_set, train if len(train) else None)
    others = among[labels_for(model, series_set)[among] != target]
    chosen = spread_over(others if len(others) else among, MOST_DONORS)
    return Donors(tuple(model.preparation.transform([series_set.series[index] for index in chosen])))


def _by_channel(removed: BoolArray) -> BoolArray:
    # (n_copies, 1 or n_channels, n_timepoints)
    return removed[:, None, :] if removed.ndim == 2 else removed


def _kept_neighbours(removed: BoolArray) -> tuple[IndexArray, IndexArray]:
    # Latest kept index at or before each time point (-1: none), first kept at or after it (n_timepoints: none).
    n_timepoints = removed.shape[-1]
    positions = np.arange(n_timepoints)
    before = np.maximum.accumulate(np.where(removed, -1, positions), axis=-1)
    after = np.minimum.accumulate(np.where(removed, n_timepoints, positions)[..., ::-1], axis=-1)[..., ::-1]
    return before, after


def _sums(values: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    # (..., n_timepoints) to (..., 1 + n_timepoints): of all values before each time point
    sums = np.cumsum(values, axis=-1, dtype=np.float64)
    return np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=-1)


def _between(sums: npt.NDArray[np.float64], start: IndexArray, stop: IndexArray) -> npt.NDArray[np.float64]:
    return np.take_along_axis(sums, stop, -1) - np.take_along_axis(sums, start, -1)


def _filled(prepared: FloatArray, removed: BoolArray, drawn: FloatArray) -> FloatArray:
    mean = prepared.mean(axis=1)[None, :, None]
    nothing_kept = np.asarray(removed.all(axis=-1, keepdims=True))
    drawn = np.where(nothing_kept, mean, drawn)
    return np.where(removed, drawn, prepared[None])
