"""FEDformer: weights of one leave the frequencies that were drawn and drop the others; a trend is shed."""

from __future__ import annotations

import torch

from timemil_core.models.networks.fedformer import mixed_at, without_trend


def test_chosen_frequencies_pass_and_others_do_not() -> None:
    time = torch.arange(32) / 32 * 2 * torch.pi
    kept, dropped = torch.sin(3 * time), torch.cos(5 * time)
    features = torch.stack([kept + dropped, 2 * kept], dim=1)[None]  # (1, 32, 2): one head of two features
    weight = torch.zeros(2, 1, 2, 2, 2)
    weight[:, 0, :, :, 0] = torch.eye(2)
    mixed = mixed_at(features, weight, torch.tensor([3, 7]))
    torch.testing.assert_close(mixed, torch.stack([kept, 2 * kept], dim=1)[None], atol=1e-5, rtol=0)


def test_an_imaginary_weight_turns_a_sine_into_a_cosine() -> None:
    time = torch.arange(32) / 32 * 2 * torch.pi
    weight = torch.zeros(1, 1, 1, 1, 2)
    weight[..., 1] = 1
    mixed = mixed_at(torch.sin(3 * time)[None, :, None], weight, torch.tensor([3]))
    torch.testing.assert_close(mixed[0, :, 0], torch.cos(3 * time), atol=1e-5, rtol=0)


def test_a_level_is_shed_up_to_the_edge_of_the_padding() -> None:
    mask = torch.arange(60)[None] < 40
    features = torch.full((1, 60, 2), 7.0) * mask[..., None]
    torch.testing.assert_close(without_trend(features, mask), torch.zeros(1, 60, 2), atol=1e-5, rtol=0)
