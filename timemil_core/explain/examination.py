"""One pass of one series through a model, kept whole: everything that an importance method of attention needs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt
from torch import Tensor

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.abilities import Ability
from timemil_core.models.timemil import probabilities
from timemil_core.models.trained import Prediction, TrainedModel
from timemil_core.watching import watched


@dataclass(frozen=True, eq=False)
class Examination:
    """What a model computed of one series. Of one without instances, what is about them is empty.

    Attributes
    ----------
    logits
        ``(n_classes,)``, one-vs-rest.
    probabilities
        ``(n_classes,)``, summing to 1.
    instances
        ``(n_timepoints, L)``: the backbone's embedding of each time point.
    pooling_weights
        ``(n_timepoints,)``: how much of each instance went into the bag; see ``PoolingWeights``.
    class_token_rows
        For each layer ``(n_heads, 1 + n_timepoints)``, the class token's weight on itself first. Empty for other
        poolings than the time-aware.
    approximate
        For each layer, whether its row comes from Nyström's approximation: such a row may be negative and need
        not sum to 1.
    pooled
        ``(n, L)``: all that was pooled. These are the instances, unless the model puts zeros around a short series.
    seconds
        How long the pass took on this machine: what further passes over the series are foretold by.
    """

    logits: npt.NDArray[np.float32]
    probabilities: npt.NDArray[np.float64]
    instances: FloatArray
    pooling_weights: FloatArray
    class_token_rows: tuple[FloatArray, ...]
    approximate: tuple[bool, ...]
    pooled: FloatArray
    seconds: float = float("nan")

    @property
    def predicted(self) -> int:
        """The index of the most probable class (equation 5)."""
        return int(self.logits.argmax())


def examine(model: TrainedModel, series: FloatArray, progress: Progress = silent, *, name: str = "") -> Examination:
    """Examine one raw series ``(n_channels, n_timepoints)``; the model stays as it is.

    ``progress`` is told (stages of the pass done, stages); raises to cancel. ``name`` is what errors call the series.

    Raises
    ------
    DataError
        Where the series holds no value, or one so large that its logits are no numbers.
    """
    stages = count(1)
    started = time.perf_counter()
    with watched(lambda: progress(next(stages), model.network.n_stages)):
        if Ability.INSTANCES not in model.abilities:
            return _of_logits(model.predict([series], [name]), time.perf_counter() - started)
        output = model.detailed(series, name)
    seconds = time.perf_counter() - started
    instances = as_array(output.instances[0])
    return Examination(
        logits=as_array(output.logits[0]),
        probabilities=probabilities(output.logits)[0].cpu().numpy(),
        instances=instances,
        pooling_weights=as_array(output.weights.instances[0]),
        class_token_rows=tuple(as_array(row[0]) for row in output.weights.class_token_rows),
        approximate=model.timemil.pooling.approximates(output.instances.shape[1]),
        pooled=instances if output.pooled is None else as_array(output.pooled[0]),
        seconds=seconds,
    )


def _of_logits(prediction: Prediction, seconds: float) -> Examination:
    none = np.zeros((0, 0), dtype=np.float32)
    return Examination(
        prediction.logits[0], prediction.probabilities[0], none, np.zeros(0, dtype=np.float32), (), (), none, seconds
    )


def as_array(tensor: Tensor) -> FloatArray:
    """Return a tensor's values as a float32 array that shares nothing with the model."""
    return tensor.detach().float().cpu().numpy().copy()
