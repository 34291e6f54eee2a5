import itertools
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.builders import batch, small_config, small_network
from timemil_core.models.encodings import ENCODINGS
from timemil_core.models.fingerprint import weights_fingerprint
from timemil_core.models.poolings.listing import POOLINGS
from timemil_core.models.timemil import TimeMIL, probabilities

# "auto" with a limit of 20: some of the series of a batch are short for it and some long
ATTENTION: list[dict[str, Any]] = [
    {"attention": "exact"},
    {"attention": "nystrom"},
    {"attention": "auto", "exact_up_to": 20},
    {"attention": "nystrom", "class_token_row_only": False, "value_convolution": "all", "wavelet_projection": True},
    {"attention": "exact", "class_token_row_only": False, "value_convolution": "none", "final_normalisation": False},
]
KINDS: list[dict[str, Any]] = [
    {"positional_encoding": encoding, "pooling": pooling, **attention}
    for encoding, pooling in itertools.product(ENCODINGS, POOLINGS)
    for attention in (ATTENTION if pooling == "time-aware" else [{}])
]
NAMES = [" ".join(str(value) for value in kind.values()) for kind in KINDS]
WAVELET_KINDS = [kind for kind in KINDS if kind["positional_encoding"] == "wavelet"]
WAVELET_NAMES = [name for name in NAMES if name.startswith("wavelet")]
lengths = st.lists(st.integers(1, 45), min_size=1, max_size=4)


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
@settings(deadline=None, max_examples=4)
@given(lengths=lengths, seed=st.integers(0, 999))
def test_a_series_does_not_depend_on_its_batch(kind: dict[str, Any], lengths: list[int], seed: int) -> None:
    """Alone, in a batch, and in a batch padded to twice the length, the same logits, instances and weights."""
    network = small_network(seed, **kind)
    longest = max(lengths)
    with torch.inference_mode():
        for padded_to in (longest, 2 * longest):
            series, values, mask = batch(lengths, padded_to, seed)
            together = network.detailed(values, mask)
            torch.testing.assert_close(network(values, mask), together.logits, atol=1e-6, rtol=1e-6)
            for row, one in enumerate(series):
                n = one.shape[1]
                alone = network.detailed(one[None])
                torch.testing.assert_close(together.logits[row], alone.logits[0], atol=1e-5, rtol=1e-5)
                torch.testing.assert_close(together.instances[row, :n], alone.instances[0], atol=1e-5, rtol=1e-5)
                weights, own = together.weights, alone.weights
                torch.testing.assert_close(weights.instances[row, :n], own.instances[0], atol=1e-5, rtol=1e-5)
                assert weights.instances[row, n:].eq(0).all()
                for ours, theirs in zip(weights.class_token_rows, own.class_token_rows, strict=True):
                    torch.testing.assert_close(ours[row, :, : n + 1], theirs[0], atol=1e-5, rtol=1e-5)
                    assert ours[row, :, n + 1 :].eq(0).all()


@settings(deadline=None, max_examples=15)
@given(lengths=lengths, seed=st.integers(0, 999))
def test_attention_rows_sum_to_one_over_what_is_observed(lengths: list[int], seed: int) -> None:
    network = small_network(seed, attention="exact")
    _, values, mask = batch(lengths, 2 * max(lengths), seed)
    with torch.inference_mode():
        rows = network.detailed(values, mask).weights.class_token_rows
    tokens_seen = torch.cat([torch.ones_like(mask[:, :1]), mask], dim=1)
    for row in rows:
        torch.testing.assert_close((row * tokens_seen[:, None]).sum(dim=-1), torch.ones(len(lengths), 2))
        assert row.masked_select(~tokens_seen[:, None]).eq(0).all()


def test_order_in_the_batch_does_not_matter() -> None:
    network = small_network(attention="nystrom", class_token_row_only=False)
    _, values, mask = batch([3, 30, 17], 30)
    order = torch.tensor([2, 0, 1])
    torch.testing.assert_close(network(values[order], mask[order]), network(values, mask)[order], atol=1e-5, rtol=1e-5)


EXTREMES = {
    "constant channels": lambda: (torch.ones(3, 2, 25) * 7, None),
    "all zero": lambda: (torch.zeros(3, 2, 25), None),
    "one time point": lambda: (torch.randn(3, 2, 1), None),
    "one time point of one series": lambda: (torch.randn(1, 2, 1), None),
    "all masked but one": lambda: (torch.randn(3, 2, 25), torch.arange(25).expand(3, -1) == 0),
    "all masked but one, in the middle": lambda: (torch.randn(1, 2, 25), torch.arange(25)[None] == 12),
    "values of a million": lambda: (1e6 * torch.randn(3, 2, 25), None),
    "constant million": lambda: (torch.full((3, 2, 25), 1e6), None),
}


