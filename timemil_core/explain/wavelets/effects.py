"""Which wavelets matter: the change of a model's predictions when some are removed, beside a control.

The control takes away as much with another shape: random Mexican hats, drawn as training begins with them, scaled in
each feature to the root mean square of what the removed wavelets add to these series. A removal that changes no more
than its controls says how much was taken, not which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over, with_values
from timemil_core.explain.evaluation.scoring import class_probabilities
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.wavelets.passes import Passes
from timemil_core.explain.wavelets.removal import Removal
from timemil_core.models.trained import TrainedModel
from timemil_core.models.wavelets import INITIAL_SCALES, mexican_hat, tap_positions

DoubleArray = npt.NDArray[np.float64]
MeasuredPart = Literal["test", "validation"]

TIMEPOINTS_IN_ALL = 10_000
FEWEST_SERIES = 8


@dataclass(frozen=True, eq=False)
class RemovalEffects:
    """What removals do to the predictions of some series; place 0 of ``1 + n_controls`` is the removal itself.

    Attributes
    ----------
    removals
        What was removed, one at a time.
    logit_changes, probability_changes
        ``(n_removals, 1 + n_controls, n_series)``: of the class that the whole model predicts.
    predicted
        ``(n_removals, 1 + n_controls, n_series)``: the class that is predicted then.
    whole
        ``(n_series,)``: the class that the whole model predicts.
    leads
        ``(n_series,)``: by how much the logit of that class leads the next: what changes are to be held against.
    truth
        ``(n_series,)``: the true class, -1 where it is not known.
    energy
        ``(n_removals,)``: which share of the energy of the encoding in the layers concerned was taken away.
    """

    removals: tuple[Removal, ...]
    logit_changes: DoubleArray
    probability_changes: DoubleArray
    predicted: IntArray
    whole: IntArray
    leads: DoubleArray
    truth: IntArray
    energy: DoubleArray

    @property
    def n_series(self) -> int:
        """How many series it was measured on."""
        return len(self.whole)

    @cached_property
    def sizes(self) -> DoubleArray:
        """The mean over series of the absolute change of the logit, ``(n_removals, 1 + n_controls)``."""
        return np.abs(self.logit_changes).mean(axis=-1)

    @property
    def size(self) -> DoubleArray:
        """`sizes` of the removals, ``(n_removals,)``."""
        return self.sizes[:, 0]

    @property
    def control_sizes(self) -> DoubleArray:
        """`sizes` of their controls, ``(n_removals, n_controls)``."""
        return self.sizes[:, 1:]

    @property
    def beats(self) -> DoubleArray:
        """The share of its controls that a removal exceeds, ``(n_removals,)``; a half by chance."""
        return (self.sizes[:, :1] > self.control_sizes).mean(axis=-1)

    @property
    def changed(self) -> DoubleArray:
        """The share of series whose predicted class changes, ``(n_removals, 1 + n_controls)``."""
        return (self.predicted != self.whole).mean(axis=-1)

    @property
    def n_known(self) -> int:
        """Of how many series the class is known."""
        return int((self.truth != UNKNOWN_LABEL).sum())

    @property
    def whole_accuracy(self) -> float | None:
        """The whole model's accuracy on the series of known class; None without any."""
        known = self.truth != UNKNOWN_LABEL
        return float((self.whole == self.truth)[known].mean()) if known.any() else None

    @property
    def accuracy(self) -> DoubleArray | None:
        """The accuracy then, ``(n_removals, 1 + n_controls)``; None where no class is known."""
        known = self.truth != UNKNOWN_LABEL
        return (self.predicted == self.truth)[..., known].mean(axis=-1) if known.any() else None


