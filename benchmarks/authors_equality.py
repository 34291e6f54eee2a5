"""Are imported checkpoints equal to the authors' public code? Its logits and ours, for the same weights and input.

``python -m benchmarks.authors_equality --authors PATH``; ``PATH`` is a checkout of ``xiwenc1/TimeMIL`` (it needs
einops). For every shape and seed their network is built by their code, as it begins and after some training steps on
random labels, its state dict is written by ``torch.save`` and imported as the command ``import-authors`` does it. A
difference is relative: the largest one of a logit over the largest logit. On a CPU; their ``.cuda()`` does nothing.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from benchmarks.throughput import N_CLASSES, alternating, theirs
from timemil_core.models.authors.importing import import_network


@dataclass(frozen=True)
class Case:
    """A batch of series; the shortest of an unequal one is ``shortest``, and zeros in front make it ``longest``."""

    n_series: int
    shortest: int
    longest: int
    n_channels: int

    @property
    def lengths(self) -> list[int]:
        """Of the series, from the shortest to the longest."""
        return torch.linspace(self.shortest, self.longest, self.n_series).round().int().tolist()


CASES = [
    Case(16, 100, 100, 6),
    Case(64, 100, 100, 1),
    Case(16, 8, 8, 2),
    Case(16, 7, 29, 12),
    Case(8, 640, 640, 2),
    Case(4, 2500, 2500, 4),
]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--authors", required=True, metavar="PATH", help="a checkout of the authors' public code")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10, help="training steps of the trained networks")
    parser.add_argument("--cases", type=int, default=len(CASES), help="so many of the cases")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rows = [row(case, steps, arguments) for case in CASES[: arguments.cases] for steps in sorted({0, arguments.steps})]
    worst = max(max(one["batch"], one["alone"]) for one in rows)
    print_report(rows, what="largest difference of a logit over the largest logit, worst of the seeds", worst=worst)


def row(case: Case, steps: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return one line of the table: the worst of the seeds."""
    found = [compare(case, steps, seed, arguments.authors) for seed in range(arguments.seeds)]
    length = str(case.longest) if case.shortest == case.longest else f"{case.shortest} to {case.longest}"
    return {
        "series": case.n_series,
        "T": length,
        "channels": case.n_channels,
        "steps": steps,
        **{name: max(one[name] for one in found) for name in found[0]},
    }


def compare(case: Case, steps: int, seed: int, path: str) -> dict[str, float]:
    """Return the differences for one network and one batch.

    ``batch``: of the batch at once, the pseudo-inverse scaled over it; ``alone``: of each series by itself, as an
    imported model predicts it; ``mates``: between their code's own two answers; ``ratio``: their seconds over ours.
    """
    torch.manual_seed(seed)
    their_network = theirs((case.n_series, case.longest, case.n_channels), path, "cpu")
    series = [torch.randn(case.n_channels, length) for length in case.lengths]
    padded = torch.stack([nn.functional.pad(one, (case.longest - one.shape[1], 0)) for one in series])
    train(their_network, padded, steps)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "best_model.pth"
        torch.save(their_network.state_dict(), file)
        network = import_network(file, front_padded_to=case.longest)
    in_batch = network.with_scaling("batch")
    with torch.inference_mode():
        together = their_network(padded.transpose(1, 2))
        alone = torch.cat([their_network(one.T[None]) for one in padded])
        return {
            "largest logit": float(together.abs().max()),
            "batch": difference(in_batch(padded), together),
            "alone": difference(torch.cat([network(one[None]) for one in series]), alone),
            "mates": difference(together, alone),
            "ratio": ratio(lambda: their_network(padded.transpose(1, 2)), lambda: in_batch(padded)),
        }


def train(network: nn.Module, values: Tensor, steps: int) -> None:
    """Take steps as their main script does (AdamW, 0.005), on random labels, and leave the network in eval mode."""
    labels = nn.functional.one_hot(torch.randint(N_CLASSES, (len(values),)), N_CLASSES).float()
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-3, weight_decay=1e-4)
    network.train()
    for _ in range(steps):
        optimiser.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(network(values.transpose(1, 2)), labels).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
    network.eval()


def difference(ours: Tensor, expected: Tensor) -> float:
    """Return the largest difference of a logit over the largest logit."""
    return float((ours - expected).abs().max() / expected.abs().max())


def ratio(theirs_once: Callable[[], object], ours_once: Callable[[], object]) -> float:
    """Return their seconds over ours for one batch, medians of three alternating calls."""
    calls = {"theirs": lambda: _drop(theirs_once()), "ours": lambda: _drop(ours_once())}
    seconds = alternating(calls, 3, "cpu")
    return seconds["theirs"] / seconds["ours"]


def _drop(_: object) -> None:
    """Forget a result."""


if __name__ == "__main__":
    main()
