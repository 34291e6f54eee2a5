from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.models.builders import small_network
from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import ModelError
from timemil_core.models.trained import TrainedModel


def raw_series(lengths: list[int], seed: int = 0) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [(5 + 3 * generator.normal(size=(2, length))).astype(np.float32) for length in lengths]


def trained(**changes: object) -> TrainedModel:
    return TrainedModel(
        network=small_network(**changes),
        preparation=Preparation.fit(raw_series([20, 30])),
        class_names=("calm", "walk", "run"),
        channel_names=("x", "y"),
        sampling_rate=10.0,
        facts={"data": "made up", "seed": 0},
    )


def named(*channel_names: str) -> SeriesSet:
    return SeriesSet(
        name="named",
        series=(np.zeros((len(channel_names), 5), dtype=np.float32),),
        labels=np.array([0]),
        class_names=("calm",),
        series_ids=("one",),
        channel_names=channel_names,
        split=np.array(["test"]),
    )


def test_predictions_come_in_the_order_given_and_do_not_depend_on_batching(monkeypatch: pytest.MonkeyPatch) -> None:
    model = trained()
    series = raw_series([30, 1, 12, 7, 30, 2])
    together = model.predict(series)
    monkeypatch.setattr("timemil_core.models.trained.TIMEPOINTS_AT_ONCE", 25)
    in_pieces = model.predict(series)
    for index, one in enumerate(series):
        alone = model.predict([one])
        np.testing.assert_allclose(together.logits[index], alone.logits[0], atol=1e-5)
        np.testing.assert_allclose(in_pieces.logits[index], alone.logits[0], atol=1e-5)
    np.testing.assert_allclose(together.probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(together.labels, together.probabilities.argmax(axis=1))


def test_batches_are_bounded_and_hold_like_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timemil_core.models.trained.TIMEPOINTS_AT_ONCE", 20)
    batches = list(trained().batches(raw_series([50, 10, 4, 10, 5])))
    assert [indices for indices, _, _ in batches] == [[2, 4], [1, 3], [0]]
    (_, shorter, mask), (_, equal, no_mask), (_, longest, _) = batches
    assert (shorter.shape, equal.shape, longest.shape) == ((2, 2, 5), (2, 2, 10), (1, 2, 50))
    assert mask is not None
    assert mask.tolist() == [[True] * 4 + [False], [True] * 5]
    assert no_mask is None


def test_prediction_prepares_raw_series() -> None:
    model = trained()
    (one,) = raw_series([15], seed=1)
    prepared = (one - model.preparation.means[:, None]) / model.preparation.deviations[:, None]
    expected = model.network(torch.from_numpy(prepared.astype(np.float32))[None])
    np.testing.assert_allclose(model.predict([one]).logits, expected.detach(), atol=1e-5)
    np.testing.assert_allclose(model.detailed(one).logits, expected.detach(), atol=1e-5)


def test_nothing_to_predict() -> None:
    prediction = trained().predict([])
    assert prediction.logits.shape == prediction.probabilities.shape == (0, 3)


def test_prediction_changes_nothing_in_the_model() -> None:
    model = trained()
    before = model.fingerprint
    model.predict(raw_series([15, 3]))
    model.detailed(raw_series([15])[0])
    assert replace(model).fingerprint == before
    assert not model.network.training


def test_data_of_other_channels_are_refused() -> None:
    model = trained()
    model.check_fits(named("x", "y"))
    model.check_fits(named("channel 1", "channel 2"))  # unnamed: nothing to contradict
    replace(model, channel_names=("channel 1", "channel 2")).check_fits(named("x", "y"))
    with pytest.raises(ModelError, match=r"reads 2 channels \(x, y\), the data have 3"):
        model.check_fits(named("x", "y", "z"))
    with pytest.raises(ModelError, match="x, y, in this order; the data have y, x"):
        model.check_fits(named("y", "x"))


def test_the_fingerprint_tells_apart_what_predicts_otherwise() -> None:
    model = trained()
    other = replace(model, preparation=Preparation.fit(raw_series([20, 30]), "none"))
    assert replace(model).fingerprint == model.fingerprint != other.fingerprint
