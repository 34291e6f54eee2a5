"""SCINet: a node whose modules say nothing only takes a series apart, and the tree puts it together in order."""

from __future__ import annotations

import math

import torch

from timemil_core.models.networks.scinet import Level, SCINet, SCINetConfig, Tree, _even_and_odd, _exchanged


def test_a_tree_whose_modules_say_nothing_returns_the_series() -> None:
    tree = Tree(3, n_features=2, dropout=0.0)
    for weight in tree.parameters():
        torch.nn.init.zeros_(weight)
    values = torch.randn(2, 2, 16)
    torch.testing.assert_close(tree(values, torch.ones(2, 16, dtype=torch.bool)), values)


def test_a_node_by_hand() -> None:
    """Each module says tanh(0.5) everywhere: scaled by its exponential, then added to the even, taken from the odd."""
    node = Level(1, 1, 0.0).eval()
    for module in (node.scale, node.add):
        for weight in module.parameters():
            torch.nn.init.zeros_(weight)
        torch.nn.init.constant_(module.convolutions[3].bias, 0.5)
    mask = torch.tensor([[[True, True, True, False]]])
    halves, observed = node(torch.tensor([[[[1.0, 2.0, 3.0, 0.0]]]]), mask)  # (1, 2, 1, 2): even, odd
    said = math.tanh(0.5)
    torch.testing.assert_close(halves[0, 0, 0], torch.tensor([1.0, 3.0]) * math.exp(said) + said)
    torch.testing.assert_close(halves[0, 1, 0], torch.tensor([2 * math.exp(said) - said, 0.0]))
    assert observed.tolist() == [[[True, True], [True, False]]]


def test_each_half_is_told_by_the_other() -> None:
    node = Level(2, 3, 0.0)
    values, mask = torch.randn(1, 2, 3, 8), torch.ones(1, 2, 8, dtype=torch.bool)
    changed = values.clone()
    changed[0, 1, :, 0::2] += 1  # the even time points of the second part
    before = node.scale(_exchanged(_even_and_odd(values)), mask.view(1, 4, 4))
    after = node.scale(_exchanged(_even_and_odd(changed)), mask.view(1, 4, 4))
    assert [bool((before[0, part] != after[0, part]).any()) for part in range(4)] == [False, False, False, True]


def test_it_takes_series_longer_than_those_it_was_made_for() -> None:
    network = SCINet(SCINetConfig(n_channels=2, n_classes=3, network="scinet", n_timepoints=20)).eval()
    assert network(torch.randn(1, 2, 33)).isfinite().all()


def test_levels_suit_the_length() -> None:
    lengths = {1: 1, 8: 1, 16: 2, 31: 2, 32: 3, 300: 3}
    for length, levels in lengths.items():
        network = SCINet(SCINetConfig(n_channels=1, n_classes=2, network="scinet", n_timepoints=length))
        assert network.n_stages == levels