def removal_effects(
    model: TrainedModel,
    series_set: SeriesSet,
    removals: Sequence[Removal],
    *,
    n_controls: int = 1,
    seed: int = 0,
    progress: Progress = silent,
) -> RemovalEffects:
    """Remove wavelets, one removal at a time, and look at the predictions of every series of a set.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        The series to measure on; see `series_to_measure`.
    n_controls
        Controls of each removal.
    seed
        Of the controls.
    progress
        Told (passes done, passes); raises to cancel.

    Raises
    ------
    ModelError
        Where the positional encoding is not the wavelet one.
    SettingsError
        Where there is nothing to remove, or ``n_controls`` is less than 1.
    """
    if not removals or n_controls < 1:
        raise SettingsError("there is nothing to remove, or to compare with.", remedy="Give a removal and a control.")
    with torch.inference_mode():
        passes = Passes(model, series_set.series)
        before = passes.logits()
        after = np.empty((len(removals), 1 + n_controls, *before.shape))
        energy = np.empty(len(removals))
        n_passes = len(removals) * (1 + n_controls)
        for place, removal in enumerate(removals):
            taken = _taken(passes, removal)
            energy[place] = _share_of_energy(passes, taken)
            draws = _controls(passes, removal, taken, n_controls, np.random.default_rng([seed, place]))
            for draw, kernels in enumerate([taken, *draws]):
                after[place, draw] = passes.logits(kernels)
                progress(place * (1 + n_controls) + draw + 1, n_passes)
    whole = before.argmax(axis=-1)
    rows = np.arange(len(whole))
    chances = class_probabilities(after.reshape(-1, before.shape[1])).reshape(after.shape)
    return RemovalEffects(
        tuple(removals),
        after[:, :, rows, whole] - before[rows, whole],
        chances[:, :, rows, whole] - class_probabilities(before)[rows, whole],
        after.argmax(axis=-1),
        whole,
        before[rows, whole] - np.partition(before, -2, axis=-1)[:, -2],
        labels_for(model, series_set),
        energy,
    )


def series_to_measure(
    model: TrainedModel, series_set: SeriesSet, part: MeasuredPart = "test", n_series: int | None = None
) -> tuple[SeriesSet, str]:
    """Return the series of a set to measure removals on, evenly spread, and which part they are of, in a word.

    Nothing is chosen by what is measured, so the test part may be looked at; where there is none, or on request, the
    validation series (else the training series, else all). By default as many as hold 10,000 time points, 8 at least.
    """
    indices, name = with_values(series_set, series_set.indices("test")), "test"
    if part == "validation" or not len(indices):
        held_out = series_to_choose_on(model, series_set)
        indices, name = held_out.indices, held_out.part
    affordable = int(TIMEPOINTS_IN_ALL // series_set.lengths[indices].mean())
    return series_set.subset(spread_over(indices, n_series or max(affordable, FEWEST_SERIES))), name


Kernels = list[Tensor | None]
"""What is taken from the summed kernel of each feature, ``(L, size)``, layer by layer; None where nothing is."""


def _taken(passes: Passes, removal: Removal) -> Kernels:
    return [
        (kernels * taken[..., None]).sum(dim=0) if taken.any() else None
        for kernels, taken in zip(passes.kernels, _masks(passes, removal), strict=True)
    ]


def _masks(passes: Passes, removal: Removal) -> list[Tensor]:
    return [removal.takes(layer, *kernels.shape[:2]).to(kernels.device) for layer, kernels in enumerate(passes.kernels)]


def _share_of_energy(passes: Passes, taken: Kernels) -> float:
    concerned = [layer for layer, kernel in enumerate(taken) if kernel is not None]
    of_taken = sum(float(passes.energy(layer, taken[layer]).sum()) for layer in concerned)
    of_all = sum(float(passes.energy(layer, passes.kernels[layer].sum(dim=0)).sum()) for layer in concerned)
    return of_taken / of_all if of_all else 0.0


def _controls(
    passes: Passes, removal: Removal, taken: Kernels, n_controls: int, generator: np.random.Generator
) -> list[Kernels]:
    low, high = np.log(INITIAL_SCALES)
    draws: list[Kernels] = []
    for _ in range(n_controls):
        draw: Kernels = []
        for layer, mask in enumerate(_masks(passes, removal)):
            scales = np.exp(generator.uniform(low, high, tuple(mask.shape)))
            shifts = generator.normal(size=tuple(mask.shape))
            kernel = taken[layer]
            draw.append(None if kernel is None else _as_much(passes, layer, kernel, scales, shifts, mask))
        draws.append(draw)
    return draws


def _as_much(
    passes: Passes, layer: int, taken: Tensor, scales: DoubleArray, shifts: DoubleArray, mask: Tensor
) -> Tensor:
    scale, shift = (torch.from_numpy(values).to(taken) for values in (scales, shifts))
    hats = mexican_hat(tap_positions(taken.shape[-1], like=taken), scale, shift)  # (n_wavelets, L, size)
    drawn = (hats * mask[..., None]).sum(dim=0)
    wanted, has = passes.energy(layer, taken), passes.energy(layer, drawn)
    factor = torch.where(has > 0, (wanted / has.clamp_min(torch.finfo(has.dtype).tiny)).sqrt(), 0)
    return drawn * factor[:, None].to(drawn)
