"""Crossformer: what is merged, and what reaches which segment and channel."""

from __future__ import annotations

import torch

from timemil_core.models.networks.crossformer import Crossformer, CrossformerConfig, Merge, TwoStageLayer

CONFIG = CrossformerConfig(n_channels=3, n_classes=2, network="crossformer", n_timepoints=60, width=8, n_heads=2)


def test_a_segment_that_is_left_over_is_merged_with_itself() -> None:
    merge, tokens = Merge(2), torch.randn(1, 1, 3, 2)
    merged, seen = merge(tokens, torch.ones(1, 3, dtype=torch.bool))
    twice = torch.cat([tokens[0, 0, 2], tokens[0, 0, 2]])
    torch.testing.assert_close(merged[0, 0, 1], merge.linear(merge.norm(twice)))
    assert seen.tolist() == [[True, True]]


def test_a_channel_reaches_the_others_and_an_unseen_segment_no_other() -> None:
    layer, tokens = TwoStageLayer(4, CONFIG).eval(), torch.randn(1, 3, 4, 8)
    seen = torch.tensor([[True, True, True, False]])
    before = layer(tokens, seen)
    changed = tokens.clone()
    changed[0, 0, 1] += 1
    assert ((layer(changed, seen) - before).abs() > 1e-6)[0, :, :3].any(dim=2).all()
    changed = tokens.clone()
    changed[0, :, 3] += 1
    torch.testing.assert_close(layer(changed, seen)[:, :, :3], before[:, :, :3])


def test_segments_halve_from_layer_to_layer() -> None:
    assert [len(layer.routers) for layer in Crossformer(CONFIG).layers] == [5, 3, 2]
