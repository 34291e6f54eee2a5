"""Peak memory of a training step and of an examination against the length of a series.

``python -m benchmarks.memory [--timepoints 1000 … 100000] [--channels 6] [--kinds examination]`` runs each in a process
of its own, batch 1, the default network: a training step (as in ``training/loop``: forward, loss, backward, clipping,
AdamW with Lookahead), plain and checkpointed, and an examination (``explain.examine``: logits, embeddings, attention of
all layers). Megabytes are the whole process's largest resident size; the first row, T = 1, is what the interpreter,
torch and the network take by themselves. Above the table stands how what is added to that grows with T: the slope of a
straight line through its logarithm over that of T, 1 where memory is linear in T. Seconds are wall time, the first
call included.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import default_channel_names
from timemil_core.explain.examination import examine
from timemil_core.models.config import preset
from timemil_core.models.fast.checkpointing import gradient_checkpointing
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import TrainingConfig
from timemil_core.training.memory import PEAK_OVER_KEPT, kept_bytes_a_timepoint
from timemil_core.training.optimiser import build_optimiser, clip_gradients

LENGTHS = [1, 1_000, 2_000, 5_000, 10_000, 18_000, 30_000, 50_000, 100_000]
LEAST_FITTED = 1_000  # time points; below, what a process takes by itself hides what a series adds
KINDS = ["training", "checkpointed", "examination"]
MEGABYTE = 10**6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timepoints", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--channels", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cell", nargs=2, help=argparse.SUPPRESS)  # one peak, in a process of its own
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    if arguments.cell:
        kind, n_timepoints = arguments.cell
        print(json.dumps(measure(kind, arguments.channels, int(n_timepoints))))
        return
    kept = kept_bytes_a_timepoint(network(arguments.channels), torch.device("cpu"))
    rows = []
    for n_timepoints in arguments.timepoints:
        row: dict[str, float | int] = {"time points": n_timepoints}
        for kind in arguments.kinds:
            row |= {f"{kind}, {what}": value for what, value in fresh(kind, n_timepoints, arguments).items()}
        row["estimate, MB"] = PEAK_OVER_KEPT * kept * n_timepoints / MEGABYTE
        rows.append(row)
    lengths = arguments.timepoints
    slopes = {kind: growth(lengths, [row[f"{kind}, MB"] for row in rows]) for kind in arguments.kinds}
    for kind, slope in slopes.items():
        print(f"{kind}: " + ("too few lengths to tell how it grows" if slope is None else f"added ~ T^{slope:.2f}"))
    print_report(
        rows,
        what="peak resident megabytes, seconds",
        channels=arguments.channels,
        bytes_a_timepoint=kept,
        slopes=slopes,
    )


def growth(timepoints: Sequence[int], megabytes: Sequence[float]) -> float | None:
    """Return the power of T with which memory grows beyond that of the shortest series; None where too few tell it."""
    start = megabytes[int(np.argmin(timepoints))]
    added = {
        n: peak - start
        for n, peak in zip(timepoints, megabytes, strict=True)
        if n >= LEAST_FITTED and n > min(timepoints) and peak > start
    }
    if len(added) < 2:
        return None
    return float(np.polyfit(np.log(list(added)), np.log(list(added.values())), 1)[0])


def fresh(kind: str, n_timepoints: int, arguments: argparse.Namespace) -> dict[str, float]:
    """Return peak and seconds of one call, measured in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.memory", "--cell", kind, str(n_timepoints)]
    command += ["--channels", str(arguments.channels), "--threads", str(arguments.threads)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def measure(kind: str, n_channels: int, n_timepoints: int) -> dict[str, float]:
    """Return the largest resident size of this process, in megabytes, and the seconds of one call."""
    call = examination(n_channels, n_timepoints) if kind == "examination" else step(kind, n_channels, n_timepoints)
    started = time.perf_counter()
    call()
    seconds = time.perf_counter() - started
    return {"MB": largest_resident_size() / MEGABYTE, "s": seconds}


def network(n_channels: int) -> TimeMIL:
    """Return the default network."""
    torch.manual_seed(0)
    return TimeMIL(preset("default", n_channels=n_channels, n_classes=2))


def step(kind: str, n_channels: int, n_timepoints: int) -> Callable[[], None]:
    """Return a training step of one series."""
    trained, training = network(n_channels).train(), TrainingConfig()
    optimiser = build_optimiser(trained.parameters(), training)
    values, targets = torch.randn(1, n_channels, n_timepoints), torch.tensor([[1.0, 0.0]])

    def call() -> None:
        optimiser.zero_grad()
        with gradient_checkpointing(kind == "checkpointed"):
            logits = trained(values)
        torch.nn.functional.binary_cross_entropy_with_logits(logits, targets).backward()
        clip_gradients(trained.parameters(), training.gradient_clip)
        optimiser.step()

    return call


def examination(n_channels: int, n_timepoints: int) -> Callable[[], None]:
    """Return the examination of one series."""
    series = np.random.default_rng(0).normal(size=(n_channels, n_timepoints)).astype(np.float32)
    names = default_channel_names(n_channels)
    model = TrainedModel(network(n_channels).eval(), Preparation.fit([series]), ("a", "b"), names)
    return lambda: (examine(model, series), None)[1]


def largest_resident_size() -> int:
    """Return the bytes that this process held at most, as the kernel counts them (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])


if __name__ == "__main__":
    main()
