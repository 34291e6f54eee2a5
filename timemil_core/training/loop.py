"""Training and judging, one epoch at a time, in plain PyTorch."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from timemil_core.errors import RunError
from timemil_core.models.drawing import drawing
from timemil_core.models.fast.checkpointing import gradient_checkpointing
from timemil_core.models.network import Network
from timemil_core.training.augmentation import mask_windows, shifted
from timemil_core.training.config import TrainingConfig
from timemil_core.training.examples import Examples, shuffled_batches
from timemil_core.training.optimiser import clip_gradients, rate_at, set_learning_rate
from timemil_core.training.precision import autocast
from timemil_core.training.replicas import ALONE, Replicas

if TYPE_CHECKING:
    from pytorch_optimizer import Lookahead

SHARES_MARKED = (0.1, 0.6)  # of a series' time points, where what the network marks is classified alone
_DIVERGED = "Lower the learning rate, or look for extreme values in the data."

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


_process_generator = threading.Lock()


def initial_seed(seed: int) -> int:
    """Return the seed of the initial weights."""
    return _words(seed, 0)[2]


@contextmanager
def seeded(
    training: TrainingConfig, epoch: int, device: torch.device, rank: int = 0
) -> Iterator[tuple[torch.Generator, torch.Generator]]:
    """Make everything random depend on (seed, epoch) alone, whatever other threads draw.

    Yields a generator on the CPU (order of the series) and one on the device (masking); dropout has a third, which
    alone differs by the replica's rank. Since nothing carries over from epoch to epoch, a resumed run draws what an
    uninterrupted one draws.
    """
    order, masking, dropout = _words(training.seed, epoch)
    with ExitStack() as stack:
        if training.compilation == "off":
            stack.enter_context(drawing(torch.Generator(device).manual_seed(dropout + rank)))
        else:  # compiled dropout takes PyTorch's own generator and no other: one training at a time has it
            stack.enter_context(_process_generator)
            stack.enter_context(torch.random.fork_rng(devices=[device] if device.type == "cuda" else []))
            torch.manual_seed(dropout + rank)
        yield torch.Generator().manual_seed(order), torch.Generator(device).manual_seed(masking)


def _words(seed: int, epoch: int) -> list[int]:
    return [int(word) for word in np.random.SeedSequence([seed, epoch]).generate_state(3)]


def train_epoch(
    network: nn.Module,
    optimiser: Lookahead,
    examples: Examples,
    training: TrainingConfig,
    epoch: int,
    *,
    warm_up: float | None,
    on_batch: OnBatch,
    should_stop: ShouldStop,
    checkpoint_above: float = math.inf,
    replicas: Replicas = ALONE,
) -> tuple[float, float]:
    """Train on every series once, and return the mean loss and the accuracy met on the way, of whole series.

    Parameters
    ----------
    epoch
        From 1; with the seed it decides the order, the masking and the dropout.
    warm_up
        α of the appendix, None after the warm-up.
    on_batch
        Told (batches done, batches) after each batch, and after each of its parts where it has several.
    should_stop
        Asked before each batch, and before each of its parts.
    checkpoint_above
        Passes over more time points (series × padded length) than this save memory, see ``checkpointing``.
    replicas
        Who share each batch; all return the same.

    Raises
    ------
    TrainingStoppedError
        Where ``should_stop`` said so.
    RunError
        Where the loss is no longer a number.
    """
    network.train()
    marks = training.marked_alone and cast(Network, network).marks
    loss_sum = torch.zeros((), device=examples.device)
    n_correct = torch.zeros((), device=examples.device)
    mixed = autocast(training.precision, examples.device)
    with seeded(training, epoch, examples.device, replicas.rank) as (order, masking):
        batches = shuffled_batches(examples.lengths, training.batch_size, order, replicas.size)
        for number, indices in enumerate(batches, start=1):
            done = (epoch - 1 + (number - 1) / len(batches)) / training.n_epochs
            set_learning_rate(optimiser, rate_at(training, done))
            optimiser.zero_grad()
            for place, part in enumerate(examples.parts(indices, replicas.size)):
                if replicas.any(should_stop()):
                    raise TrainingStoppedError
                if place:
                    on_batch(number - 1, len(batches))  # a sign of life: a batch of long series takes minutes
                batch = examples.batch(part)
                values = shifted(batch.values, batch.mask, masking) if training.circular_shift else batch.values
                values = mask_windows(values, batch.mask, training.masking_share, training.masking_windows, masking)
                asked = (warm_up, _shares_marked(len(values), masking)[replicas.share]) if marks else (warm_up,)
                is_large = (1 + marks) * values.shape[0] * values.shape[2] > checkpoint_above * replicas.size
                batch = replace(batch, values=values).rows(replicas.share)
                with gradient_checkpointing(is_large), mixed:
                    logits = network(batch.values, batch.mask, *asked)
                each = logits.to(batch.targets.dtype).view(len(logits), -1, logits.shape[-1])  # (B, M or 2 M, K)
                loss = binary_cross_entropy_with_logits(each, batch.targets[:, None].expand_as(each))
                (loss * each.shape[1] * (len(each) / len(indices))).backward()  # each network's own, added up
                whole = each.detach()[:, : each.shape[1] // (1 + marks)]  # (B, M, K)
                loss_sum += binary_cross_entropy_with_logits(whole, batch.targets[:, None].expand_as(whole)) * len(each)
                n_correct += (whole.mean(dim=1).argmax(dim=1) == batch.targets.argmax(dim=1)).sum()
            replicas.sum_gradients(network.parameters())
            for one in cast(Network, network).trained_apart:
                clip_gradients(one.parameters(), training.gradient_clip)
            optimiser.step()
            on_batch(number, len(batches))
    loss_sum, n_correct = replicas.sum(loss_sum), replicas.sum(n_correct)
    return _finite(loss_sum.item() / len(examples), epoch), n_correct.item() / len(examples)


def _shares_marked(n_series: int, generator: torch.Generator) -> Tensor:
    least, most = SHARES_MARKED
    return least + (most - least) * torch.rand(n_series, generator=generator, device=generator.device)


def judge(network: Network, examples: Examples, replicas: Replicas = ALONE) -> Judgement:
    """Classify examples as the finished model would: eval mode, in float32, no masking, no warm-up mix.

    Replicas each classify some, and all return the same.

    Raises
    ------
    RunError
        Where a logit is no number.
    """
    network.eval()
    logits = torch.zeros_like(examples.targets)
    order = sorted(range(len(examples)), key=lambda index: examples.lengths[index])
    with torch.inference_mode():
        for part in examples.parts(order)[replicas.share]:
            batch = examples.batch(part)
            logits[part] = network(batch.values, batch.mask)
        replicas.sum(logits)
        if not bool(logits.isfinite().all()):
            raise RunError(
                "the network's logits of series that judge it are no numbers: training diverged.", remedy=_DIVERGED
            )
        loss = binary_cross_entropy_with_logits(logits, examples.targets)
        accuracy = (logits.argmax(dim=1) == examples.targets.argmax(dim=1)).float().mean()
    return Judgement(logits.cpu(), loss.item(), accuracy.item())


def _finite(loss: float, epoch: int) -> float:
    if not np.isfinite(loss):
        raise RunError(
            f"the loss of epoch {epoch} is not a number: training diverged.",
            remedy=_DIVERGED,
        )
    return loss
