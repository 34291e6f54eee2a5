from __future__ import annotations

import torch

from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.todynet import GraphLayer, Graphs, TodyNet


def test_as_many_edges_as_vertices_in_each_slot_and_none_to_oneself() -> None:
    edges = Graphs(6)()
    assert edges.shape == (4, 6, 6)
    assert (edges > 0).sum(dim=(1, 2)).tolist() == [6] * 4
    assert not edges.diagonal(dim1=1, dim2=2).any()
    assert not Graphs(1)().any()


def test_a_vertex_hears_its_neighbours_and_itself_in_the_slot_before() -> None:
    layer = GraphLayer(1, 1, 1, 3, 3)
    torch.nn.init.ones_(layer.slot_maps)
    edges = torch.zeros(4, 3, 3)
    edges[1, 0, 2] = 1.0  # in the second slot the first vertex hears the third
    features = torch.zeros(1, 1, 3, 8)
    features[0, 0, 2] = 1.0
    heard = layer._heard(features, edges)[0, 0]
    # The third is heard by itself, and from the slot before; its message is weighed by the roots of both degrees.
    assert heard[2].tolist() == [1, 1, 2, 2, 2, 2, 2, 2]
    assert heard[0].tolist() == [0, 0, 1, 1, 0, 0, 0, 0]
    assert not heard[1].any()


def test_a_fifth_of_the_vertices_goes_in_each_layer_and_edges_learn() -> None:
    network = TodyNet(OtherConfig(10, 2, "todynet", 30))
    assert [layer.pooling.out_channels for layer in network.layers] == [8, 6, 4]  # type: ignore[union-attr]
    network(torch.randn(4, 10, 30)).sum().backward()
    assert network.graphs.sources.grad is not None
    assert network.graphs.sources.grad.abs().sum() > 0


def test_a_thousand_channels_are_mixed_first() -> None:
    network = TodyNet(OtherConfig(1_000, 2, "todynet", 30)).eval()
    assert network.graphs().shape == (4, 32, 32)
    assert network(torch.randn(1, 1_000, 30)).isfinite().all()
