"""What is done to series while a network is trained on them: the paper's window-based random masking, and shifts.

The masking is the appendix's "Window-based Random Masking Augmentation".
"""

from __future__ import annotations

import torch
from torch import Tensor


def mask_windows(
    values: Tensor, mask: Tensor | None, share: float, n_windows: int, generator: torch.Generator
) -> Tensor:
    """Cover a share of each series' windows in time with noise.

    The observed time points of a series are cut into ``n_windows`` windows that cover all of it and differ by at
    most one time point (a series of fewer points: as many windows as points). ``round(n_windows · share)`` of them,
    drawn without replacement for each series, are covered with fresh N(0, 1) noise at every time point and channel.

    Parameters
    ----------
    values
        ``(n_series, n_channels, n_timepoints)``; not changed.
    mask
        ``(n_series, n_timepoints)``, True where observed; None where all are. The padding is left as it is.
    share
        ``p``, in [0, 1].
    n_windows
        10 in the paper.
    generator
        Source of randomness, on the device of ``values``.

    Returns
    -------
    Tensor
        ``(n_series, n_channels, n_timepoints)``.
    """
    if share == 0:
        return values
    covered = covered_timepoints(values, mask, share, n_windows, generator)
    noise = torch.randn(values.shape, generator=generator, device=values.device, dtype=values.dtype)
    return torch.where(covered[:, None, :], noise, values)


def shifted(values: Tensor, mask: Tensor | None, generator: torch.Generator) -> Tensor:
    """Begin each series at a time point of its own, drawn evenly; what stood before it follows the end.

    Parameters
    ----------
    values
        ``(n_series, n_channels, n_timepoints)``; not changed.
    mask
        ``(n_series, n_timepoints)``, True where observed; None where all are. The padding is left as it is.
    generator
        Source of randomness, on the device of ``values``.

    Returns
    -------
    Tensor
        ``(n_series, n_channels, n_timepoints)``.
    """
    n_series, n_channels, n_timepoints = values.shape
    everywhere = torch.arange(n_timepoints, device=values.device).expand(n_series, -1)
    observed = torch.ones_like(everywhere, dtype=torch.bool) if mask is None else mask
    lengths = observed.sum(dim=1, keepdim=True)  # (n_series, 1)
    draw = torch.rand(n_series, 1, generator=generator, device=values.device, dtype=torch.float32)
    begin = (draw * lengths).long()
    places = (~observed).long().argsort(dim=1, stable=True)  # of the observed time points, in order; then the others
    taken = (observed.cumsum(dim=1) - 1 + begin) % lengths.clamp(min=1)
    source = torch.where(observed, places.gather(1, taken), everywhere)
    return values.gather(2, source[:, None, :].expand(-1, n_channels, -1))


def covered_timepoints(
    values: Tensor, mask: Tensor | None, share: float, n_windows: int, generator: torch.Generator
) -> Tensor:
    """Return which time points ``mask_windows`` covers, ``(n_series, n_timepoints)`` boolean."""
    n_series, _, n_timepoints = values.shape
    observed = torch.ones(n_series, n_timepoints, dtype=torch.bool, device=values.device) if mask is None else mask
    lengths = observed.sum(dim=1, keepdim=True)  # (n_series, 1)
    windows = lengths.clamp(max=n_windows)
    position = observed.cumsum(dim=1) - 1  # a time point's place among the observed ones
    window_of = (position.clamp(min=0) * windows) // lengths.clamp(min=1)  # (n_series, n_timepoints)

    draw = torch.rand(n_series, n_windows, generator=generator, device=values.device, dtype=torch.float32)
    exists = torch.arange(n_windows, device=values.device) < windows
    place = draw.masked_fill(~exists, 2.0).argsort(dim=1).argsort(dim=1)  # a random order of each series' windows
    n_covered = torch.round(windows * share)
    chosen = place < n_covered
    return chosen.gather(1, window_of) & observed
