"""``own_model`` and ``set_of``: a caller's fitted classifier as a model, and its arrays as a set."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import SeriesSet, default_channel_names
from timemil_core.data.splitting import with_split
from timemil_core.errors import DataError
from timemil_core.explain.evaluation.held_out import spread_over
from timemil_core.exploring.asking import SERIES_ASKED, asked_of
from timemil_core.models.own.network import NETWORK, OwnConfig, OwnNetwork
from timemil_core.models.trained import TrainedModel

TEST_SHARE = 0.5


def own_model(classifier: Any, series_set: SeriesSet, name: str = "own", *, flat: bool = False) -> TrainedModel:
    """Return a caller's classifier as a model: every method that needs ``predict_proba`` alone applies to it.

    Parameters
    ----------
    classifier
        Fitted; with ``predict_proba`` or ``decision_function``, or itself a function from series ``(n_series,
        n_channels, n_timepoints)`` to probabilities ``(n_series, n_classes)``. Its classes are in the order of
        ``series_set.class_names``.
    series_set
        What it is to be seen on.
    name
        What to call it.
    flat
        Whether it is given its one channel as ``(n_series, n_timepoints)``, as scikit-learn's are.

    Raises
    ------
    ModelError
        Where it has neither probabilities nor margins, or what it gives does not fit the set.
    """
    decide, notes = asked_of(classifier, series_set, flat)
    preparation = Preparation.fit(series_set.series, "none")
    unknown = OwnConfig(series_set.n_channels, series_set.n_classes, name)
    config = replace(unknown, identity=_identity(OwnNetwork(unknown, decide), preparation, series_set))
    return TrainedModel(
        OwnNetwork(config, decide),
        preparation,
        series_set.class_names,
        series_set.channel_names,
        series_set.sampling_rate,
        {
            "origin": NETWORK,
            "data_name": series_set.name,
            "training": {"masking_share": 0.0},
            "title": name,
            "notes": notes,
        },
    )


def set_of(
    classifier: Any,
    X: Any,
    y: Sequence[Any] | npt.NDArray[Any],
    X_train: Any = None,
    y_train: Sequence[Any] | npt.NDArray[Any] | None = None,
    channel_names: Sequence[str] | None = None,
    name: str = "series given to explore",
) -> SeriesSet:
    """Return arrays as the set on which a classifier is seen; classes in the order of its ``classes_``.

    ``X`` ``(n_series, n_channels, n_timepoints)``, ``(n_series, n_timepoints)`` for one channel, or a list of arrays;
    the test part, where ``X_train`` is given, which is then the training part; else it is split in two.

    Raises
    ------
    DataError
        Where a label is none of the classifier's, or numbers of series and labels differ.
    """
    series, labels = _arrays(X), np.asarray(y)
    parts = np.full(len(series), "test")
    if X_train is not None:
        before = _arrays(X_train)
        series, labels = [*before, *series], np.concatenate([np.asarray(y_train), labels])
        parts = np.concatenate([np.full(len(before), "train"), parts])
    if len(series) != len(labels):
        raise DataError(f"{len(series)} series and {len(labels)} labels.", remedy="Give a label to each.")
    classes = [str(one) for one in getattr(classifier, "classes_", np.unique(labels))]
    if unknown := sorted({str(one) for one in labels} - set(classes)):
        raise DataError(f"the label {unknown[0]!r} is none of the classifier's: {', '.join(classes)}.")
    made = SeriesSet(
        name=name,
        series=tuple(one.astype(np.float32) for one in series),
        labels=np.array([classes.index(str(one)) for one in labels], dtype=np.int64),
        class_names=tuple(classes),
        series_ids=tuple(str(place) for place in range(len(series))),
        channel_names=tuple(channel_names or default_channel_names(series[0].shape[0])),
        split=parts if X_train is not None else np.full(len(series), "train"),
    )
    return made if X_train is not None else with_split(made, TEST_SHARE)


def _identity(network: OwnNetwork, preparation: Preparation, series_set: SeriesSet) -> str:
    known = spread_over(np.arange(len(series_set)), SERIES_ASKED)
    prepared = preparation.transform([series_set.series[index] for index in known])
    digest = hashlib.sha256()
    for one in prepared:
        digest.update(network(torch.from_numpy(np.asarray(one, dtype=np.float32))[None]).numpy().tobytes())
    return digest.hexdigest()[:16]


def _arrays(X: Any) -> list[npt.NDArray[Any]]:
    return [one[None] if one.ndim == 1 else one for one in (np.asarray(one) for one in X)]
