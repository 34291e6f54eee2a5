import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.builders import CPU, short_training, small_model, small_set
from timemil_core.models.fingerprint import weights_fingerprint
from timemil_core.training.loop import TrainingStoppedError, judge
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.run_data import split_and_prepare
from timemil_core.training.trainer import Trainer, is_better

PLAIN = EpochRecord(
    epoch=1, train_loss=1.0, train_accuracy=0.5, validation_loss=0.5, validation_accuracy=0.8,
    judged_on="validation", seconds=1.0, learning_rate=1e-3, warm_up=False,
)  # fmt: skip


def record(**changes: Any) -> EpochRecord:
    return dataclasses.replace(PLAIN, **changes)


@pytest.mark.parametrize(
    ("new", "old", "last", "expected"),
    [
        ({"validation_accuracy": 0.9, "validation_loss": 9.0}, {}, False, True),
        ({"validation_accuracy": 0.7, "validation_loss": 0.1}, {}, False, False),
        ({"validation_loss": 0.4}, {}, False, True),
        ({"validation_loss": 0.6}, {}, False, False),
        ({}, {}, False, False),  # a tie goes to the earlier epoch
        ({"validation_accuracy": 0.1}, {"warm_up": True}, False, True),
        ({"validation_accuracy": 0.9, "warm_up": True}, {"warm_up": True}, False, True),
        ({"validation_accuracy": 0.1}, {}, True, True),
        ({"validation_accuracy": None, "validation_loss": None}, {}, False, True),
    ],
)
def test_which_epoch_is_kept(new: dict[str, Any], old: dict[str, Any], last: bool, expected: bool) -> None:
    assert is_better(record(**new), record(**old), last=last) is expected


def trained(n_epochs: int = 3, **changes: Any) -> tuple[Trainer, list[EpochRecord]]:
    training = short_training(n_epochs=n_epochs, **changes)
    data = split_and_prepare(small_set(), training)
    trainer = Trainer(small_model(), training, CPU)
    fit, judged = data.examples(data.fit, CPU), data.examples(data.judged, CPU)
    assert fit is not None
    records = []
    while not trainer.is_finished:
        records.append(trainer.run_epoch(fit, judged))
    return trainer, records


def test_same_seed_same_weights_and_another_seed_others() -> None:
    first, again, other = trained()[0], trained()[0], trained(seed=1)[0]
    assert weights_fingerprint(first.network) == weights_fingerprint(again.network)
    assert weights_fingerprint(first.network) != weights_fingerprint(other.network)


def test_the_kept_network_is_that_of_the_best_epoch() -> None:
    trainer, records = trained(n_epochs=4)
    counted = [one for one in records if not one.warm_up]
    best = max(counted, key=lambda one: (one.validation_accuracy, -(one.validation_loss or 0), -one.epoch))
    assert trainer.kept.record == best
    network = trainer.kept_network()
    assert not network.training
    assert all(torch.equal(value, trainer.kept.weights[name]) for name, value in network.state_dict().items())


def test_warm_up_epochs_are_marked_and_first() -> None:
    _, records = trained(n_epochs=4, warm_up_epochs=2)
    assert [one.warm_up for one in records] == [True, True, False, False]
    assert [one.epoch for one in records] == [1, 2, 3, 4]


def test_a_pooling_without_class_token_has_no_warm_up() -> None:
    training = short_training(n_epochs=4, warm_up_epochs=2)
    assert Trainer(small_model(pooling="mean"), training, CPU).n_warm_up == 0
    assert Trainer(small_model(pooling="conjunctive"), training, CPU).n_warm_up == 0
    assert Trainer(small_model(), training, CPU).n_warm_up == 2


def test_a_broken_off_epoch_does_not_count() -> None:
    training = short_training()
    data = split_and_prepare(small_set(), training)
    fit = data.examples(data.fit, CPU)
    assert fit is not None
    trainer = Trainer(small_model(), training, CPU)
    with pytest.raises(TrainingStoppedError):
        trainer.run_epoch(fit, None, should_stop=lambda: True)
    assert trainer.n_finished == 0
    with pytest.raises(RuntimeError, match="no epoch"):
        _ = trainer.kept


def test_it_learns_the_pulse() -> None:
    trainer, _ = trained(n_epochs=12, learning_rate=5e-3, warm_up_epochs=2)
    data = split_and_prepare(small_set(), trainer.training)
    test = data.examples(data.test, CPU)
    assert test is not None
    judgement = judge(trainer.kept_network(), test)
    assert judgement.accuracy > 0.9
    assert np.isfinite(judgement.loss)
