"""Do other seeds draw the same picture? One training, run several times, explained on the same series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over
from timemil_core.explain.examination import examine
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.sanity.measured import MeasuredSeries, effects_of, mean_auroc, measured, methods_compared
from timemil_core.explain.sanity.similarity import mean_over_series, rank_similarity
from timemil_core.models.trained import TrainedModel

N_SERIES = 4
STEADY = 0.7
"""A rank correlation from which on two seeds' maps are called much the same."""


@dataclass(frozen=True, eq=False)
class SeedSpread:
    """One training under several seeds.

    Attributes
    ----------
    methods
        Their titles.
    seeds
        The chosen model's first.
    pairs
        Which two seeds each column of ``agreement`` compares.
    agreement
        ``(n_methods, n_pairs)``: mean rank correlation of two seeds' maps of the same series and class; NaN where
        nothing could be compared.
    effect
        ``(n_methods, n_seeds)``, on the same series: see ``measured.effects_of``; 0 is chance.
    auroc
        ``(n_methods, n_seeds)`` against the instance labels; NaN where there are none.
    accuracy
        ``(n_seeds,)`` on the test part, as the cards tell; NaN where one does not.
    n_series
        On how many series: of those that the chosen model was not trained on, where there are some. Other seeds may
        have been trained on them.
    """

    methods: tuple[str, ...]
    seeds: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    agreement: npt.NDArray[np.float64]
    effect: npt.NDArray[np.float64]
    auroc: npt.NDArray[np.float64]
    accuracy: npt.NDArray[np.float64]
    n_series: int

    @property
    def mean_agreement(self) -> npt.NDArray[np.float64]:
        """The mean over pairs, ``(n_methods,)``; NaN where nothing could be compared."""
        return mean_over_series(list(self.agreement.T))

    @property
    def sentence(self) -> str:
        """Say in plain words which pictures other seeds repeat."""
        mean = self.mean_agreement
        known = [place for place in np.argsort(-mean) if np.isfinite(mean[place])]
        told = f"{len(self.seeds)} seeds{self._accuracies()}"
        if not known:
            return f"Over {told} no method's maps could be compared."
        most, least = known[0], known[-1]
        steady = [self.methods[place] for place in known if mean[place] >= STEADY]
        verdict = (
            f"Only of {' and '.join(steady)} do the seeds draw much the same picture"
            if 0 < len(steady) < len(known)
            else "All methods' maps are much the same for every seed"
            if steady
            else "No method's map is much the same for every seed"
        )
        return (
            f"Over {told}, maps agree most for {self.methods[most]} (rank correlation {_told(mean[most])}) and least "
            f"for {self.methods[least]} ({_told(mean[least])}). {verdict}: what one seed draws and the next does not "
            "belongs to that training run, not to the data."
        )

    def _accuracies(self) -> str:
        known = self.accuracy[np.isfinite(self.accuracy)]
        if not known.size:
            return ""
        low, high = f"{known.min():.3f}", f"{known.max():.3f}"
        return f" of test accuracy {low}" if low == high else f" of test accuracy {low} to {high}"


def seed_spread(
    models: Sequence[TrainedModel],
    series_set: SeriesSet,
    *,
    n_series: int = N_SERIES,
    progress: Progress = silent,
) -> SeedSpread:
    """Explain the same series by models that differ in their seed, and compare.

    Every map explains the class that the first model predicts.

    Parameters
    ----------
    models
        The chosen one, then its siblings (``siblings``); they stay as they are.
    series_set
        The set that they were trained on.
    n_series
        At most so many, evenly spread.
    progress
        Told (done, of); raises to cancel.

    Raises
    ------
    SettingsError
        Where there are fewer than two models, or no series.
    """
    if len(models) < 2:
        raise SettingsError("a spread over seeds needs two models.", remedy="Train another seed.")
    indices = spread_over(series_to_choose_on(models[0], series_set).indices, n_series)
    if not len(indices):
        raise SettingsError("there are no series to compare seeds on.", where=series_set.name)
    methods = methods_compared(models[0])
    pairs = list(combinations(range(len(models)), 2))
    found: list[list[MeasuredSeries]] = [[] for _ in models]
    agreement = []
    for place, index in enumerate(indices):
        target = examine(models[0], series_set.series[index]).predicted
        for one, model in enumerate(models):
            found[one].append(measured(model, series_set, int(index), methods, target))
            progress(place * len(models) + one + 1, len(indices) * len(models))
        agreement.append(_agreement([some[-1] for some in found], pairs))
    seeds = tuple(int(model.facts.get("seed", -1)) for model in models)
    return SeedSpread(
        methods=tuple(method.title for method in methods),
        seeds=seeds,
        pairs=tuple((seeds[one], seeds[other]) for one, other in pairs),
        agreement=mean_over_series(agreement),
        effect=np.stack([effects_of(some) for some in found], axis=1),
        auroc=np.stack([mean_auroc(some) for some in found], axis=1),
        accuracy=np.array([_accuracy(model) for model in models]),
        n_series=len(indices),
    )


def _agreement(seeds: Sequence[MeasuredSeries], pairs: Sequence[tuple[int, int]]) -> npt.NDArray[np.float64]:
    # (n_methods, n_pairs)
    rows = []
    for maps in zip(*(seed.maps for seed in seeds), strict=True):
        similarity = rank_similarity(maps)
        rows.append([similarity[one, other] for one, other in pairs])
    return np.array(rows)


def _accuracy(model: TrainedModel) -> float:
    value = model.facts.get("scores", {}).get("test_accuracy")
    return float("nan") if value is None else float(value)


def _told(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
