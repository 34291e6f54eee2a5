"""All that is known of each kernel as a table: a row a kernel, and one for the sum of each feature's wavelets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.explain.wavelets.bands import Bands, bands_of
from timemil_core.explain.wavelets.effects import RemovalEffects
from timemil_core.explain.wavelets.learned import LayerWavelets, LearnedWavelets

SUM = "sum"
"""What stands for the wavelet in the row of a feature's summed kernel, which is what the model convolves with."""

Row = dict[str, Any]


def kernel_table(
    layers: LearnedWavelets, sampling_rate: float | None = None, effects: Sequence[RemovalEffects] = ()
) -> list[Row]:
    """Return a row a kernel: layer, wavelet, feature (from 1), what it is, what it passes, and what removing it does.

    Frequencies are in cycles per time point and, with a sampling rate in Hz, in the unit of the time axis; so are
    lengths. Values that a row has not are None.

    Parameters
    ----------
    effects
        Of removals of single kernels; others among them are left out.
    """
    removed = {
        (one.layer, one.wavelet, one.feature): (effect, place)
        for effect in effects
        for place, one in enumerate(effect.removals)
        if one.feature is not None
    }
    rows = []
    for layer in layers:
        for row, key in _rows_of(layer, sampling_rate):
            rows.append(row | (_effect(*removed[key]) if key in removed else _NO_EFFECT if removed else {}))
    return rows


def to_csv(rows: Sequence[Row]) -> str:
    """Write rows of equal columns as CSV; None is left empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


Key = tuple[int, int | None, int]


def _rows_of(layer: LayerWavelets, rate: float | None) -> list[tuple[Row, Key]]:
    n_wavelets, width = layer.scales.shape
    bands = bands_of(layer.kernels, layer.positions, layer.scales)
    sums = bands_of(layer.kernels.sum(axis=0), layer.positions)
    rows: list[tuple[Row, Key]] = []
    for wavelet, feature in np.ndindex(n_wavelets, width):
        at = (wavelet, feature)
        began = (layer.initial_scales, layer.initial_shifts)
        shape = {
            "scale (time points)": float(layer.scales[at]),
            "shift (time points)": float(layer.shifts[at]),
            "scale at the start": None if began[0] is None else float(began[0][at]),
            "shift at the start": None if began[1] is None else float(began[1][at]),
        }
        unlike = None if bands.unlike_hat is None else bool(bands.unlike_hat[at])
        row = _named(layer.layer, wavelet + 1, feature) | shape | _band(bands, at, rate) | {"unlike uncut hat": unlike}
        rows.append((row, (layer.layer, wavelet, feature)))
    for feature in range(width):
        shape = dict.fromkeys(
            ("scale (time points)", "shift (time points)", "scale at the start", "shift at the start")
        )
        row = _named(layer.layer, SUM, feature) | shape | _band(sums, (feature,), rate) | {"unlike uncut hat": None}
        rows.append((row, (layer.layer, None, feature)))
    return rows


def _named(layer: int, wavelet: int | str, feature: int) -> Row:
    return {"layer": layer + 1, "wavelet": wavelet, "feature": feature + 1}


def _band(bands: Bands, at: tuple[int, ...], rate: float | None) -> Row:
    edges = {"from": bands.low[at], "peak": bands.peak[at], "to": bands.high[at]}
    row: Row = {f"passes: {name} (cycles per time point)": float(value) for name, value in edges.items()}
    reach = {"first": bands.first[at], "last": bands.last[at], "extent": bands.extent[at]}
    row |= {f"looks at: {name} (time points)": int(value) for name, value in reach.items()}
    if rate:
        unit, per_unit = axis_unit(rate), axis_rate(rate)
        row |= {f"passes: {name} ({unit.frequency})": float(value * per_unit) for name, value in edges.items()}
        row |= {f"looks at: {name} ({unit.length})": float(value / per_unit) for name, value in reach.items()}
    return row


_EFFECT = (
    "share of the encoding's energy",
    "removed: mean absolute change of the logit",
    "removed: mean change of the logit",
    "removed: mean change of the probability",
    "removed: share of series of another class",
    "removed: accuracy",
    "random one of equal size: mean absolute change of the logit",
)
_NO_EFFECT: Row = dict.fromkeys(_EFFECT)


def _effect(effects: RemovalEffects, place: int) -> Row:
    values = (
        effects.energy[place],
        effects.size[place],
        effects.logit_changes[place, 0].mean(),
        effects.probability_changes[place, 0].mean(),
        effects.changed[place, 0],
        None if effects.accuracy is None else effects.accuracy[place, 0],
        np.median(effects.control_sizes[place]),
    )
    return dict(zip(_EFFECT, (None if value is None else float(value) for value in values), strict=True))
