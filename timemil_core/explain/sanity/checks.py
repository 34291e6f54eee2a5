"""Agreement of methods, and their maps under destroyed weights, over some series of a set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import PartName, series_to_choose_on, spread_over
from timemil_core.explain.examination import examine
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.sanity.measured import maps_of, methods_compared
from timemil_core.explain.sanity.randomised import cascade
from timemil_core.explain.sanity.similarity import mean_over_series, rank_similarity
from timemil_core.models.trained import TrainedModel

N_SERIES = 6
SEED = 8_191
"""No seed that anybody trains with: the random weights must not be those from which the model has learned."""
INSENSITIVE = 0.5
"""A map that keeps a rank correlation above this when no trained weight is left tells little of the training."""


@dataclass(frozen=True, eq=False)
class SanityChecks:
    """What becomes of maps from one method to another, and from trained to random weights.

    Attributes
    ----------
    methods
        Their titles.
    agreement
        ``(n_methods, n_methods)``: mean rank correlation of their maps of the same series; NaN where none compared.
    stages
        What was made random, from the classifier down; each stage keeps those before it random.
    kept
        ``(n_methods, n_stages)``: mean rank correlation with the trained model's own map.
    part, n_series
        The series on which this was measured.
    """

    methods: tuple[str, ...]
    agreement: npt.NDArray[np.float64]
    stages: tuple[str, ...]
    kept: npt.NDArray[np.float64]
    part: PartName
    n_series: int

    @property
    def insensitive(self) -> tuple[str, ...]:
        """The methods whose maps stay much the same when no trained weight is left."""
        last = self.kept[:, -1]
        return tuple(name for name, value in zip(self.methods, last, strict=True) if value > INSENSITIVE)


def sanity_checks(
    model: TrainedModel,
    series_set: SeriesSet,
    *,
    n_series: int = N_SERIES,
    seed: int = SEED,
    progress: Progress = silent,
) -> SanityChecks:
    """Compare all methods that apply to a model with one another, and with themselves under random weights.

    Every map explains the class that the trained model predicts. Of the test part nothing is looked at.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        The set that it was trained on.
    n_series
        At most so many, evenly spread.
    seed
        Of the random weights.
    progress
        Told (done, of); raises to cancel.

    Raises
    ------
    SettingsError
        Where there are no series.
    """
    methods = methods_compared(model)
    held_out = series_to_choose_on(model, series_set)
    indices = spread_over(held_out.indices, n_series)
    if not len(indices):
        raise SettingsError("there are no series to check methods on.")
    destroyed = list(cascade(model, seed))
    agreement, kept = [], []
    for place, index in enumerate(indices):
        series = series_set.series[index]
        target = examine(model, series).predicted
        own = maps_of(model, series, methods, target)
        agreement.append(rank_similarity(own))
        columns = []
        for stage, (_, one) in enumerate(destroyed):
            theirs = maps_of(one, series, methods, target)
            columns.append([rank_similarity(pair)[0, 1] for pair in zip(own, theirs, strict=True)])
            progress(place * len(destroyed) + stage + 1, len(indices) * len(destroyed))
        kept.append(np.array(columns).T)
    return SanityChecks(
        tuple(method.title for method in methods),
        mean_over_series(agreement),
        tuple(title for title, _ in destroyed),
        mean_over_series(kept),
        held_out.part,
        len(indices),
    )
