"""A last batch of one series: batch statistics over one series, down to one of a single time point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.training.builders import SMALL, short_training, small_set
from timemil_core.data.store import keep
from timemil_core.models.shelf import open_model
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run


@pytest.mark.pitfall(24)
@pytest.mark.parametrize("shortest", [None, 1], ids=["equal lengths", "one of a single point"])
def test_a_last_batch_of_one_is_trained_on(shortest: int | None) -> None:
    series_set = small_set()
    if shortest is not None:
        series_set = replace(series_set, series=(series_set.series[0][:, :shortest], *series_set.series[1:]))
    training = short_training(batch_size=1, n_epochs=1)  # then every batch is such a one
    run = create_run(keep(series_set), model_settings=SMALL, training=training)
    execute(run, lambda line: None)
    assert run.status().state == "finished"
    assert all(np.isfinite(line["train_loss"]) for line in run.metrics("timemil"))
    assert np.isfinite(open_model(run.reference).predict(series_set.series).probabilities).all()
