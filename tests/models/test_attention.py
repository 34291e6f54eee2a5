import math

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.models import naive
from tests.models.builders import small_config
from timemil_core.models.attention import SelfAttention

VALUE_CONVOLUTIONS = ("none", "instances", "all")
LENGTHS = (2, 9, 40)  # tokens, the class token among them


def layer_and_tokens(n: int, seed: int = 0, **changes: object) -> tuple[SelfAttention, Tensor]:
    torch.manual_seed(seed)
    layer = SelfAttention(small_config(**changes)).double().eval()
    return layer, torch.randn(2, n, 8, dtype=torch.float64)


def masked(tokens: Tensor, n_padding: int) -> tuple[Tensor, Tensor]:
    """Rubbish appended, and the mask that hides it."""
    n_series, n, width = tokens.shape
    rubbish = torch.full((n_series, n_padding, width), 50.0, dtype=tokens.dtype)
    mask = (torch.arange(n + n_padding) < n).expand(n_series, -1)
    return torch.cat([tokens, rubbish], dim=1), mask


def test_attention_row_by_hand() -> None:
    layer = SelfAttention(small_config(embedding_width=4, n_heads=1, head_size=4, value_convolution="none")).eval()
    with torch.no_grad():
        layer.to_query_key_value.weight.copy_(torch.eye(4).repeat(3, 1))  # query = key = value = token
        layer.output.weight.copy_(torch.eye(4))
        layer.output.bias.zero_()
    # scores of the class token: (2·2, 2·0, 2·(2 + ln 3)) / sqrt(4) = 2, 0, 2 + ln 3
    tokens = torch.tensor([[[2.0, 0, 0, 0], [0, 1, 0, 0], [2.0 + math.log(3), 0, 1, 0]]])
    total = np.exp(2) + 1 + 3 * np.exp(2)
    expected = torch.tensor([np.exp(2) / total, 1 / total, 3 * np.exp(2) / total], dtype=torch.float32)
    taken, weights = layer.class_token_alone(tokens, None)
    torch.testing.assert_close(weights[0, 0], expected)
    torch.testing.assert_close(taken[0, 0], expected @ tokens[0])


@pytest.mark.parametrize("value_convolution", VALUE_CONVOLUTIONS)
@pytest.mark.parametrize("n", LENGTHS)
def test_layer_equals_the_naive_one(n: int, value_convolution: str) -> None:
    layer, tokens = layer_and_tokens(n, attention="exact", value_convolution=value_convolution)
    expected = np.stack([naive.attention_layer(layer, one.numpy()) for one in tokens])
    np.testing.assert_allclose(layer(tokens, None).detach(), expected, atol=1e-10)


@pytest.mark.parametrize("value_convolution", VALUE_CONVOLUTIONS)
@pytest.mark.parametrize("n", LENGTHS)
def test_class_token_row_is_row_0_of_the_whole_layer(n: int, value_convolution: str) -> None:
    layer, tokens = layer_and_tokens(n, attention="exact", value_convolution=value_convolution)
    taken, weights = layer.class_token_alone(tokens, None)
    np.testing.assert_allclose(
        taken[:, 0].detach(), [naive.attention_layer(layer, one.numpy())[0] for one in tokens], atol=1e-10
    )
    torch.testing.assert_close(taken, layer(tokens, None)[:, :1])
    expected_weights = [naive.exact_map(layer, one.numpy())[:, 0] for one in tokens]
    np.testing.assert_allclose(weights.detach(), expected_weights, atol=1e-10)


@pytest.mark.parametrize("value_convolution", VALUE_CONVOLUTIONS)
@pytest.mark.parametrize("n", LENGTHS)
def test_class_token_row_does_not_see_padding(n: int, value_convolution: str) -> None:
    layer, tokens = layer_and_tokens(n, attention="exact", value_convolution=value_convolution)
    padded, mask = masked(tokens, 23)
    taken, weights = layer.class_token_alone(padded, mask)
    expected_taken, expected_weights = layer.class_token_alone(tokens, None)
    torch.testing.assert_close(taken, expected_taken)
    torch.testing.assert_close(weights[..., :n], expected_weights)
    assert weights[..., n:].eq(0).all()
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 2, dtype=torch.float64))


@pytest.mark.parametrize("attention", ["exact", "nystrom"])
@pytest.mark.parametrize("value_convolution", VALUE_CONVOLUTIONS)
@pytest.mark.parametrize("n", LENGTHS)
def test_layer_does_not_see_padding(n: int, value_convolution: str, attention: str) -> None:
    layer, tokens = layer_and_tokens(n, attention=attention, value_convolution=value_convolution)
    padded, mask = masked(tokens, 23)
    torch.testing.assert_close(layer(padded, mask)[:, :n], layer(tokens, None))


