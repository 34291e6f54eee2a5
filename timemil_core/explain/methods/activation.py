"""Activation energy: the mean activation of each instance's embedding. The paper names it APBA."""

from __future__ import annotations

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import Examination, examine
from timemil_core.models.trained import TrainedModel


def activation_energy(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
) -> Importance:
    """Return the mean over features of the backbone's embedding of each time point.

    The authors' code puts it through a sigmoid or a softmax, which changes no rank; here it is left as it is.
    Parameters are those of ``explain``; ``target_class`` is not used, for it has no class.
    """
    examination = examination or examine(model, series)
    return Importance(
        values=examination.instances.mean(axis=1, dtype=np.float64),
        name="Activation energy (the paper's APBA)",
        reference="Chen et al. 2024 (TimeMIL), appendix: average-pooling based attention",
        signed=False,
        note=(
            "How strongly the backbone's features respond, on average. It knows no class, no sign and no attention; on "
            "a series with a loud pattern it is perfect before any training, so compare it with the untrained network."
        ),
    )
