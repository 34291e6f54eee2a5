"""What a training step keeps in memory for its backward pass, and whether it has to be checkpointed for that.

The bytes a time point are not written down but measured, on the network at hand and a short stretch of noise: they
hold for every setting, and stay right when the arithmetic changes.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import current_generator, drawing
from timemil_core.models.fast.checkpointing import gradient_checkpointing
from timemil_core.models.network import Network
from timemil_core.models.networks.config import OtherConfig
from timemil_core.training.config import TrainingConfig
from timemil_core.training.examples import Examples
from timemil_core.training.free_memory import available_bytes
from timemil_core.training.precision import autocast

PROBE_TIMEPOINTS = 2_000
SMALL_PASS = 4_000  # time points of one pass that no machine runs short of memory by; not worth a probe
PEAK_OVER_KEPT = 1.5  # by benchmarks/memory on a CPU: 1.2 at 100,000 time points, 1.5 at 18,000
CHECKPOINTED_PEAK_OVER_PLAIN = 0.8  # likewise: 0.69 and 0.83; the stage that is computed again sets the peak
LARGEST_SHARE = 0.5  # of what is free: others need memory too, and their need changes
GIB = 2**30


@dataclass(frozen=True)
class MemoryPlan:
    """Which passes forward and back of one network are checkpointed.

    Attributes
    ----------
    checkpoint_above
        Passes over more time points (series × padded length) than this are.
    sentence
        What was decided and why, for the log; empty where nothing is out of the ordinary.
    """

    checkpoint_above: float
    sentence: str = ""


EVERYTHING_FITS = MemoryPlan(math.inf)


def memory_plan(network: Network, examples: Examples, training: TrainingConfig) -> MemoryPlan:
    """Decide for a network, what it is to be trained on, and the memory that is free now."""
    largest = (1 + (training.marked_alone and network.marks)) * largest_pass(examples, training.batch_size)
    if training.checkpointing == "always":
        return MemoryPlan(0, "Gradient checkpointing, as was asked for: less memory, more time, the same weights.")
    if training.checkpointing == "never" or largest <= SMALL_PASS:
        return EVERYTHING_FITS
    with autocast(training.precision, examples.device):
        kept = kept_bytes_a_timepoint(network, examples.device)
    return choose(PEAK_OVER_KEPT * kept, largest, available_bytes(examples.device))


def choose(peak_a_timepoint: float, largest: int, available: int) -> MemoryPlan:
    """Decide from the peak bytes a time point, the time points of the largest pass, and the bytes that are free."""
    affordable = int(LARGEST_SHARE * available / peak_a_timepoint)
    if largest <= affordable:
        return EVERYTHING_FITS
    needed, checkpointed = peak_a_timepoint * largest, CHECKPOINTED_PEAK_OVER_PLAIN * peak_a_timepoint * largest
    sentence = (
        f"A pass over {largest:,} time points would take about {needed / GIB:.1f} GiB of the {available / GIB:.1f} GiB "
        f"that are free. Gradient checkpointing takes about {checkpointed / GIB:.1f} GiB and more time; the weights "
        "are the same."
    )
    if checkpointed > available:
        sentence += " Even that may not fit: shorten or resample the series, or train where there is more memory."
    return MemoryPlan(affordable, sentence)


def largest_pass(examples: Examples, batch_size: int) -> int:
    """Return the most time points, padding included, that go forward and back together."""
    longest = sorted(range(len(examples)), key=lambda index: -examples.lengths[index])[:batch_size]
    return max(len(part) * max(examples.lengths[index] for index in part) for part in examples.parts(longest))


def kept_bytes_a_timepoint(network: Network, device: torch.device, checkpointed: bool = False) -> float:
    """Return what one more time point leaves in memory between the forward and the backward pass, in bytes."""
    probe = copy.deepcopy(network).train()
    if isinstance(network.config, OtherConfig):  # some are made for a length: one series more of it, not a longer one
        length = min(network.config.n_timepoints, 2 * PROBE_TIMEPOINTS)
        with drawing(torch.Generator(device).manual_seed(0)):
            one, two = (_kept_bytes(probe, length, device, checkpointed, n_series) for n_series in (1, 2))
        return (two - one) / length
    # Two lengths, since some of it does not grow with them; on one side of the change from exact attention to Nyström.
    switch = network.config.exact_up_to if isinstance(network.config, ModelConfig) else 0
    short = switch + 1 if PROBE_TIMEPOINTS <= switch < 2 * PROBE_TIMEPOINTS else PROBE_TIMEPOINTS
    with drawing(torch.Generator(device).manual_seed(0)):
        kept = [_kept_bytes(probe, n_timepoints, device, checkpointed) for n_timepoints in (short, 2 * short)]
    return (kept[1] - kept[0]) / short


def _kept_bytes(
    network: Network, n_timepoints: int, device: torch.device, checkpointed: bool, n_series: int = 1
) -> int:
    own = {parameter.untyped_storage().data_ptr() for parameter in network.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    values = torch.randn(
        n_series, network.config.n_channels, n_timepoints, device=device, generator=current_generator()
    )
    with gradient_checkpointing(checkpointed), saved_tensors_hooks(pack, lambda tensor: tensor):
        logits = network(values)
    del logits  # only now: it holds what was kept, so that no place in memory was used twice
    return sum(n_bytes for place, n_bytes in kept.items() if place not in own)
