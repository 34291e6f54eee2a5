"""Importance read off the pooling: the class token's attention, its rollout, and the other poolings' weights.

None of them knows a class or a sign. Whether they point at what decides is measured elsewhere (``evaluation``).
"""

from __future__ import annotations

import numpy as np
import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import as_array
from timemil_core.explain.request import Request

NO_CLASS = "It knows neither a class nor a sign: it shows what was looked at, not what spoke for or against a class."
NYSTROM = (
    "The row comes from Nyström's approximation, which this model uses at this length: it can be negative and need "
    "not sum to 1."
)


def attention(request: Request, *, layer: int | None = None, head: int | None = None) -> Importance:
    """Return the class token's attention over the instances (equation 12).

    Parameters
    ----------
    request
        What is explained.
    layer
        Index, negative from the last; the last by default.
    head
        Index, negative from the last; the mean of all heads by default.
    """
    examination = request.examination
    layer = range(len(examination.class_token_rows))[-1 if layer is None else layer]
    rows = examination.class_token_rows[layer].astype(np.float64)
    row = rows.mean(axis=0) if head is None else rows[head]
    heads = f"mean of {len(rows)} heads" if head is None else f"head {range(len(rows))[head] + 1}"
    what = "These are the weights with which the class token mixed the instances in this layer."
    return _map(
        row[1:],
        f"Class token's attention, layer {layer + 1}, {heads}",
        "Chen et al. 2024 (TimeMIL), equation 12",
        f"{what} {NYSTROM if examination.approximate[layer] else ''}",
        mass=float(row[0]),
    )


def rollout(request: Request) -> Importance:
    """Return attention rollout: the class token's attention carried through all layers to the instances."""
    with torch.inference_mode():
        row = as_array(request.class_token_layers.rollout(request.pooled, None)[0]).astype(np.float64)
    what = (
        "Attention maps of all layers, averaged over heads, mixed half and half with the identity for the residual "
        "connections and multiplied. It leaves out values, norms and the value convolution."
    )
    return _map(
        row[1:],
        "Attention rollout",
        "Abnar and Zuidema 2020",
        f"{what} {NYSTROM if any(request.examination.approximate) else ''}",
        mass=float(row[0]),
    )


def pooling_weights(request: Request) -> Importance:
    """Return the weights with which the model's pooling took the instances."""
    examination, pooling = request.examination, request.model.timemil.pooling
    what = pooling.note
    if examination.approximate and examination.approximate[-1]:
        what = f"{what} {NYSTROM}"
    rows = examination.class_token_rows
    mass = float(rows[-1][:, 0].mean()) if rows else None
    return _map(examination.pooling_weights.astype(np.float64), pooling.title, pooling.reference, what, mass=mass)


def _map(values: np.ndarray, name: str, reference: str, what: str, *, mass: float | None) -> Importance:
    return Importance(
        values=values,
        name=name,
        reference=reference,
        signed=False,
        class_token_mass=mass,
        note=f"{what.strip()} {NO_CLASS}",
    )
