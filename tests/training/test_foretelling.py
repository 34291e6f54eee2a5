from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.training.builders import SMALL, short_training
from timemil_core.data.series_set import UNKNOWN_LABEL
from timemil_core.data.synthetic import pulse_set
from timemil_core.errors import DataError
from timemil_core.models.config import preset
from timemil_core.training import foretelling
from timemil_core.training.foretelling import START_AND_END, seconds_per_epoch, whole_seconds
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.trainer import Trainer


@pytest.fixture
def ten_seconds_an_epoch(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let each epoch be said to take a tenth of a second a series, and 0.5 s to store; tells how many were tried."""
    tried: list[int] = []

    def run_epoch(self: Trainer, fit: object, judged: object) -> EpochRecord:
        tried.append(len(fit))  # type: ignore[arg-type]
        return EpochRecord(1, 1.0, 0.5, None, None, None, 0.1 * tried[-1], 0.001, False)

    monkeypatch.setattr(foretelling.Trainer, "run_epoch", run_epoch)
    monkeypatch.setattr(foretelling, "storing", lambda trainer: 0.5)
    return tried


def test_an_epoch_is_foretold_from_a_few_of_its_batches(ten_seconds_an_epoch: list[int]) -> None:
    series_set = pulse_set(n_train=100, n_test=4)
    config = preset("default", n_channels=1, n_classes=2, **SMALL)
    training = replace(short_training(), batch_size=8, validation_share=0.0)
    found = seconds_per_epoch(series_set, config, training)
    assert ten_seconds_an_epoch == [16, 16]
    assert found == pytest.approx(10.5)
    # held-out series are not trained on, and judging one takes a third of training on it
    held_out = seconds_per_epoch(series_set, config, replace(training, validation_share=0.3))
    assert held_out == pytest.approx(10.0 * (0.7 + 0.1) + 0.5)


def test_the_whole_run_counts_epochs_and_the_counterpart() -> None:
    training = replace(short_training(), n_epochs=10, with_supervised=False)
    assert whole_seconds(training, 2.0) == START_AND_END + 20
    assert whole_seconds(replace(training, with_supervised=True), 2.0) == START_AND_END + 32


def test_it_trains_and_leaves_the_callers_generators_alone() -> None:
    series_set = pulse_set(n_train=12, n_test=4)
    config = preset("default", n_channels=1, n_classes=2, **SMALL)
    torch.manual_seed(3)
    expected = torch.rand(3)
    torch.manual_seed(3)
    told: list[tuple[int, int]] = []
    assert seconds_per_epoch(series_set, config, short_training(), lambda *at: told.append(at)) > 0
    assert told == [(0, 2), (1, 2)]
    assert torch.equal(torch.rand(3), expected)


def test_without_labelled_series_there_is_nothing_to_foretell() -> None:
    series_set = pulse_set(n_train=4, n_test=4)
    unknown = replace(series_set, labels=np.full(len(series_set), UNKNOWN_LABEL))
    with pytest.raises(DataError, match="no labelled training series"):
        seconds_per_epoch(unknown, preset("default", n_channels=1, n_classes=2), short_training())
