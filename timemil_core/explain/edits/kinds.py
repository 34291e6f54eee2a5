"""The kinds of edits by name: how each is called, done, and told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.edits import changes
from timemil_core.explain.edits.edit import Edit, EditKind
from timemil_core.explain.edits.place import Times

Donors = Callable[[str], tuple[FloatArray, Times]]
"""From a series' id to its raw values and times."""


@dataclass(frozen=True)
class Kind:
    """One kind of edit.

    Attributes
    ----------
    title
        What to call it, for people.
    help
        What it does, in a sentence.
    apply
        ``(values, times, edit, donors) -> values``; what it is given stays as it is.
    told
        ``(edit, unit) -> str``: what was done, to follow the place; the unit begins with a space.
    """

    title: str
    help: str
    apply: Callable[[FloatArray, Times, Edit, Donors], FloatArray]
    told: Callable[[Edit, str], str]


def apply(edit: Edit, values: FloatArray, times: Times, donors: Donors) -> FloatArray:
    """Return a series with an edit done; ``values`` stay as they are.

    Parameters
    ----------
    values, times
        ``(n_channels, n_timepoints)``, raw, and ``(n_timepoints,)``.
    donors
        Finds the series that values are taken from.

    Raises
    ------
    SettingsError
        Where the edit is not possible in this series.
    """
    edit.place.check(*values.shape)
    changed = KINDS[edit.kind].apply(values, times, edit, donors)
    if np.isinf(changed).any() and not np.isinf(values).any():
        raise SettingsError("the edit makes values too large for a number.", remedy="Choose a smaller factor.")
    return changed


def _flatten(values: FloatArray, times: Times, edit: Edit, donors: Donors) -> FloatArray:
    return changes.flatten(values, edit.place, level=str(edit.level))


def _smooth(values: FloatArray, times: Times, edit: Edit, donors: Donors) -> FloatArray:
    return changes.smooth(values, edit.place, times, width=float(edit.amount or 0))


def _shift(values: FloatArray, times: Times, edit: Edit, donors: Donors) -> FloatArray:
    return changes.shift(values, edit.place, times, by=float(edit.amount or 0))


def _scale(values: FloatArray, times: Times, edit: Edit, donors: Donors) -> FloatArray:
    with np.errstate(over="ignore"):  # what has become infinite is told of by ``apply``
        return changes.scale(values, edit.place, factor=float(edit.amount or 0), around=str(edit.level))


def _swap(values: FloatArray, times: Times, edit: Edit, donors: Donors) -> FloatArray:
    donor, donor_times = donors(str(edit.donor))
    return changes.swap(
        values, edit.place, times, donor=donor, donor_times=donor_times, donor_start=int(edit.donor_start or 0)
    )


def _scaled(edit: Edit, unit: str) -> str:
    around = "0" if edit.level == "zero" else "the span's mean"
    return f"scaled by {edit.amount:.4g} around {around}"


def _shifted(edit: Edit, unit: str) -> str:
    amount = float(edit.amount or 0)
    return f"moved {abs(amount):.4g}{unit} {'later' if amount > 0 else 'earlier'}"


def _swapped(edit: Edit, unit: str) -> str:
    where = "at the same time" if edit.donor_start == edit.place.start else f"from its time point {edit.donor_start} on"
    return f"replaced by series {edit.donor!r}, {where}"


KINDS: Mapping[EditKind, Kind] = {
    "mask": Kind(
        "Take away",
        "The values are missing from then on. The model's preparation draws a straight line between what is left.",
        lambda values, times, edit, donors: changes.mask(values, edit.place),
        lambda edit, unit: "taken away, as missing",
    ),
    "flatten": Kind(
        "Flatten",
        "Each channel is held at one level.",
        _flatten,
        lambda edit, unit: f"held at the {'series' if edit.level == 'series mean' else 'span'}'s mean",
    ),
    "smooth": Kind(
        "Smooth",
        "Each value becomes the mean of what is around it in time.",
        _smooth,
        lambda edit, unit: f"averaged over {edit.amount:.4g}{unit}",
    ),
    "shift": Kind(
        "Shift in time",
        "The span moves over what was there; where it was, a straight line joins its neighbours.",
        _shift,
        _shifted,
    ),
    "scale": Kind("Scale", "What rises or falls does so more, or less; below 0 it is turned over.", _scale, _scaled),
    "swap": Kind(
        "Swap with another series",
        "The values of another series stand there.",
        _swap,
        _swapped,
    ),
}
