"""LightTS: a block with nothing learned is a linear map of rows; its two samplings take every time point once."""

from __future__ import annotations

import torch

from timemil_core.models.networks.lightts import InformationExchange, LightTS, LightTSConfig


def test_columns_begin_as_twice_the_rows() -> None:
    block = InformationExchange(4, 3, n_columns=5, n_hidden=8)
    torch.nn.init.zeros_(block.columns.bias)
    sampled = torch.randn(2, 5, 4)
    torch.testing.assert_close(block(sampled), block.out(2 * block.rows(sampled)))


def test_samplings_of_twelve_time_points_in_chunks_of_four() -> None:
    network = LightTS(LightTSConfig(n_channels=1, n_classes=2, network="lightts", n_timepoints=12, chunk=4))
    seen: list[torch.Tensor] = []
    for exchange in network.exchanges:
        exchange.register_forward_pre_hook(lambda _, given: seen.append(given[0][0]))
    network(torch.arange(12.0)[None, None])
    assert seen[0].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert seen[1].tolist() == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
