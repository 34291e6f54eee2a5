"""Activation energy: the mean activation of each instance's embedding. The paper names it APBA."""

from __future__ import annotations

import numpy as np

from timemil_core.explain.contract import Importance
from timemil_core.explain.request import Request


def activation_energy(request: Request) -> Importance:
    """Return the mean over features of the backbone's embedding of each time point.

    The authors' code puts it through a sigmoid or a softmax, which changes no rank; here it is left as it is.
    It knows no class.
    """
    return Importance(
        values=request.examination.instances.mean(axis=1, dtype=np.float64),
        name="Activation energy (the paper's APBA)",
        reference="Chen et al. 2024 (TimeMIL), appendix: average-pooling based attention",
        signed=False,
        note=(
            "How strongly the backbone's features respond, on average. It knows no class, no sign and no attention; on "
            "a series with a loud pattern it is perfect before any training, so compare it with the untrained network."
        ),
    )
