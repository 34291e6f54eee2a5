"""How long a training will take on this machine, from a few of its own steps."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.errors import DataError
from timemil_core.jobs import Progress
from timemil_core.models.network import NetworkConfig
from timemil_core.training.checkpoint import save_checkpoint
from timemil_core.training.config import TrainingConfig
from timemil_core.training.device import pick_device
from timemil_core.training.examples import make_examples
from timemil_core.training.status import SUPERVISED_COST
from timemil_core.training.trainer import Trainer

BATCHES_TRIED = 2
JUDGING = 1 / 3  # of a training step: it goes forward alone
TIMEPOINTS_TRIED = 60_000  # of those batches together: long series are tried by fewer of them
START_AND_END = 8.0
"""Seconds for the process to start, for reading the data and for scoring the test part."""


def seconds_per_epoch(
    series_set: SeriesSet, config: NetworkConfig, training: TrainingConfig, progress: Progress = lambda done, of: None
) -> float:
    """Train a throw-away network for two short epochs and return how long a whole one takes by the second, in seconds.

    What storing an epoch's weights takes is measured too: of few short series it is a sixth of the whole.

    Parameters
    ----------
    series_set
        What is trained on: its labelled training series.
    config, training
        As the run's; its first epochs are tried on one device.
    progress
        Told (epochs done, 2).

    Raises
    ------
    DataError
        Where no labelled series is left to train on.
    """
    train = np.flatnonzero((series_set.split == "train") & (series_set.labels != UNKNOWN_LABEL))
    if not len(train):
        raise DataError("no labelled training series.", where=series_set.name, remedy="Give a class to some series.")
    tried = _tried(series_set, train, training.batch_size)
    some = [series_set.series[index] for index in tried]
    device = pick_device(training.device)
    series = Preparation.fit(some, training.normalisation).transform(some)
    examples = make_examples(series, series_set.labels[tried], series_set.n_classes, device)
    settings = replace(training, n_epochs=2, warm_up_epochs=0)
    trainer = Trainer(config, settings, device)
    seconds = 0.0
    for done in range(2):
        progress(done, 2)
        seconds = trainer.run_epoch(examples, None).seconds
    share = series_set.lengths[train].sum() / series_set.lengths[tried].sum()
    held_out = training.validation_share
    return float(seconds * share * (1 - held_out + held_out * JUDGING)) + storing(trainer)


def storing(trainer: Trainer) -> float:
    """Return how many seconds it takes to store a trainer after an epoch."""
    with TemporaryDirectory() as folder:
        begun = time.perf_counter()
        save_checkpoint(trainer, Path(folder))
        return time.perf_counter() - begun


def whole_seconds(training: TrainingConfig, epoch: float) -> float:
    """Return how long a run takes, by the seconds of an epoch, its supervised counterpart included."""
    networks = 1 + SUPERVISED_COST * training.with_supervised
    return START_AND_END + training.n_epochs * epoch * networks


def _tried(series_set: SeriesSet, train: IntArray, batch_size: int) -> IntArray:
    by_length = train[np.argsort(series_set.lengths[train], kind="stable")]
    mean_length = float(series_set.lengths[train].mean())
    n_tried = min(BATCHES_TRIED * batch_size, max(2, int(TIMEPOINTS_TRIED / mean_length)), len(train))
    places = np.linspace(0, len(train) - 1, n_tried).round().astype(int)
    return np.unique(by_length[places])
