"""Checkpointed or not, a training step comes out the same; what is kept for the way back is a fraction."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks

from tests.models.builders import batch, small_network
from timemil_core.models.config import fully_supervised
from timemil_core.models.fast.checkpointing import gradient_checkpointing, is_uncounted, stage
from timemil_core.models.timemil import TimeMIL

KINDS: list[dict[str, Any]] = [
    {"attention": "exact"},
    {"attention": "nystrom", "n_layers": 3},
    {"attention": "nystrom", "class_token_row_only": False, "value_convolution": "all", "wavelet_projection": True},
    {"pooling": "conjunctive"},
    {"pooling": "max"},
]


def step(network: TimeMIL, values: Tensor, mask: Tensor | None, wanted: bool) -> tuple[Tensor, dict[str, Tensor]]:
    """One forward and backward pass in training, with dropout, and the gradients."""
    network.train().zero_grad()
    torch.manual_seed(5)
    with gradient_checkpointing(wanted):
        logits = network(values, mask, warm_up=0.5)
    logits.square().sum().backward()
    return logits, {name: one.grad.clone() for name, one in network.named_parameters() if one.grad is not None}


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("kind", KINDS, ids=[" ".join(map(str, kind.values())) for kind in KINDS])
def test_logits_gradients_and_statistics_are_those_of_the_plain_step(kind: dict[str, Any], padded: bool) -> None:
    _, values, mask = batch([30, 21, 9] if padded else [30, 30, 30], 30)
    outcomes = []
    for wanted in (False, True):
        network = small_network(**kind, dropout=0.4)
        logits, gradients = step(network, values, mask if padded else None, wanted)
        after = torch.rand(3)  # where the stream of random numbers has got to
        outcomes.append((logits, gradients, dict(network.named_buffers()), after))
    (logits, gradients, buffers, after), (logits_again, gradients_again, buffers_again, after_again) = outcomes
    torch.testing.assert_close(logits_again, logits, rtol=1e-6, atol=1e-6)
    assert gradients.keys() == gradients_again.keys()
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradients_again[name], gradient, rtol=1e-5, atol=1e-6, msg=name)
    for name, buffer in buffers.items():
        torch.testing.assert_close(buffers_again[name], buffer, rtol=1e-6, atol=1e-6, msg=name)
    assert torch.equal(after, after_again)


def test_running_statistics_count_a_batch_once() -> None:
    network = small_network()
    _, values, _ = batch([20, 20], 20)
    step(network, values, None, wanted=True)
    assert {int(buffer) for name, buffer in network.named_buffers() if name.endswith("num_batches_tracked")} == {1}


def kept_for_the_way_back(network: TimeMIL, values: Tensor, wanted: bool) -> int:
    storages: dict[int, Tensor] = {}

    def pack(tensor: Tensor) -> Tensor:
        storages[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with gradient_checkpointing(wanted), saved_tensors_hooks(pack, lambda tensor: tensor):
        network(values)
    return sum(tensor.untyped_storage().nbytes() for tensor in storages.values())


@pytest.mark.parametrize("counterpart", [False, True])
def test_less_is_kept(counterpart: bool) -> None:
    network = small_network(embedding_width=32, n_heads=4, head_size=8)
    if counterpart:
        network = TimeMIL(fully_supervised(network.config))
    values = torch.randn(1, 2, 2000)
    plain, checkpointed = (kept_for_the_way_back(network.train(), values, wanted) for wanted in (False, True))
    assert checkpointed < plain / 4


def test_without_gradients_nothing_is_computed_twice() -> None:
    calls = []

    class Counting(nn.Module):
        def forward(self, values: Tensor) -> Tensor:
            calls.append(is_uncounted())
            return values.square()

    module = Counting()
    with torch.no_grad(), gradient_checkpointing():
        assert stage(module, 3 * torch.ones(1)).item() == 9
    assert calls == [False]
    leaf = torch.ones(1, requires_grad=True)
    with gradient_checkpointing():
        result = stage(module, leaf.square()).square()
    result.backward()
    assert calls == [False, False, True]
    assert leaf.grad is not None and leaf.grad.item() == 8  # of the eighth power
    assert not is_uncounted()


def test_the_wish_ends_with_its_block() -> None:
    network = small_network().train()
    _, values, _ = batch([20, 20], 20)
    with pytest.raises(RuntimeError, match="broken off"), gradient_checkpointing():
        raise RuntimeError("broken off")
    calls = []
    handle = network.backbone.blocks[0].residual.register_forward_hook(lambda *_: calls.append(is_uncounted()))
    network(values).sum().backward()
    handle.remove()
    assert calls == [False]
