import numpy as np
import pytest
import torch
from torch import Tensor

from tests.models import naive
from tests.models.builders import small_config
from timemil_core.models.time_aware import TimeAwareLayer, TimeAwareLayers

KINDS = [("exact", True), ("exact", False), ("nystrom", True), ("nystrom", False)]


def layers_and_instances(n: int, **changes: object) -> tuple[TimeAwareLayers, Tensor]:
    torch.manual_seed(0)
    layers = TimeAwareLayers(small_config(**changes)).double().eval()
    return layers, torch.randn(2, n, 8, dtype=torch.float64)


def masked(instances: Tensor, n_padding: int) -> tuple[Tensor, Tensor]:
    n_series, n, width = instances.shape
    rubbish = torch.full((n_series, n_padding, width), 50.0, dtype=instances.dtype)
    return torch.cat([instances, rubbish], dim=1), (torch.arange(n + n_padding) < n).expand(n_series, -1)


def attention_input(layer: TimeAwareLayer, tokens: np.ndarray) -> np.ndarray:
    """Encoding and layer normalisation of one series' tokens ``(n, L)``."""
    encoded = layer.encoded(torch.from_numpy(tokens)[None], None)
    return layer.normalisation(encoded)[0].detach().numpy()


def naive_maps_and_tokens(layers: TimeAwareLayers, instances: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Every layer's map, mean of heads, and the tokens after the last, by Algorithm 1 with dense maps."""
    tokens = np.concatenate([layers.class_token.detach().numpy()[None], instances])
    maps = []
    for layer in layers.layers:
        encoded = layer.encoded(torch.from_numpy(tokens)[None], None)[0].detach().numpy()
        given = attention_input(layer, tokens)
        is_last_row = layers.config.class_token_row_only and layer is layers.layers[-1]
        attention = naive.exact_map if is_last_row else naive.layer_map
        maps.append(attention(layer.attention, given).mean(axis=0))
        tokens = encoded + naive.attention_layer(layer.attention, given)
    return maps, tokens


@pytest.mark.parametrize(("attention", "row_only"), KINDS)
@pytest.mark.parametrize("n", [1, 8, 30])
def test_rollout_equals_the_dense_product(n: int, attention: str, row_only: bool) -> None:
    layers, instances = layers_and_instances(n, attention=attention, class_token_row_only=row_only, n_layers=3)
    padded, mask = masked(instances, 11)
    rollout = layers.rollout(padded, mask).detach().numpy()
    for series in range(2):
        maps, _ = naive_maps_and_tokens(layers, instances[series].numpy())
        product = np.eye(n + 1)
        for one in maps:
            product = (0.5 * one + 0.5 * np.eye(n + 1)) @ product
        np.testing.assert_allclose(rollout[series, : n + 1], product[0], atol=1e-9)
        assert (rollout[series, n + 1 :] == 0).all()
    if attention == "exact":
        np.testing.assert_allclose(rollout.sum(axis=1), 1)


@pytest.mark.parametrize("attention", ["exact", "nystrom"])
@pytest.mark.parametrize("value_convolution", ["none", "instances", "all"])
def test_forward_equals_algorithm_1_with_dense_maps(attention: str, value_convolution: str) -> None:
    layers, instances = layers_and_instances(
        20, attention=attention, value_convolution=value_convolution, class_token_row_only=False
    )
    bag, rows = layers(instances, None, return_rows=True)
    for series in range(2):
        maps, tokens = naive_maps_and_tokens(layers, instances[series].numpy())
        np.testing.assert_allclose(bag[series].detach(), tokens[0], atol=1e-9)
        for row, whole in zip(rows, maps, strict=True):
            np.testing.assert_allclose(row[series].mean(dim=0).detach(), whole[0], atol=1e-9)


@pytest.mark.parametrize("value_convolution", ["none", "instances", "all"])
def test_last_row_alone_is_the_whole_last_layers(value_convolution: str) -> None:
    """Decision 1 of the design: no approximation, only less work."""
    layers, instances = layers_and_instances(20, attention="exact", value_convolution=value_convolution)
    padded, mask = masked(instances, 5)
    whole = TimeAwareLayers(
        small_config(attention="exact", value_convolution=value_convolution, class_token_row_only=False)
    )
    whole.double().eval().load_state_dict(layers.state_dict())
    (bag, rows), (whole_bag, whole_rows) = layers(padded, mask, True), whole(padded, mask, True)
    torch.testing.assert_close(bag, whole_bag)
    torch.testing.assert_close(torch.stack(rows), torch.stack(whole_rows))


def test_rows_are_given_only_where_asked_for() -> None:
    layers, instances = layers_and_instances(5)
    bag, rows = layers(instances, None)
    assert rows == ()
    torch.testing.assert_close(bag, layers(instances, None, return_rows=True)[0])


@pytest.mark.parametrize("value_convolution", ["none", "instances", "all"])
@pytest.mark.parametrize("row_only", [True, False])
def test_the_class_token_by_the_rows_that_were_used_is_the_bag(value_convolution: str, row_only: bool) -> None:
    layers, instances = layers_and_instances(7, value_convolution=value_convolution, class_token_row_only=row_only)
    padded, mask = masked(instances, 3)
    bag, rows = layers(padded, mask, return_rows=True)
    first, *_, last = layers.passes(padded, mask)
    torch.testing.assert_close(last.layer.class_token_by(rows[-1], last.entering, last.mask), bag)
    torch.testing.assert_close(layers.class_token_from(1, last.entering, last.mask), bag)
    torch.testing.assert_close(layers.class_token_from(0, first.entering, first.mask), bag)


def test_class_token_gets_no_encoding_and_layers_share_no_wavelets() -> None:
    layers, instances = layers_and_instances(5)
    tokens = torch.cat([torch.zeros(2, 1, 8, dtype=torch.float64), instances], dim=1)
    assert layers.layers[0].encoded(tokens, None)[:, 0].eq(0).all()
    first, second = (layer.encoding.wavelets for layer in layers.layers)
    assert first.shifts.data_ptr() != second.shifts.data_ptr()
    assert not torch.equal(first.shifts, second.shifts)
