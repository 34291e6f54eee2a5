"""Training and judging, one epoch at a time, in plain PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from pytorch_optimizer import Lookahead
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from timemil_core.errors import RunError
from timemil_core.models.timemil import TimeMIL
from timemil_core.training.augmentation import mask_windows
from timemil_core.training.config import TrainingConfig
from timemil_core.training.examples import Examples, shuffled_batches
from timemil_core.training.optimiser import clip_gradients

OnBatch = Callable[[int, int], None]
ShouldStop = Callable[[], bool]


class TrainingStoppedError(Exception):
    """Somebody asked for an end between two batches."""


@dataclass(frozen=True)
class Judgement:
    """Logits ``(n_series, n_classes)`` in the order of the examples, mean loss, accuracy."""

    logits: Tensor
    loss: float
    accuracy: float


@contextmanager
def seeded(seed: int, epoch: int, device: torch.device) -> Iterator[tuple[torch.Generator, torch.Generator]]:
    """Make everything random depend on (seed, epoch) alone, and leave the caller's random state as it was.

    Yields a generator on the CPU (order of the series) and one on the device (masking); dropout and initial weights
    take PyTorch's global one. Since nothing carries over from epoch to epoch, a resumed run draws what an
    uninterrupted one draws.
    """
    order, masking, dropout = (int(word) for word in np.random.SeedSequence([seed, epoch]).generate_state(3))
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(dropout)
        yield torch.Generator().manual_seed(order), torch.Generator(device).manual_seed(masking)


def train_epoch(
    network: TimeMIL,
    optimiser: Lookahead,
    examples: Examples,
    training: TrainingConfig,
    epoch: int,
    *,
    warm_up: float | None,
    on_batch: OnBatch,
    should_stop: ShouldStop,
) -> tuple[float, float]:
    """Train on every series once, and return the mean loss and the accuracy met on the way.

    Parameters
    ----------
    epoch
        From 1; with the seed it decides the order, the masking and the dropout.
    warm_up
        α of the appendix, None after the warm-up.
    on_batch
        Told (batches done, batches) after each batch.
    should_stop
        Asked before each batch.

    Raises
    ------
    TrainingStoppedError
        Where ``should_stop`` said so.
    RunError
        Where the loss is no longer a number.
    """
    network.train()
    loss_sum = torch.zeros((), device=examples.device)
    n_correct = torch.zeros((), device=examples.device)
    with seeded(training.seed, epoch, examples.device) as (order, masking):
        batches = shuffled_batches(examples.lengths, training.batch_size, order)
        for number, indices in enumerate(batches, start=1):
            if should_stop():
                raise TrainingStoppedError
            optimiser.zero_grad()
            for part in examples.parts(indices):
                batch = examples.batch(part)
                values = mask_windows(
                    batch.values, batch.mask, training.masking_share, training.masking_windows, masking
                )
                logits = network(values, batch.mask, warm_up)
                loss = binary_cross_entropy_with_logits(logits, batch.targets)
                (loss * (len(part) / len(indices))).backward()
                loss_sum += loss.detach() * len(part)
                n_correct += (logits.argmax(dim=1) == batch.targets.argmax(dim=1)).sum()
            clip_gradients(network.parameters(), training.gradient_clip)
            optimiser.step()
            on_batch(number, len(batches))
    return _finite(loss_sum.item() / len(examples), epoch), n_correct.item() / len(examples)


def judge(network: TimeMIL, examples: Examples) -> Judgement:
    """Classify examples as the finished model would: eval mode, no masking, no warm-up mix."""
    network.eval()
    logits = torch.empty_like(examples.targets)
    order = sorted(range(len(examples)), key=lambda index: examples.lengths[index])
    with torch.inference_mode():
        for part in examples.parts(order):
            batch = examples.batch(part)
            logits[part] = network(batch.values, batch.mask)
        loss = binary_cross_entropy_with_logits(logits, examples.targets)
        accuracy = (logits.argmax(dim=1) == examples.targets.argmax(dim=1)).float().mean()
    return Judgement(logits.cpu(), loss.item(), accuracy.item())


def _finite(loss: float, epoch: int) -> float:
    if not np.isfinite(loss):
        raise RunError(
            f"the loss of epoch {epoch} is not a number: training diverged.",
            remedy="Lower the learning rate, or look for extreme values in the data.",
        )
    return loss
