"""MTS-Mixer: interleaved series meet in no perceptron over time."""

from __future__ import annotations

import torch

from timemil_core.models.networks.mts_mixer import MixerLayer, MTSMixerConfig


def test_interleaved_series_do_not_meet_over_time() -> None:
    config = MTSMixerConfig(n_channels=1, n_classes=2, network="mts-mixer", n_timepoints=8)
    layer = MixerLayer(config)
    values, mask = torch.randn(1, 8, 1), torch.ones(1, 8, dtype=torch.bool)
    changed = values.clone()
    changed[0, 3] += 1
    moved = (layer(values, mask) != layer(changed, mask))[0, :, 0]
    assert not moved[0::2].any()
    assert moved[1::2].all()
