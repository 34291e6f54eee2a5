"""ModernTCN: one perceptron mixes the features of each channel, the other the channels at each feature."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch.nn.functional import conv1d, gelu

from timemil_core.models.networks.moderntcn import Block, GroupedPerceptron, ModernTCN, ModernTCNConfig

CONFIG = ModernTCNConfig(n_channels=3, n_classes=2, network="moderntcn", n_timepoints=45, width=4)


def test_grouped_perceptrons_are_grouped_convolutions() -> None:
    one, tokens = GroupedPerceptron(3, 4, 5, 0.0), torch.randn(2, 7, 3, 4)
    flat = tokens.flatten(2).transpose(1, 2)  # (2, 3 · 4, 7)
    for weight, bias, after in zip(one.weights, one.biases, (gelu, torch.nn.Identity()), strict=True):
        torch.nn.init.normal_(bias)
        flat = after(conv1d(flat, weight.transpose(1, 2).flatten(0, 1)[..., None], bias.flatten(), groups=3))
    torch.testing.assert_close(one(tokens).flatten(2).transpose(1, 2), flat, atol=1e-5, rtol=1e-5)


def test_without_the_second_perceptron_a_channel_stays_on_its_own() -> None:
    block, tokens = Block(3, 4, CONFIG).eval(), torch.randn(1, 3, 4, 11)
    seen, changed = torch.ones(1, 11, dtype=torch.bool), tokens.clone()
    changed[:, 0] += 1
    assert ((block(changed, seen) - block(tokens, seen)).abs() > 1e-7).any(dim=3)[0, 1:].any()
    block.among_channels = torch.nn.Identity()
    torch.testing.assert_close(block(changed, seen)[:, 1:], block(tokens, seen)[:, 1:])


def test_tokens_cover_the_series_and_halve() -> None:
    network = ModernTCN(CONFIG)
    assert network.filled == 48  # eleven patches of 8 at steps of 4
    assert ModernTCN(replace(CONFIG, n_timepoints=48)).filled == 52
    assert network.head.in_features == 3 * 8 * 6