@pytest.mark.parametrize("make", EXTREMES.values(), ids=EXTREMES.keys())
@pytest.mark.parametrize("kind", WAVELET_KINDS, ids=WAVELET_NAMES)
def test_extreme_series_give_finite_logits_and_gradients(kind: dict[str, Any], make: Any) -> None:
    torch.manual_seed(0)
    values, mask = make()
    for training in (False, True):
        network = small_network(**kind).train(training)
        logits = network(values, mask)
        assert logits.isfinite().all()
        torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.ones_like(logits)).backward()
        for name, parameter in network.named_parameters():
            assert parameter.grad is None or parameter.grad.isfinite().all(), name
        for name, buffer in network.named_buffers():
            assert buffer.isfinite().all(), name


def test_scales_at_their_bound_keep_the_network_finite() -> None:
    network = small_network()
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name.endswith("free_scales"):
                parameter.fill_(-100.0)
    logits = network(torch.randn(2, 2, 25))
    logits.sum().backward()
    assert logits.isfinite().all()
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in network.parameters())


@pytest.mark.parametrize("kind", WAVELET_KINDS, ids=WAVELET_NAMES)
def test_mixed_precision_stays_finite_and_near(kind: dict[str, Any]) -> None:
    network = small_network(**kind)
    _, values, mask = batch([40, 12], 40)
    values = values * mask[:, None]
    exact = network(values, mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = network(values, mask)
    logits.float().sum().backward()
    assert (logits.float() - exact).abs().max() < 0.2 * exact.abs().max().clamp(min=1)
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in network.parameters())


def test_every_parameter_is_used() -> None:
    for kind in KINDS:
        network = small_network(**kind).train()
        network(torch.randn(4, 2, 25)).square().sum().backward()
        assert [name for name, parameter in network.named_parameters() if parameter.grad is None] == []


def test_warm_up_mixes_mean_instance_and_class_token() -> None:
    network = small_network()
    _, values, mask = batch([9, 4], 12)
    with torch.inference_mode():
        instances = network.backbone(values, mask)
        bag, _ = network.pooling(instances, mask)
        mean = torch.stack([instances[0, :9].mean(dim=0), instances[1, :4].mean(dim=0)])
        torch.testing.assert_close(network(values, mask, warm_up=0.99), network.classify(0.99 * mean + 0.01 * bag))
        torch.testing.assert_close(network(values, mask, warm_up=0.0), network(values, mask))


def test_warm_up_leaves_a_bag_of_logits_alone() -> None:
    network = small_network(pooling="conjunctive")
    values = torch.randn(2, 2, 9)
    assert network(values, warm_up=0.99).equal(network(values))


@pytest.mark.parametrize(("n_channels", "n_classes"), [(1, 1), (1, 2), (5, 4)])
def test_sizes_follow_the_data(n_channels: int, n_classes: int) -> None:
    network = TimeMIL(small_config(n_channels=n_channels, n_classes=n_classes)).eval()
    output = network.detailed(torch.randn(3, n_channels, 10))
    assert output.logits.shape == (3, n_classes)
    assert output.instances.shape == (3, 10, 8)


def test_probabilities_by_hand() -> None:
    # sigmoid(ln 3) = 3/4, sigmoid(0) = 1/2, sigmoid(-ln 3) = 1/4; their sum 3/2
    given_ = probabilities(torch.tensor([[np.log(3), 0, -np.log(3)]]))
    np.testing.assert_allclose(given_, [[1 / 2, 1 / 3, 1 / 6]], rtol=1e-7)


@given(st.lists(st.floats(-1e4, 1e4, width=32), min_size=1, max_size=6))
def test_probabilities_sum_to_one_and_keep_the_order(logits: list[float]) -> None:
    given_ = probabilities(torch.tensor([logits])).numpy()[0]
    assert given_.sum() == pytest.approx(1, abs=1e-12)
    assert (np.diff(given_[np.argsort(logits, kind="stable")]) >= 0).all()


def test_saturated_logits_do_not_tie() -> None:
    """Single precision rounds these sigmoids to 0 and 1; then all classes, or the losers, would be alike."""
    given_ = probabilities(torch.tensor([[-200.0, -201.0, -205.0], [20.0, 21.0, -300.0]]))
    assert (given_[0].diff() < 0).all()
    assert given_[1, 1] > given_[1, 0] > given_[1, 2]
    assert torch.sigmoid(torch.tensor([20.0, 21.0])).unique().numel() == 1


def test_fingerprint_changes_with_any_weight_or_statistic() -> None:
    network = small_network()
    before = weights_fingerprint(network)
    assert before == weights_fingerprint(small_network())
    assert len(before) == 16
    for name, tensor in network.state_dict().items():
        kept = tensor.clone()
        tensor.view(-1)[0] += 1
        assert weights_fingerprint(network) != before, name
        tensor.copy_(kept)
    assert weights_fingerprint(network) == before
