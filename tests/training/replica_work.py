"""What replicas do in tests; a module of its own, since their processes import it."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import distributed

from tests.training.builders import examples_of, short_training, small_model
from timemil_core.models.building import build_network
from timemil_core.training.batch_statistics import share_batch_statistics
from timemil_core.training.examples import Examples
from timemil_core.training.loop import judge, train_epoch
from timemil_core.training.optimiser import build_optimiser
from timemil_core.training.replicas import ALONE, Replicas

EQUAL, UNEQUAL = [20] * 21, list(range(9, 30))
CASES: dict[str, tuple[list[int], float, dict[str, Any]]] = {
    "equal": (EQUAL, math.inf, {}),
    "unequal": (UNEQUAL, math.inf, {}),
    "checkpointed": (UNEQUAL, 0.0, {}),
    "marked alone": (UNEQUAL, math.inf, {"pooling": "conjunctive"}),
}


def in_doubles(examples: Examples) -> Examples:
    series = tuple(one.double() for one in examples.series)
    return dataclasses.replace(examples, series=series, targets=examples.targets.double())


def train_cases(replicas: Replicas, folder: Path) -> None:
    """Two epochs without dropout, in doubles: a gradient of 0 is then 0 but for 1e-17, which AdamW does not blow up."""
    for name, (lengths, checkpoint_above, settings) in CASES.items():
        examples = in_doubles(examples_of(lengths))
        training = short_training(batch_size=6, masking_share=0.3, marked_alone=bool(settings))
        network = build_network(small_model(dropout=0.0, **settings), 0).double()
        if replicas.size > 1:
            share_batch_statistics(network)
        optimiser = build_optimiser(network.parameters(), training)
        told = []
        for epoch in (1, 2):
            loss, accuracy = train_epoch(
                network,
                optimiser,
                examples,
                training,
                epoch,
                warm_up=0.5,
                on_batch=lambda done, of: None,
                should_stop=lambda: False,
                checkpoint_above=checkpoint_above,
                replicas=replicas,
            )
            judged = judge(network, examples, replicas)
            told += [loss, accuracy, judged.loss, judged.accuracy]
        content = {**network.state_dict(), "told": torch.tensor(told), "logits": judged.logits}
        save_file(content, folder / f"{name}-{replicas.size}-{replicas.rank}.safetensors")


def replica(rank: int, size: int, folder: Path) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", f"file://{folder / 'store'}", rank=rank, world_size=size)
    train_cases(Replicas(rank, size), folder)
    distributed.destroy_process_group()


def alone(folder: Path) -> None:
    train_cases(ALONE, folder)
