"""The comparators by name: nearest neighbours by a distance, and what aeon has, each with logits that can be compared.

A perturbation map asks how far a logit moves; a classifier that answers 0 or 1 alone moves by nothing or by all. So
each gives the numbers by which it decides, stretched to be worth something as probabilities (`ridge`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from timemil_core.data.series_set import IntArray
from timemil_core.models.ridge import RidgeHead, fit_ridge, likeliest_stretch

Series = npt.NDArray[np.float64]
"""``(n_series, n_channels, n_timepoints)``."""
Logits = npt.NDArray[np.float64]
"""``(n_series, n_classes)``, one-vs-rest."""
MOST_LEFT_OUT = 60  # training series whose neighbours are looked for to know what a margin is worth


class Fitted(Protocol):
    """A comparator: fitted once, then asked."""

    def fit(self, series: Series, labels: IntArray, n_classes: int) -> None:
        """Fit on training series."""

    def logits(self, series: Series) -> Logits:
        """Return logits; the same for a series alone as among others."""


class NearestNeighbour:
    """The class of the nearest training series; a class's logit is by how much its nearest is nearer than others'.

    Parameters
    ----------
    distances
        From series and training series to distances ``(n_series, n_training)``.
    """

    def __init__(self, distances: Callable[[Series, Series], Series]) -> None:
        self._distances = distances

    def fit(self, series: Series, labels: IntArray, n_classes: int) -> None:
        """Keep the training series; find what a margin is worth by leaving some of them out, one at a time."""
        self._series, self._labels, self._n_classes = series, labels, n_classes
        some = np.unique(np.linspace(0, len(series) - 1, min(len(series), MOST_LEFT_OUT)).astype(np.intp))
        distances = self._distances(series[some], series)
        distances[np.arange(len(some)), some] = np.inf
        finite = distances[np.isfinite(distances)]
        self._unit = float(np.median(finite)) or 1.0
        self._stretch = 1.0
        targets = np.where(labels[some][:, None] == np.arange(n_classes), 1.0, -1.0)
        self._stretch = likeliest_stretch(self._margins(distances), targets)

    def logits(self, series: Series) -> Logits:
        """Return stretched margins."""
        return self._margins(self._distances(series, self._series)) * self._stretch

    def _margins(self, distances: Series) -> Logits:
        # A class without a training series is as far as the farthest.
        nearest = np.full((len(distances), self._n_classes), np.nan)
        for label in np.unique(self._labels):
            nearest[:, label] = distances[:, self._labels == label].min(axis=1)
        farthest = np.max(np.where(np.isfinite(distances), distances, -np.inf), axis=1, keepdims=True)
        nearest = np.where(np.isfinite(nearest), nearest, farthest)
        others = np.stack([np.delete(nearest, label, axis=1).min(axis=1) for label in range(self._n_classes)], axis=1)
        margins: Logits = (others - nearest) / self._unit
        return margins


class FeaturesAndRidge:
    """Features of whole series, then a ridge.

    Parameters
    ----------
    transformers
        Fitted by ``fit(series)``; ``transform`` gives ``(n_series, n_features)``, put side by side.
    """

    def __init__(self, *transformers: Any) -> None:
        self._transformers = transformers
        self._head: RidgeHead | None = None

    def fit(self, series: Series, labels: IntArray, n_classes: int) -> None:
        """Fit the transformers and the ridge."""
        for transformer in self._transformers:
            transformer.fit(series, labels)
        self._head = fit_ridge(self._features(series), labels, n_classes)

    def logits(self, series: Series) -> Logits:
        """Return the ridge's logits."""
        assert self._head is not None
        return self._head.logits(self._features(series))

    def _features(self, series: Series) -> Series:
        found = [np.asarray(one.transform(series), dtype=np.float64) for one in self._transformers]
        return np.nan_to_num(np.concatenate(found, axis=1))


class ByProbability:
    """A classifier with probabilities of its own; a logit is their log-odds, kept as far from certainty as n allows."""

    def __init__(self, classifier: Any) -> None:
        self._classifier = classifier

    def fit(self, series: Series, labels: IntArray, n_classes: int) -> None:
        """Fit the classifier."""
        self._classifier.fit(series, labels)
        self._n_classes, self._least = n_classes, 1 / (len(series) + 2)  # Laplace's rule, of what was never met

    def logits(self, series: Series) -> Logits:
        """Return the log-odds."""
        chances = np.zeros((len(series), self._n_classes))
        chances[:, self._classifier.classes_.astype(np.intp)] = self._classifier.predict_proba(series)
        found: Logits = logit(np.clip(chances, self._least, 1 - self._least))
        return found


