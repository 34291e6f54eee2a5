"""What a map of an imported model must tell besides: zeros that the authors' code puts around a series count there."""

from __future__ import annotations

from dataclasses import replace

import torch

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.contract import Importance
from timemil_core.models.authors.attention import FrontPaddedAttention
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.trained import TrainedModel

AROUND = "the zeros around the series"


def told_of_import(importance: Importance, model: TrainedModel, series: FloatArray) -> Importance:
    """Return a map of the series' own time points, and with a note on what its arithmetic does; ours as it is.

    Where zeros stand around the series, methods that look at what was pooled give values for them: these become a
    part of their own.
    """
    if not isinstance(model.network, AuthorsTimeMIL):
        return importance
    own = model.timemil.config.own_places(series.shape[1])
    values, parts = importance.values, dict(importance.parts)
    if len(values) > series.shape[1]:
        values = values[own]
        if importance.total is not None:
            parts[AROUND] = float(importance.values.sum() - values.sum())
    note = f"{importance.note} {_note(model, series, importance)}"
    return replace(importance, values=values, parts=parts, note=note)


def weight_on_zeros(model: TrainedModel, series: FloatArray) -> tuple[float, ...]:
    """Return for each layer how much of the class token's row falls on zeros, mean of heads; () for models of ours.

    These are the zeros in front of the tokens, which make their number a multiple of the landmarks', and those around
    a short series. ``series`` is ``(n_channels, n_timepoints)``, raw.
    """
    network = model.network
    if not isinstance(network, AuthorsTimeMIL):
        return ()
    layers = network.pooling.class_token_layers
    assert layers is not None
    own = network.config.own_places(series.shape[1])
    shares = []
    with torch.inference_mode():
        (_, values, mask), *_ = model.batches([series])
        for one in layers.passes(network.backbone(values, mask), None):
            normalised = one.layer.normalisation(one.layer.encoded(one.entering, None))  # (1, N, L)
            attention = one.layer.attention.map_of(normalised, None)  # (1, H, N, N)
            assert isinstance(attention, FrontPaddedAttention)
            row = attention.row()[..., 1:]  # (1, H, n)
            around = row.sum(dim=-1) - row[..., own].sum(dim=-1)  # (1, H)
            shares.append(float((around + attention.weight_on_padding()).mean()))
    return tuple(shares)


def _note(model: TrainedModel, series: FloatArray, importance: Importance) -> str:
    imported = "This model was imported from the authors' code and keeps its arithmetic."
    if importance.class_token_mass is None:
        return imported
    shares = " and ".join(f"{share:.0%}" for share in weight_on_zeros(model, series))
    return (
        f"{imported} It attends, unmasked, to zeros that are put before the series: of the class token's row "
        f"{shares} falls on them (by layer, mean of heads), and that is not drawn."
    )
