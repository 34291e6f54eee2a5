"""Importance read off the pooling: the class token's attention, its rollout, and the other poolings' weights.

None of them knows a class or a sign. Whether they point at what decides is measured elsewhere (``faithfulness``).
"""

from __future__ import annotations

import numpy as np
import torch

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import Examination, as_array, examine
from timemil_core.models.time_aware import TimeAwareLayers
from timemil_core.models.trained import TrainedModel

NO_CLASS = "It knows neither a class nor a sign: it shows what was looked at, not what spoke for or against a class."
NYSTROM = (
    "The row comes from Nyström's approximation, which this model uses at this length: it can be negative and need "
    "not sum to 1."
)


def attention(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> Importance:
    """Return the class token's attention over the instances (equation 12).

    Parameters
    ----------
    model
        With the time-aware pooling.
    series
        ``(n_channels, n_timepoints)``, raw.
    target_class
        Not used: attention has no class.
    examination
        Of the same series by the same model, to spare computing it again.
    layer
        Index, negative from the last; the last by default.
    head
        Index; the mean of all heads by default.

    Raises
    ------
    ModelError
        Where the pooling has no class token.
    SettingsError
        Where there is no such layer or head.
    """
    class_token_layers(model)
    examination = examination or examine(model, series)
    layer = layer_index(-1 if layer is None else layer, len(examination.class_token_rows))
    rows = examination.class_token_rows[layer].astype(np.float64)
    head = None if head is None else _index("head", head, len(rows))
    row = rows.mean(axis=0) if head is None else rows[head]
    heads = f"mean of {len(rows)} heads" if head is None else f"head {head + 1}"
    what = "These are the weights with which the class token mixed the instances in this layer."
    return _map(
        row[1:],
        f"Class token's attention, layer {layer + 1}, {heads}",
        "Chen et al. 2024 (TimeMIL), equation 12",
        f"{what} {NYSTROM if examination.approximate[layer] else ''}",
        mass=float(row[0]),
    )


def rollout(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
) -> Importance:
    """Return attention rollout: the class token's attention carried through all layers to the instances.

    Parameters are those of ``attention``.

    Raises
    ------
    ModelError
        Where the pooling has no class token.
    """
    layers = class_token_layers(model)
    examination = examination or examine(model, series)
    with torch.inference_mode():
        instances = torch.from_numpy(examination.pooled).to(model.device)
        row = as_array(layers.rollout(instances[None], None)[0]).astype(np.float64)
    what = (
        "Attention maps of all layers, averaged over heads, mixed half and half with the identity for the residual "
        "connections and multiplied. It leaves out values, norms and the value convolution."
    )
    return _map(
        row[1:],
        "Attention rollout",
        "Abnar and Zuidema 2020",
        f"{what} {NYSTROM if any(examination.approximate) else ''}",
        mass=float(row[0]),
    )


def pooling_weights(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
) -> Importance:
    """Return the weights with which the model's pooling took the instances; parameters as in ``attention``."""
    examination = examination or examine(model, series)
    pooling = model.network.pooling
    what = pooling.note
    if examination.approximate and examination.approximate[-1]:
        what = f"{what} {NYSTROM}"
    rows = examination.class_token_rows
    mass = float(rows[-1][:, 0].mean()) if rows else None
    return _map(examination.pooling_weights.astype(np.float64), pooling.title, pooling.reference, what, mass=mass)


def has_class_token(model: TrainedModel) -> bool:
    """Tell whether the model has a class token."""
    return model.network.pooling.class_token_layers is not None


def _map(values: np.ndarray, name: str, reference: str, what: str, *, mass: float | None) -> Importance:
    return Importance(
        values=values,
        name=name,
        reference=reference,
        signed=False,
        class_token_mass=mass,
        note=f"{what.strip()} {NO_CLASS}",
    )


def class_token_layers(model: TrainedModel) -> TimeAwareLayers:
    """Return the layers through which the model's class token gathers the bag.

    Raises
    ------
    ModelError
        Where it has none.
    """
    layers = model.network.pooling.class_token_layers
    if layers is not None:
        return layers
    raise ModelError(
        f"{model.network.config.pooling} pooling has no class token, hence no attention of one.",
        remedy='Choose the method "pooling", which shows the weights that this model does use.',
    )


def layer_index(layer: int, n_layers: int) -> int:
    """Return the index of a layer, counted from the first; a negative one counts from the last.

    Raises
    ------
    SettingsError
        Where there is no such layer.
    """
    return _index("layer", layer, n_layers)


def _index(what: str, value: int, count: int) -> int:
    if not -count <= value < count:
        raise SettingsError(f"there is no {what} {value}.", remedy=f"Give an index from 0 to {count - 1}.")
    return int(value) % count
