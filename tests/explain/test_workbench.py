"""What a model says of all series, by hand."""

from __future__ import annotations

import numpy as np

from tests.explain.builders import build_model, build_set
from timemil_core.explain.workbench import Classified, classified


def test_wrong_unsure_and_confused_series() -> None:
    told = Classified(
        true=np.array([0, 1, 1, -1, 0]),
        predicted=np.array([0, 0, 1, 1, -1]),  # the last cannot be classified
        probability=np.array([0.9, 0.55, 0.8, 0.9, np.nan]),
        lead=np.array([0.8, 0.1, 0.6, 0.8, np.nan]),
    )
    assert told.wrong.tolist() == [False, True, False, False, False]
    assert told.unsure.tolist() == [False, True, False, False, False]
    assert told.confusion(2).tolist() == [[1, 0], [1, 1]]  # a series of unknown class is in no row


def test_each_series_is_told_as_alone() -> None:
    model, series_set = build_model(), build_set(n_series=5)
    told = classified(model, series_set)
    alone = [model.predict([one]) for one in series_set.series]
    assert told.predicted.tolist() == [int(one.labels[0]) for one in alone]
    ordered = np.sort(np.concatenate([one.probabilities for one in alone]), axis=1)
    np.testing.assert_allclose(told.probability, ordered[:, -1], rtol=1e-5)
    np.testing.assert_allclose(told.lead, ordered[:, -1] - ordered[:, -2], rtol=1e-4)
    assert told.true.tolist() == [0, 1, 2, 0, 1]
