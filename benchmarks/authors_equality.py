"""Are imported checkpoints equal to the authors' public code? Its logits and ours, for the same weights and input.

``python -m benchmarks.authors_equality --authors PATH``; ``PATH`` is a checkout of ``xiwenc1/TimeMIL`` (it needs
einops). For every shape and seed their network is built by their code, as it begins and after some training steps on
random labels, and once after training on BasicMotions; its state dict is written by ``torch.save`` and imported as the
command ``import-authors`` does it. A difference is relative: the largest one of a logit over the largest logit. On a
CPU; their ``.cuda()`` does nothing.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from benchmarks.throughput import N_CLASSES, alternating, theirs
from timemil_core.data.bundled import load_bundled
from timemil_core.data.series_set import Part
from timemil_core.models.authors.importing import import_network


@dataclass(frozen=True)
class Case:
    """A batch of noise; the shortest series of an unequal one is ``shortest``, zeros in front make it ``longest``."""

    n_series: int
    shortest: int
    longest: int
    n_channels: int

    @property
    def name(self) -> str:
        """Number of series, their lengths, channels."""
        length = str(self.longest) if self.shortest == self.longest else f"{self.shortest} to {self.longest}"
        return f"{self.n_series}, {length}, {self.n_channels}"

    def series(self) -> list[Tensor]:
        """Return series ``(n_channels, length)``, from the shortest to the longest."""
        lengths = torch.linspace(self.shortest, self.longest, self.n_series).round().int().tolist()
        return [torch.randn(self.n_channels, length) for length in lengths]


CASES = [
    Case(16, 100, 100, 6),
    Case(32, 100, 100, 1),
    Case(16, 8, 8, 2),
    Case(16, 7, 29, 12),
    Case(8, 640, 640, 2),
    Case(4, 2500, 2500, 4),
]
REAL = "BasicMotions"
PARTS: tuple[Part, ...] = ("train", "test")
BATCH = 16


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--authors", required=True, metavar="PATH", help="a checkout of the authors' public code")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=5, help="training steps on noise")
    parser.add_argument("--epochs", type=int, default=15, help=f"of training on {REAL}; 0 leaves it out")
    parser.add_argument("--cases", type=int, default=len(CASES), help="so many of the cases")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rows = [noise_row(case, n, arguments) for case in CASES[: arguments.cases] for n in sorted({0, arguments.steps})]
    rows += [real_row(arguments)] if arguments.epochs else []
    worst = max(max(one["batch"], one["alone"]) for one in rows)
    print_report(rows, what="largest difference of a logit over the largest logit, worst of the seeds", worst=worst)


def noise_row(case: Case, n_steps: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return one line of the table: the largest of each number over the seeds, of the ratio of times the median."""
    found = []
    for seed in range(arguments.seeds):
        torch.manual_seed(seed)
        network = theirs((case.n_series, case.longest, case.n_channels), arguments.authors, "cpu")
        series = case.series()
        labels = torch.randint(N_CLASSES, (len(series),))
        train(network, [(padded(series), labels)] * n_steps)
        found.append(compare(network, series))
    worst = {name: max(one[name] for one in found) for name in found[0]}
    worst["time"] = statistics.median(one["time"] for one in found)
    return {"series, T, channels": case.name, "training": f"{n_steps} steps", **worst}


def real_row(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the line of a set: their network trained on its training part, compared on its test part."""
    torch.manual_seed(0)
    series_set = load_bundled(REAL)
    fit, test = (padded([torch.from_numpy(series_set.series[i]) for i in series_set.indices(part)]) for part in PARTS)
    network = theirs((BATCH, fit.shape[2], fit.shape[1]), arguments.authors, "cpu")
    labels = torch.from_numpy(series_set.labels[series_set.indices("train")])
    parts = (some for _ in range(arguments.epochs) for some in torch.randperm(len(fit)).split(BATCH))
    train(network, ((fit[some], labels[some]) for some in parts))
    name = f"{len(test)}, {test.shape[2]}, {test.shape[1]}"
    return {"series, T, channels": name, "training": f"{REAL}, {arguments.epochs} epochs", **compare(network, [*test])}


def padded(series: Sequence[Tensor]) -> Tensor:
    """Put zeros in front of the shorter series, as their loader does: ``(n_series, n_channels, n_timepoints)``."""
    longest = max(one.shape[1] for one in series)
    return torch.stack([nn.functional.pad(one, (longest - one.shape[1], 0)) for one in series])


def train(network: nn.Module, batches: Iterable[tuple[Tensor, Tensor]]) -> None:
    """Take a step a batch as their main script does (AdamW, 0.005, one-vs-rest); leave the network in eval mode."""
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-3, weight_decay=1e-4)
    network.train()
    for values, labels in batches:
        target = nn.functional.one_hot(labels, N_CLASSES).float()
        optimiser.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(network(values.transpose(1, 2)), target).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
    network.eval()


def compare(their_network: nn.Module, series: Sequence[Tensor]) -> dict[str, float]:
    """Return the differences for one network and one batch of series.

    ``batch``: of the batch at once, the pseudo-inverse scaled over it; ``alone``: of each series by itself, as an
    imported model predicts it; ``mates``: between their code's own two answers; ``time``: their seconds over ours for
    the batch.
    """
    values = padded(series)
    with tempfile.TemporaryDirectory() as folder:
        torch.save(their_network.state_dict(), Path(folder) / "best_model.pth")
        network = import_network(Path(folder) / "best_model.pth", front_padded_to=values.shape[2])
    in_batch = network.with_scaling("batch")
    with torch.inference_mode():
        together = their_network(values.transpose(1, 2))
        alone = torch.cat([their_network(one.T[None]) for one in values])
        return {
            "largest logit": float(together.abs().max()),
            "batch": difference(in_batch(values), together),
            "alone": difference(torch.cat([network(one[None]) for one in series]), alone),
            "mates": difference(together, alone),
            "time": ratio(lambda: their_network(values.transpose(1, 2)), lambda: in_batch(values)),
        }


def difference(ours: Tensor, expected: Tensor) -> float:
    """Return the largest difference of a logit over the largest logit."""
    return float((ours - expected).abs().max() / expected.abs().max())


def ratio(theirs_once: Callable[[], object], ours_once: Callable[[], object]) -> float:
    """Return their seconds over ours, medians of three alternating calls."""
    calls = {"theirs": lambda: _drop(theirs_once()), "ours": lambda: _drop(ours_once())}
    seconds = alternating(calls, 3, "cpu")
    return seconds["theirs"] / seconds["ours"]


def _drop(_: object) -> None:
    """Forget a result."""


if __name__ == "__main__":
    main()
