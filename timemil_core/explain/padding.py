"""Does padding ever count? Measured, not claimed: the weights that stand on it."""

from __future__ import annotations

import numpy as np
import torch

from timemil_core.data.padding import pad
from timemil_core.data.series_set import FloatArray
from timemil_core.explain.evaluation.scoring import prepared_series
from timemil_core.models.trained import TrainedModel


def mass_on_padding(model: TrainedModel, series: FloatArray) -> float:
    """Return the sum of all pooling weights and class token weights on padding, with half as much padding again.

    ``series`` is ``(n_channels, n_timepoints)``, raw. 0 is what a model has to reach; weights are counted without
    their signs.
    """
    prepared = prepared_series(model, series)
    n_timepoints = prepared.shape[1]
    longer = np.zeros((len(prepared), n_timepoints + n_timepoints // 2 + 1), dtype=np.float32)
    values, mask = pad([prepared, longer])
    with torch.inference_mode():
        output = model.timemil.detailed(*(torch.from_numpy(one[:1]).to(model.device) for one in (values, mask)))
    on_padding = [output.weights.instances[0, n_timepoints:]]
    on_padding += [row[0, :, 1 + n_timepoints :].flatten() for row in output.weights.class_token_rows]
    return float(torch.cat(on_padding).abs().sum())