@dataclass(frozen=True)
class Comparator:
    """An entry of ``COMPARATORS``.

    Attributes
    ----------
    title
        For people.
    reference
        Where it comes from.
    build
        From a seed to an unfitted comparator.
    takes_any_length
        Series may be longer than any that it was fitted on.
    """

    title: str
    reference: str
    build: Callable[[int], Fitted]
    takes_any_length: bool = False


def _euclidean(series: Series, others: Series) -> Series:
    return _pairwise(series, others, "euclidean")


def _dtw_dependent(series: Series, others: Series) -> Series:
    return _pairwise(series, others, "dtw")


def _dtw_independent(series: Series, others: Series) -> Series:
    # One warping a channel, costs added (Shokoohi-Yekta et al. 2017); aeon has the dependent kind alone.
    total = np.zeros((len(series), len(others)))
    for channel in range(series.shape[1]):
        total += _pairwise(series[:, [channel]], others[:, [channel]], "dtw")
    return total


def _pairwise(series: Series, others: Series, method: str) -> Series:
    from aeon.distances import pairwise_distance  # seconds of a start that needs none

    found: Series = pairwise_distance(np.ascontiguousarray(series), np.ascontiguousarray(others), method=method)
    return found


def _rocket(seed: int) -> Fitted:
    from aeon.transformations.collection.convolution_based import Rocket

    return FeaturesAndRidge(Rocket(random_state=seed))


def _multirocket_hydra(seed: int) -> Fitted:
    from aeon.transformations.collection.convolution_based import HydraTransformer, MultiRocket

    return FeaturesAndRidge(
        _Sparse(HydraTransformer(random_state=seed, output_type="numpy")), MultiRocket(random_state=seed)
    )


def _rdst(seed: int) -> Fitted:
    from aeon.transformations.collection.shapelet_based import RandomDilatedShapeletTransform

    return FeaturesAndRidge(RandomDilatedShapeletTransform(random_state=seed))


def _catch22(seed: int) -> Fitted:
    from aeon.transformations.collection.feature_based import Catch22

    return FeaturesAndRidge(Catch22(catch24=True, replace_nans=True))


def _quant(seed: int) -> Fitted:
    from aeon.classification.interval_based import QUANTClassifier

    return ByProbability(QUANTClassifier(random_state=seed))


def _muse(seed: int) -> Fitted:
    from aeon.classification.dictionary_based import MUSE

    return ByProbability(MUSE(support_probabilities=True, random_state=seed))


class _Sparse:
    """Hydra's counts, scaled as its authors do: square roots, and where a count is 0 it stays 0."""

    EXPONENT = 4

    def __init__(self, transformer: Any) -> None:
        self._transformer = transformer

    def fit(self, series: Series, labels: IntArray) -> None:
        self._transformer.fit(series)
        roots = self._roots(series)
        self._means = roots.mean(axis=0)
        self._deviations = roots.std(axis=0) + (roots == 0).mean(axis=0) ** self.EXPONENT + 1e-8

    def transform(self, series: Series) -> Series:
        roots = self._roots(series)
        return np.where(roots == 0, 0.0, (roots - self._means) / self._deviations)

    def _roots(self, series: Series) -> Series:
        return np.sqrt(np.clip(np.asarray(self._transformer.transform(series), dtype=np.float64), 0, None))


COMPARATORS: dict[str, Comparator] = {
    "ed-1nn": Comparator(
        "Nearest neighbour, Euclidean", "Cover and Hart 1967", lambda seed: NearestNeighbour(_euclidean)
    ),
    "dtw-1nn-d": Comparator(
        "Nearest neighbour, DTW of all channels",
        "Shokoohi-Yekta et al. 2017",
        lambda seed: NearestNeighbour(_dtw_dependent),
        takes_any_length=True,
    ),
    "dtw-1nn-i": Comparator(
        "Nearest neighbour, DTW by channel",
        "Shokoohi-Yekta et al. 2017",
        lambda seed: NearestNeighbour(_dtw_independent),
        takes_any_length=True,
    ),
    "catch22-ridge": Comparator("catch22 and a ridge", "Lubba et al. 2019", _catch22),
    "rocket": Comparator("Rocket", "Dempster, Petitjean and Webb 2020", _rocket),
    "multirocket-hydra": Comparator("MultiRocket-Hydra", "Dempster, Schmidt and Webb 2023", _multirocket_hydra),
    "quant": Comparator("QUANT", "Dempster, Schmidt and Webb 2024", _quant),
    "rdst": Comparator("Dilated shapelets (RDST)", "Guillaume, Vrain and Elloumi 2022", _rdst),
    "muse": Comparator("WEASEL+MUSE", "Schäfer and Leser 2017", _muse),
}
