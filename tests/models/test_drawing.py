from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.models.builders import small_config
from timemil_core.models.authors.config import authors_config
from timemil_core.models.building import build_network
from timemil_core.models.config import ENCODING_NAMES, POOLING_NAMES, ModelConfig
from timemil_core.models.drawing import Dropout, drawing
from timemil_core.models.fast.checkpointing import gradient_checkpointing, stage
from timemil_core.models.timemil import TimeMIL

CONFIGS = [
    *(
        small_config(pooling=pooling, positional_encoding=encoding)
        for pooling, encoding in product(POOLING_NAMES, ENCODING_NAMES)
    ),
    small_config(classifier="linear", value_convolution="all", wavelet_projection=True),
    authors_config(n_channels=2, n_classes=3, embedding_width=8),
]


def states() -> tuple[Any, ...]:
    numpys = np.random.get_state()  # noqa: NPY002 (the caller's, which must stay)
    return torch.get_rng_state().tolist(), numpys[1].tolist(), numpys[2], random.getstate()


def weights(network: nn.Module) -> torch.Tensor:
    return torch.cat([one.flatten().double() for one in network.state_dict().values()])


@pytest.mark.parametrize("config", CONFIGS)
def test_weights_come_from_the_seed_and_nothing_else_is_drawn(config: ModelConfig) -> None:
    before = states()
    first, again, other = (build_network(config, seed) for seed in (7, 7, 8))
    empty = build_network(config)
    assert states() == before
    assert torch.equal(weights(first), weights(again))
    assert not torch.equal(weights(first), weights(other))
    empty.load_state_dict(first.state_dict())
    assert torch.equal(weights(empty), weights(first))
    assert all(one.requires_grad for one in empty.parameters())


def test_weights_are_those_that_pytorch_draws_from_the_seed() -> None:
    torch.manual_seed(7)
    theirs = TimeMIL(small_config())
    assert torch.equal(weights(theirs), weights(build_network(small_config(), 7)))


def test_weights_are_float32_and_trainable_wherever_they_are_made() -> None:
    expected = weights(build_network(small_config(), 3))
    torch.set_default_dtype(torch.float64)
    try:
        with torch.inference_mode():
            network = build_network(small_config(), 3)
    finally:
        torch.set_default_dtype(torch.float32)
    assert {one.dtype for one in network.parameters()} == {torch.float32}
    assert torch.equal(weights(network), expected)
    network(torch.zeros(1, 2, 9)).sum().backward()


def test_threads_do_not_disturb_each_other() -> None:
    def draw(seed: int) -> torch.Tensor:
        torch.rand(100)
        return weights(build_network(small_config(), seed % 2))

    alone = [draw(0), draw(1)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(draw, range(40)))
    assert all(torch.equal(one, alone[seed % 2]) for seed, one in enumerate(together))


@pytest.mark.parametrize("share", [0.1, 0.2, 0.3, 0.37, 0.5])
@pytest.mark.parametrize("transposed", [False, True])
def test_dropout_draws_what_pytorchs_own_draws_from_the_same_seed(share: float, transposed: bool) -> None:
    values = torch.randn(30, 40, generator=torch.Generator().manual_seed(1))
    values = values.T if transposed else values
    torch.manual_seed(5)
    expected = nn.Dropout(share)(values)
    before = torch.get_rng_state()
    with drawing(torch.Generator().manual_seed(5)):
        dropped = Dropout(share)(values)
        assert torch.equal(Dropout(share).eval()(values), values)
    assert torch.equal(dropped, expected)
    assert torch.equal(torch.get_rng_state(), before)


def test_dropout_without_a_generator_is_pytorchs() -> None:
    torch.manual_seed(5)
    expected = nn.Dropout(0.4)(torch.ones(50))
    torch.manual_seed(5)
    assert torch.equal(Dropout(0.4)(torch.ones(50)), expected)


def test_what_is_computed_again_drops_the_same() -> None:
    values = torch.ones(200, requires_grad=True)
    dropout = Dropout(0.5)
    with drawing(torch.Generator().manual_seed(2)), gradient_checkpointing():
        first = stage(lambda one: dropout(one * one), values)
        second = stage(lambda one: dropout(one * one), values)
    (first + second).sum().backward()
    assert values.grad is not None
    assert torch.equal(values.grad, 2 * (first + second).detach())
    assert not torch.equal(first, second)
