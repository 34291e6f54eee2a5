"""Flow attention: against sums over pairs of tokens, one at a time, and what is not observed has no part in them."""

from __future__ import annotations

import torch
from torch import Tensor

from timemil_core.models.networks.flowformer import flow_attention


def naive(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """One head ``(n, E)``, written down as the paper's equations with all pairs."""
    sinks, sources = query.sigmoid(), key.sigmoid()
    flows = sinks @ sources.T  # (n, n): from each source into each sink
    incoming, outgoing = flows.sum(dim=1), flows.sum(dim=0)  # (n), (n)
    conserved_incoming = (flows / outgoing).sum(dim=1)  # (n)
    conserved_outgoing = (flows / incoming[:, None]).sum(dim=0).clamp(-1, 1)  # (n)
    competed = value * conserved_outgoing.softmax(dim=0)[:, None] * len(value)  # (n, E)
    return flows / incoming[:, None] @ competed * conserved_incoming.sigmoid()[:, None]  # (n, E)


def test_it_is_the_sum_over_pairs_of_what_is_observed() -> None:
    query, key, value = (torch.randn(1, 1, 9, 4) for _ in range(3))
    mask = torch.arange(9)[None] < 6
    taken = flow_attention(query, key, value, mask)[0, 0, :6]
    expected = naive(*(part[0, 0, :6] for part in (query, key, value)))
    torch.testing.assert_close(taken, expected, atol=1e-4, rtol=1e-4)


def test_alike_tokens_share_evenly() -> None:
    """Each has a sixth of the competition and takes in one flow of the value, of which a sigmoid lets a share in."""
    query, key = torch.zeros(1, 1, 6, 4), torch.zeros(1, 1, 6, 4)
    taken = flow_attention(query, key, torch.full((1, 1, 6, 4), 3.0), torch.ones(1, 6, dtype=torch.bool))
    torch.testing.assert_close(taken, torch.full((1, 1, 6, 4), 3 * torch.sigmoid(torch.tensor(1.0)).item()))
