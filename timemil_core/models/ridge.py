"""A ridge over features of whole series, one-vs-rest, with logits whose size is worth something.

Ridge regression on classes of −1 and 1 is what Rocket and its kin are finished by (Dempster et al. 2020). Its raw
numbers are no logits: they are stretched by the one factor that makes the leave-one-out predictions likeliest, which
moves no class past another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.special import log_expit

ALPHAS = np.logspace(-3, 3, 10)  # as aeon's and the authors' own: least to most smoothing
LOG_STRETCHES = (-3.0, 5.0)  # between which the factor is sought

Features = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RidgeHead:
    """Logits as a linear function of features.

    Attributes
    ----------
    means
        ``(n_features,)``, of the training series.
    weights
        ``(n_features, n_classes)``, for features as they are: their deviation is divided out.
    intercepts
        ``(n_classes,)``: the logits of a series whose features are the means.
    """

    means: Features
    weights: Features
    intercepts: Features

    def logits(self, features: npt.ArrayLike) -> Features:
        """Return ``(n_series, n_classes)`` of features ``(n_series, n_features)``."""
        result: Features = (np.asarray(features, dtype=np.float64) - self.means) @ self.weights + self.intercepts
        return result


def fit_ridge(features: npt.ArrayLike, labels: npt.NDArray[np.int64], n_classes: int) -> RidgeHead:
    """Fit a ridge on the training series' features.

    Parameters
    ----------
    features
        ``(n_series, n_features)``.
    labels
        ``(n_series,)``.
    n_classes
        Also those that no series has.
    """
    from sklearn.linear_model import RidgeCV  # seconds of a start that needs no ridge

    found = np.asarray(features, dtype=np.float64)
    means, deviations = found.mean(axis=0), found.std(axis=0)
    deviations[deviations == 0] = 1
    targets = np.where(labels[:, None] == np.arange(n_classes), 1.0, -1.0)
    ridge = RidgeCV(ALPHAS, scoring="neg_mean_squared_error", store_cv_results=True)
    ridge.fit((found - means) / deviations, targets)
    best = int(np.flatnonzero(ridge.alpha_ == ALPHAS)[0])
    stretch = likeliest_stretch(ridge.cv_results_[..., best], targets)
    weights = np.atleast_2d(ridge.coef_).T / deviations[:, None]
    return RidgeHead(means, weights * stretch, np.broadcast_to(ridge.intercept_, n_classes) * stretch)


def likeliest_stretch(decisions: Features, targets: Features) -> float:
    """Return the factor on decisions ``(n, n_classes)`` by which targets of −1 and 1 are likeliest.

    The targets are held a little off certainty, by how many there are of each (Platt 1999): decisions without a fault
    would else be stretched without end.
    """
    positive = targets > 0
    n_positive, n_negative = positive.sum(), (~positive).sum()
    chance = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))

    def loss(log_stretch: float) -> float:
        logits = decisions * np.exp(log_stretch)
        return -float((chance * log_expit(logits) + (1 - chance) * log_expit(-logits)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=LOG_STRETCHES, method="bounded").x))
