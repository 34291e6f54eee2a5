"""How far inference is from what the backbone's convolutions would take at the machine's best measured rate.

``python -m benchmarks.arithmetic_limit`` counts the multiplications and additions of the convolutions as they are
defined (direct sums; Fourier blocks do with fewer), measures the rate of a large matrix product and of a 40-tap
convolution, and prints the seconds that the count would take at the higher of the two beside our inference.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from benchmarks.throughput import SHAPES
from timemil_core.models.backbone import InceptionTimeBackbone
from timemil_core.models.config import preset
from timemil_core.models.timemil import TimeMIL


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with torch.inference_mode():
        rates = {"matrix product": matrix_product_rate(), "40-tap convolution": convolution_rate()}
        rows = [row(shape, max(rates.values()), arguments.repeats) for shape in SHAPES]
    print_report(rows, what="the convolutions' arithmetic against inference, one thread", flops_per_second=rates)


def matrix_product_rate(size: int = 1024) -> float:
    """Return the floating-point operations a second of one large product of matrices."""
    left, right = torch.randn(size, size), torch.randn(size, size)
    return 2 * size**3 / seconds(lambda: left @ right)


def convolution_rate(n_timepoints: int = 20_000) -> float:
    """Return the operations a second of one direct convolution, 32 features to 32."""
    convolution, features = nn.Conv1d(32, 32, 40), torch.randn(1, 32, n_timepoints + 39)
    return 2 * 32 * 32 * 40 * n_timepoints / seconds(lambda: convolution(features))


def convolution_flops(shape: tuple[int, int, int]) -> int:
    """Return the operations of all convolutions of the backbone for one batch ``(batch, T, channels)``."""
    n_series, n_timepoints, n_channels = shape
    backbone = InceptionTimeBackbone(n_channels)
    per_timepoint = sum(one.weight.numel() for one in backbone.modules() if isinstance(one, nn.Conv1d))
    return 2 * per_timepoint * n_series * n_timepoints


def row(shape: tuple[int, int, int], rate: float, repeats: int) -> dict[str, Any]:
    """Return one line of the table."""
    network = TimeMIL(preset("default", n_channels=shape[2], n_classes=4)).eval()
    values = torch.randn(shape[0], shape[2], shape[1])
    flops = convolution_flops(shape)
    limit, whole = flops / rate, seconds(lambda: network(values), repeats)
    return {
        "batch, T, channels": str(shape),
        "convolutions, GFLOP": flops / 1e9,
        "at the best rate, s": limit,
        "whole inference, s": whole,
        "of it the backbone, s": seconds(lambda: network.backbone(values), repeats),
        "inference over limit": whole / limit,
    }


def seconds(call: Callable[[], Any], repeats: int = 7) -> float:
    """Return the median CPU seconds of a call, after one to warm up."""
    call()
    taken = []
    for _ in range(repeats):
        started = time.process_time()
        call()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


if __name__ == "__main__":
    main()