@pytest.mark.parametrize("n", LENGTHS)
def test_nystrom_layer_equals_the_naive_one(n: int) -> None:
    layer, tokens = layer_and_tokens(n, attention="nystrom", value_convolution="all")
    expected = np.stack([naive.attention_layer(layer, one.numpy()) for one in tokens])
    np.testing.assert_allclose(layer(tokens, None).detach(), expected, atol=1e-10)


@pytest.mark.parametrize("attention", ["exact", "nystrom"])
def test_used_row_and_left_multiply_are_those_of_the_map(attention: str) -> None:
    layer, tokens = layer_and_tokens(21, attention=attention)
    padded, mask = masked(tokens, 7)
    maps = np.stack([naive.layer_map(layer, one.numpy()) for one in tokens])
    used = layer.map_of(padded, mask).row().detach()
    np.testing.assert_allclose(used[..., :21], maps[:, :, 0], atol=1e-10)
    assert used[..., 21:].eq(0).all()
    row = torch.cat([torch.rand(2, 21, dtype=torch.float64), torch.zeros(2, 7, dtype=torch.float64)], dim=1)
    carried = layer.map_of(padded, mask).left_multiply(row).detach()
    expected = np.einsum("bn,bnm->bm", row[:, :21], maps.mean(axis=1))
    np.testing.assert_allclose(carried[:, :21], expected, atol=1e-10)
    assert carried[:, 21:].eq(0).all()


def test_left_multiply_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    layer, tokens = layer_and_tokens(21, attention="exact")
    row = torch.rand(2, 21, dtype=torch.float64)
    whole = layer.map_of(tokens, None).left_multiply(row)
    monkeypatch.setattr("timemil_core.models.attention.ROWS_AT_ONCE", 4)
    torch.testing.assert_close(layer.map_of(tokens, None).left_multiply(row), whole)


def test_own_length_chooses_the_arithmetic() -> None:
    """In a batch with one longer series, a short one keeps to exact attention, and the long one to Nyström's."""
    layer, tokens = layer_and_tokens(31, attention="auto", exact_up_to=20)
    mask = torch.ones(2, 31, dtype=torch.bool)
    mask[0, 21:] = False  # 20 time points and the class token
    row = torch.rand(2, 31, dtype=torch.float64) * mask
    assert not layer.uses_nystrom(21)
    assert layer.uses_nystrom(22)
    for series, n in ((0, 21), (1, 31)):
        alone = tokens[series : series + 1, :n]
        torch.testing.assert_close(layer(tokens, mask)[series : series + 1, :n], layer(alone, None))
        used = layer.map_of(tokens, mask).row()[series, :, :n]
        torch.testing.assert_close(used, layer.map_of(alone, None).row()[0])
        carried = layer.map_of(tokens, mask).left_multiply(row)[series, :n]
        torch.testing.assert_close(carried, layer.map_of(alone, None).left_multiply(row[series : series + 1, :n])[0])


def test_gradient_flows_through_a_batch_of_both_kinds() -> None:
    layer, tokens = layer_and_tokens(31, attention="auto", exact_up_to=20)
    mask = torch.ones(2, 31, dtype=torch.bool)
    mask[0, 21:] = False
    tokens.requires_grad_()
    layer(tokens, mask)[mask].square().sum().backward()
    assert tokens.grad is not None
    assert tokens.grad[mask].abs().sum(dim=1).gt(0).all()
    assert tokens.grad[~mask].eq(0).all()


def test_authors_value_convolution_passes_the_first_time_points_to_the_class_token() -> None:
    """What the setting "instances" is for: with "all", time point 16 moves the class token, 17 does not."""
    layer, tokens = layer_and_tokens(30, attention="exact", value_convolution="all")
    size = layer.config.n_heads * layer.config.head_size
    with torch.no_grad():
        layer.to_query_key_value.weight[: 2 * size] = 0  # attention flat: only the sum of values passes
    changed = tokens.clone()
    changed[:, 16] += 1.0
    changed[:, 20] -= 1.0
    assert not torch.allclose(layer.class_token_alone(changed, None)[0], layer.class_token_alone(tokens, None)[0])
    beyond = tokens.clone()
    beyond[:, 17] += 1.0
    beyond[:, 20] -= 1.0
    torch.testing.assert_close(layer.class_token_alone(beyond, None)[0], layer.class_token_alone(tokens, None)[0])
