"""What the forecasters share: attention as written down, heads that cannot share, stages that are told as promised."""

from __future__ import annotations

import pytest
import torch

from timemil_core.errors import SettingsError
from timemil_core.models.at_once import asked_for
from timemil_core.models.building import build
from timemil_core.models.networks.forecasting_parts import TokenAttention, sine_positions
from timemil_core.models.networks.rlinear import RLinearConfig
from timemil_core.watching import watched

FAMILY = (
    *("rlinear", "rmlp", "lightts", "mts-mixer", "scinet", "micn"),
    *("timesnet", "patchtst", "crossformer", "fedformer", "flowformer", "moderntcn"),
)


def test_attention_by_the_formula() -> None:
    attention = TokenAttention(6, n_heads=2).eval()
    tokens, seen = torch.randn(1, 4, 6), torch.tensor([[True, True, False, True]])
    heads = []
    for head in (slice(0, 3), slice(3, 6)):
        query, key, value = (
            part(tokens[0])[:, head] for part in (attention.to_query, attention.to_key, attention.to_value)
        )
        scores = (query @ key.T / 3**0.5).masked_fill(~seen, float("-inf"))
        heads.append(scores.softmax(dim=1) @ value)
    expected = attention.out(torch.cat(heads, dim=1))
    torch.testing.assert_close(attention(tokens, tokens, seen)[0], expected, atol=1e-5, rtol=1e-5)


def test_positions_of_an_odd_width() -> None:
    positions = sine_positions(torch.zeros(1, 2, 3))
    angles = torch.tensor([0.0, 1.0])
    torch.testing.assert_close(positions[:, 0], angles.sin())
    torch.testing.assert_close(positions[:, 1], angles.cos())
    assert positions.shape == (2, 3)


@pytest.mark.parametrize("name", ["patchtst", "crossformer", "fedformer", "flowformer"])
def test_heads_that_cannot_share_the_width(name: str) -> None:
    with pytest.raises(SettingsError, match="3 heads cannot share a width of 64"):
        asked_for(name, n_channels=1, n_classes=2, n_timepoints=9, width=64, n_heads=3)


def test_a_series_too_long_for_pairs_of_time_points() -> None:
    with pytest.raises(SettingsError, match="each pair of time points"):
        RLinearConfig(n_channels=1, n_classes=2, network="rlinear", n_timepoints=20_001)


@pytest.mark.parametrize("name", FAMILY)
def test_as_many_stages_are_told_as_promised(name: str) -> None:
    network = build(asked_for(name, n_channels=2, n_classes=3, n_timepoints=40), seed=0).eval()  # type: ignore[arg-type]
    told: list[None] = []
    with watched(lambda: told.append(None)):
        network(torch.randn(1, 2, 40))
    assert len(told) == network.n_stages or (not told and network.n_stages == 1)


@pytest.mark.parametrize("name", FAMILY)
def test_mixed_precision_gives_numbers(name: str) -> None:
    network = build(asked_for(name, n_channels=2, n_classes=3, n_timepoints=40), seed=0)  # type: ignore[arg-type]
    mask = torch.arange(40) < torch.tensor([[17], [40]])
    with torch.autocast("cpu", torch.bfloat16):
        loss = network(torch.randn(2, 2, 40), mask).float().square().sum()
    loss.backward()
    assert all(weight.grad is None or weight.grad.isfinite().all() for weight in network.parameters())
