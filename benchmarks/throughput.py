"""Our speed and memory beside the authors' public code, in the same run.

``python -m benchmarks.throughput [--authors PATH] [--device cuda]`` times an inference batch and a training step (loss,
backward pass, gradient clipping, AdamW) of both, alternating, median of several, at embedding 128. ``PATH`` is a
checkout of the public repository ``xiwenc1/TimeMIL``, which needs einops; without it, ours alone is timed. Their code
calls ``.cuda()`` everywhere; on a CPU that call is made to do nothing. Peak memory is that of a fresh process for each
cell, less what it held before the call. ``--precision`` and ``--compile`` are ours alone, in training, as the settings
of that name.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import torch
from torch import nn

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from timemil_core.models.config import preset
from timemil_core.models.timemil import TimeMIL
from timemil_core.training.config import CompilationName, PrecisionName
from timemil_core.training.precision import autocast, compiled

SHAPES = [(16, 100, 6), (64, 100, 6), (16, 640, 2), (16, 1152, 7), (4, 2500, 4), (1, 17984, 6)]
N_CLASSES = 4


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--authors", metavar="PATH", help="a checkout of the authors' public code")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", choices=get_args(PrecisionName), default="auto")
    parser.add_argument("--compile", choices=get_args(CompilationName), default="off")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=5)
    places = range(1, len(SHAPES) + 1)
    parser.add_argument("--shapes", type=int, nargs="+", choices=places, default=[*places], help="which, from 1 on")
    parser.add_argument("--cell", nargs=4, help=argparse.SUPPRESS)  # one peak of memory, in a process of its own
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    if arguments.cell:
        whose, shape, kind, path = arguments.cell
        networks = {whose: network_of(whose, SHAPES[int(shape)], path, arguments.device)}
        [one] = calls(kind, networks, SHAPES[int(shape)], arguments).values()
        print(json.dumps(peak(one, arguments.device)))
        return
    rows = [row(place - 1, arguments) for place in arguments.shapes]
    print_report(
        rows,
        what="seconds (median), added megabytes, authors over ours",
        device=arguments.device,
        precision=arguments.precision,
        compilation=arguments.compile,
    )


def row(index: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return one line of the table."""
    shape = SHAPES[index]
    everyone = ["ours", "authors"] if arguments.authors else ["ours"]
    networks = {whose: network_of(whose, shape, arguments.authors, arguments.device) for whose in everyone}
    result: dict[str, Any] = {"batch, T, channels": str(shape)}
    for kind in ("inference", "training"):
        seconds = alternating(calls(kind, networks, shape, arguments), arguments.repeats, arguments.device)
        memory = {whose: memory_of(whose, index, kind, arguments) for whose in networks}
        for whose in networks:
            result |= {f"{kind} {whose} s": seconds[whose], f"{kind} {whose} MB": memory[whose]}
        if arguments.authors:
            result[f"{kind} ratio"] = seconds["authors"] / seconds["ours"]
            result[f"{kind} memory ratio"] = memory["ours"] / memory["authors"]
    return result


def network_of(whose: str, shape: tuple[int, int, int], path: str, device: str) -> nn.Module:
    """Return ours or theirs."""
    return ours(shape, device) if whose == "ours" else theirs(shape, path, device)


def calls(
    kind: str, networks: dict[str, nn.Module], shape: tuple[int, int, int], arguments: argparse.Namespace
) -> dict[str, Callable[[], None]]:
    """Return what is timed, for each network."""
    return {whose: call(kind, network, whose, shape, arguments) for whose, network in networks.items()}


def ours(shape: tuple[int, int, int], device: str) -> nn.Module:
    """Return our default network."""
    return TimeMIL(preset("default", n_channels=shape[2], n_classes=N_CLASSES)).to(device)


def theirs(shape: tuple[int, int, int], path: str, device: str) -> nn.Module:
    """Return the network of their public code, with the settings of its main script."""
    if path not in sys.path:
        sys.path.insert(0, path)
    if device == "cpu":
        torch.Tensor.cuda = lambda self, *_, **__: self  # type: ignore[method-assign]
    try:
        from models.timemil import TimeMIL as Theirs  # type: ignore[import-not-found]
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("models"):
            sys.exit(f"{path} is no checkout of xiwenc1/TimeMIL: it lacks models/timemil.py.")
        sys.exit(f"The authors' code needs {error.name}, which is not installed: pip install {error.name}")

    network: nn.Module = Theirs(shape[2], n_classes=N_CLASSES, mDim=128, max_seq_len=shape[1], dropout=0.2)
    return network.to(device)


def call(
    kind: str, network: nn.Module, whose: str, shape: tuple[int, int, int], arguments: argparse.Namespace
) -> Callable[[], None]:
    """Return an inference batch or a training step."""
    torch.manual_seed(0)
    device = arguments.device
    is_ours = whose == "ours"
    mixed = autocast(arguments.precision if is_ours else "32", torch.device(device))
    trained = compiled(network, arguments.compile) if is_ours else network
    values = torch.randn(shape[0], shape[2], shape[1], device=device)
    values = values if whose == "ours" else values.transpose(1, 2).contiguous()
    target = torch.zeros(shape[0], N_CLASSES, device=device)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=1e-4)

    def infer() -> None:
        network.eval()
        with torch.inference_mode():
            network(values)

    def train() -> None:
        network.train()
        optimiser.zero_grad()
        with mixed:
            logits = trained(values)
        nn.functional.binary_cross_entropy_with_logits(logits.float(), target).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()

    return infer if kind == "inference" else train


def alternating(calls: dict[str, Callable[[], None]], repeats: int, device: str) -> dict[str, float]:
    """Return each call's median seconds; the calls take turns, so that a busy moment hits all alike."""
    seconds: dict[str, list[float]] = {whose: [] for whose in calls}
    warm_up = 1 if device == "cpu" else 3  # a GPU's kernels are chosen, and its graphs recorded, in the first calls
    for turn in range(repeats + warm_up):
        for whose, one in calls.items():
            started = clock(device)
            one()
            if turn >= warm_up:
                seconds[whose].append(clock(device) - started)
    return {whose: statistics.median(values) for whose, values in seconds.items()}


def clock(device: str) -> float:
    """Return CPU seconds of this process, or wall seconds after the GPU is done."""
    if device == "cpu":
        return time.process_time()
    torch.cuda.synchronize(device)
    return time.perf_counter()


def memory_of(whose: str, index: int, kind: str, arguments: argparse.Namespace) -> float:
    """Return the added peak memory in megabytes, measured in a fresh process."""
    cell = [whose, str(index), kind, arguments.authors or ""]
    command = [sys.executable, "-m", "benchmarks.throughput", "--device", arguments.device]
    command += ["--precision", arguments.precision, "--compile", arguments.compile]
    done = subprocess.run([*command, "--cell", *cell], capture_output=True, check=True, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def peak(one: Callable[[], None], device: str) -> float:
    """Return the megabytes that one call adds to what this process holds with the network built."""
    if device != "cpu":
        before = torch.cuda.memory_allocated(device)
        torch.cuda.reset_peak_memory_stats(device)
        one()
        torch.cuda.synchronize(device)
        return (torch.cuda.max_memory_allocated(device) - before) / 2**20
    Path("/proc/self/clear_refs").write_text("5")  # Linux: the peak counts from here on
    before_kilobytes = _status("VmRSS")
    one()
    return (_status("VmHWM") - before_kilobytes) / 1024


def _status(key: str) -> int:
    # kilobytes, as the kernel tells them
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{key}:")).split()[1])


if __name__ == "__main__":
    main()
