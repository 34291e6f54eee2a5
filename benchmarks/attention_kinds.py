"""Exact attention against Nyström's approximation by length: where ``ModelConfig.exact_up_to`` comes from.

``python -m benchmarks.attention_kinds`` times one self-attention layer of the default network on batches that hold
about equally many time points, without gradients and with a backward pass, the two kinds alternating.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from benchmarks.throughput import alternating
from timemil_core.models.attention import SelfAttention
from timemil_core.models.config import AttentionKind, preset

KINDS: tuple[AttentionKind, ...] = ("exact", "nystrom")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--timepoints", type=int, nargs="+", default=[100, 200, 300, 400, 500, 640, 800, 1000, 2000])
    parser.add_argument("--points-per-batch", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = [row(n, max(1, arguments.points_per_batch // n), arguments) for n in arguments.timepoints]
    print_report(rows, what="seconds of one attention layer (median), exact over Nyström", device=arguments.device)


def row(n_timepoints: int, n_series: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return one line of the table."""
    layers = {kind: layer(kind).to(arguments.device) for kind in KINDS}
    tokens = torch.randn(n_series, 1 + n_timepoints, 128, device=arguments.device)
    result: dict[str, Any] = {"T": n_timepoints, "batch": n_series}
    for what, call in {"inference": inference, "training": training}.items():
        calls: dict[str, Callable[[], None]] = {kind: call(one, tokens) for kind, one in layers.items()}
        seconds = alternating(calls, arguments.repeats, arguments.device)
        result |= {f"{what} {kind} s": seconds[kind] for kind in KINDS}
        result[f"{what} ratio"] = seconds["exact"] / seconds["nystrom"]
    return result


def layer(kind: AttentionKind) -> SelfAttention:
    """Return an attention layer of the default network."""
    return SelfAttention(replace(preset("default", n_channels=1, n_classes=2), attention=kind, dropout=0.0))


def inference(attention: SelfAttention, tokens: torch.Tensor) -> Callable[[], None]:
    """Return a forward pass without gradients."""

    def run() -> None:
        with torch.inference_mode():
            attention(tokens, None)

    return run


def training(attention: SelfAttention, tokens: torch.Tensor) -> Callable[[], None]:
    """Return a forward and a backward pass."""

    def run() -> None:
        attention.zero_grad()
        attention(tokens, None).sum().backward()

    return run


if __name__ == "__main__":
    main()
