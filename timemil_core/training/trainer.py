"""``Trainer``: one network in training, its optimiser, and the best epoch so far. Knows no files."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from timemil_core.models.building import build
from timemil_core.models.network import Network, NetworkConfig
from timemil_core.models.wavelet_path import WaveletPath, path_of
from timemil_core.training.batch_statistics import share_batch_statistics
from timemil_core.training.config import TrainingConfig
from timemil_core.training.examples import Examples
from timemil_core.training.loop import OnBatch, ShouldStop, initial_seed, judge, train_epoch
from timemil_core.training.memory import MemoryPlan, memory_plan
from timemil_core.training.metrics import EpochRecord, JudgedOn
from timemil_core.training.optimiser import build_optimiser, learning_rate
from timemil_core.training.precision import compiled
from timemil_core.training.replicas import ALONE, Replicas


@dataclass(frozen=True)
class Selected:
    """The epoch that is kept: its record, and its weights on the CPU."""

    record: EpochRecord
    weights: dict[str, Tensor]


class Trainer:
    """Trains one network epoch by epoch; the same settings, data and machine give the same weights.

    Attributes
    ----------
    network, optimiser
        As they stand after ``n_finished`` epochs, unless an epoch was broken off.
    n_finished
        Finished epochs.
    selected
        The best epoch so far, None before the first.
    memory
        Which passes are checkpointed; None before the first look at what is to be trained on.
    wavelet_path
        Where the wavelets have been so far; None for a network without any.
    """

    def __init__(
        self, config: NetworkConfig, training: TrainingConfig, device: torch.device, replicas: Replicas = ALONE
    ) -> None:
        self.config, self.training, self.device, self.replicas = config, training, device, replicas
        self.network = build(config, initial_seed(training.seed)).to(device)
        if replicas.size > 1:
            share_batch_statistics(self.network)
        self._trained = compiled(self.network, training.compilation)
        self.optimiser = build_optimiser(self.network.parameters(), training)
        self.n_finished = 0
        self.selected: Selected | None = None
        self.memory: MemoryPlan | None = None
        self.wavelet_path: WaveletPath | None = path_of(self.network)

    def plan_memory(self, fit: Examples) -> MemoryPlan:
        """Decide, once, which passes over ``fit`` are checkpointed."""
        if self.memory is None:
            plan = memory_plan(self.network, fit, self.training)
            # The same in all replicas: what one computes again, it computes together with the others.
            self.memory = replace(plan, checkpoint_above=self.replicas.least(plan.checkpoint_above))
        return self.memory

    @property
    def n_warm_up(self) -> int:
        """Epochs of the paper's warm-up; 0 for a pooling that has nothing to warm up."""
        return self.training.effective_warm_up if self.network.warms_up else 0

    @property
    def is_finished(self) -> bool:
        """Whether all epochs are done."""
        return self.n_finished >= self.training.n_epochs

    def run_epoch(
        self,
        fit: Examples,
        judged: Examples | None,
        *,
        judged_on: JudgedOn = "validation",
        on_batch: OnBatch = lambda done, of: None,
        should_stop: ShouldStop = lambda: False,
    ) -> EpochRecord:
        """Train for the next epoch on ``fit``, judge it on ``judged``, and keep it where it is the best.

        Raises as ``train_epoch`` does.
        """
        start = time.perf_counter()
        epoch = self.n_finished + 1
        warm_up = self.training.warm_up_alpha if epoch <= self.n_warm_up else None
        loss, accuracy = train_epoch(
            self._trained,
            self.optimiser,
            fit,
            self.training,
            epoch,
            warm_up=warm_up,
            on_batch=on_batch,
            should_stop=should_stop,
            checkpoint_above=self.plan_memory(fit).checkpoint_above,
            replicas=self.replicas,
        )
        judgement = judge(self.network, judged, self.replicas) if judged is not None else None
        record = EpochRecord(
            epoch=epoch,
            train_loss=loss,
            train_accuracy=accuracy,
            validation_loss=None if judgement is None else judgement.loss,
            validation_accuracy=None if judgement is None else judgement.accuracy,
            judged_on=None if judgement is None else judged_on,
            seconds=time.perf_counter() - start,
            learning_rate=learning_rate(self.optimiser),
            warm_up=warm_up is not None,
        )
        self.n_finished = epoch
        if self.wavelet_path is not None:
            self.wavelet_path = self.wavelet_path.after(epoch, self.network)
        if self.selected is None or is_better(record, self.selected.record, last=self.training.selection == "last"):
            self.selected = Selected(record, cpu_weights(self.network))
        return record

    @property
    def kept(self) -> Selected:
        """The epoch that is kept.

        Raises
        ------
        RuntimeError
            Before the first finished epoch.
        """
        if self.selected is None:
            raise RuntimeError("no epoch has been finished")
        return self.selected

    def kept_network(self) -> Network:
        """Return a new network with the weights of the kept epoch, on the CPU, in eval mode."""
        network = build(self.config)
        network.load_state_dict(self.kept.weights)
        return network.eval()


def is_better(new: EpochRecord, old: EpochRecord, *, last: bool) -> bool:
    """Tell whether a later epoch takes the place of the one kept so far.

    Higher accuracy wins, then lower loss, then the earlier epoch. An epoch of the warm-up, in which the class token
    counts for almost nothing, gives way to any epoch after it. Without judged series the later epoch wins.
    """
    if last or new.validation_accuracy is None:
        return True
    return _merit(new) > _merit(old)


def cpu_weights(network: Network) -> dict[str, Tensor]:
    """Return a copy of all weights and buffers on the CPU."""
    return {name: tensor.detach().cpu().clone() for name, tensor in network.state_dict().items()}


def _merit(record: EpochRecord) -> tuple[bool, float, float]:
    loss = math.inf if record.validation_loss is None else record.validation_loss
    return not record.warm_up, record.validation_accuracy or 0.0, -loss
