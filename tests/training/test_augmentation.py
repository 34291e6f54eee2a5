import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from timemil_core.training.augmentation import covered_timepoints, mask_windows, shifted


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_half_of_ten_windows_of_a_hundred_points() -> None:
    values = torch.zeros(4, 3, 100)
    masked = mask_windows(values, None, 0.5, 10, generator())
    by_window = (masked != 0).view(4, 3, 10, 10)
    whole = by_window.all(dim=3)
    assert torch.equal(whole, by_window.any(dim=3))  # a window is covered wholly or not at all
    assert torch.equal(whole.sum(dim=2), torch.full((4, 3), 5))
    assert torch.equal(whole[:, 0], whole[:, 2])  # in all channels at once
    assert len({tuple(row.tolist()) for row in whole[:, 0]}) > 1  # each series draws its own windows


def test_the_noise_is_fresh_at_every_point_and_channel_and_standard_normal() -> None:
    noise = mask_windows(torch.zeros(50, 4, 100), None, 1.0, 10, generator())
    assert noise.unique().numel() > 0.99 * noise.numel()
    assert noise.mean().item() == pytest.approx(0, abs=0.03)
    assert noise.std().item() == pytest.approx(1, abs=0.03)


def test_the_input_is_left_as_it_was_and_the_rest_is_the_input() -> None:
    values = torch.randn(5, 2, 60, generator=generator(1))
    before = values.clone()
    masked = mask_windows(values, None, 0.3, 10, generator())
    assert torch.equal(values, before)
    covered = covered_timepoints(values, None, 0.3, 10, generator())
    assert torch.equal(covered.sum(dim=1), torch.full((5,), 3 * 6))
    untouched = ~covered[:, None].expand_as(values)
    assert torch.equal(masked[untouched], values[untouched])


def test_a_share_of_nothing_masks_nothing() -> None:
    values = torch.randn(2, 1, 30)
    assert mask_windows(values, None, 0.0, 10, generator()) is values


def test_windows_of_a_length_that_is_no_multiple_of_ten() -> None:
    # 23 points in 10 windows: t * 10 // 23 begins a window at 0, 3, 5, 7, 10, 12, 14, 17, 19, 21.
    starts = [0, 3, 5, 7, 10, 12, 14, 17, 19, 21, 23]
    covered = covered_timepoints(torch.zeros(200, 1, 23), None, 0.5, 10, generator())
    for row in covered:
        windows = [row[low:high] for low, high in itertools.pairwise(starts)]
        assert all(window.all() or not window.any() for window in windows)
        assert sum(bool(window.all()) for window in windows) == 5
    assert covered.any(dim=0).all()  # the last points too are covered at times


def test_a_series_shorter_than_the_windows_has_one_a_point() -> None:
    covered = covered_timepoints(torch.zeros(100, 1, 4), None, 0.5, 10, generator())
    assert torch.equal(covered.sum(dim=1), torch.full((100,), 2))
    assert len({tuple(row.tolist()) for row in covered}) == 6  # all choices of two of four


def test_padding_is_never_touched_and_changes_nothing() -> None:
    mask = torch.zeros(2, 200, dtype=torch.bool)
    mask[0, :50], mask[1, :200] = True, True
    covered = covered_timepoints(torch.zeros(2, 1, 200), mask, 0.5, 10, generator())
    assert torch.equal(covered.sum(dim=1), torch.tensor([25, 100]))
    assert not covered[0, 50:].any()
    alone = covered_timepoints(torch.zeros(2, 1, 50), mask[:, :50], 0.5, 10, generator())
    assert torch.equal(alone[0], covered[0, :50])


@settings(deadline=None)
@given(
    length=st.integers(1, 120), n_windows=st.integers(1, 12), share=st.floats(0.01, 1), seed=st.integers(0, 2**32 - 1)
)
def test_the_share_covered_is_right_to_a_window(length: int, n_windows: int, share: float, seed: int) -> None:
    covered = covered_timepoints(torch.zeros(1, 1, length), None, share, n_windows, generator(seed))
    windows = min(n_windows, length)
    largest = -(-length // windows)
    smallest = length // windows
    chosen = round(windows * share)
    assert chosen * smallest <= covered.sum() <= chosen * largest


def test_a_shifted_series_begins_elsewhere_and_keeps_its_order() -> None:
    series = torch.stack([torch.arange(50.0), 100 + torch.arange(50.0)])
    values = series.expand(200, 2, 50)
    moved = shifted(values, None, generator())
    begins = moved[:, 0, 0].long()
    for one, begin in zip(moved, begins, strict=True):
        assert torch.equal(one, torch.roll(series, -int(begin), dims=1))  # all channels together
    assert begins.min() == 0
    assert begins.max() == 49
    assert len(set(begins.tolist())) > 40  # each series draws its own


def test_what_is_not_observed_is_not_shifted() -> None:
    values = torch.arange(8.0).expand(50, 1, 8)
    mask = torch.tensor([False, True, True, False, True, True, False, False]).expand(50, 8)
    moved = shifted(values, mask, generator())
    assert torch.equal(moved[:, 0, ~mask[0]], values[:, 0, ~mask[0]])
    seen = {tuple(row.tolist()) for row in moved[:, 0, mask[0]]}
    assert seen == {(1, 2, 4, 5), (2, 4, 5, 1), (4, 5, 1, 2), (5, 1, 2, 4)}


def test_a_series_is_shifted_the_same_with_and_without_padding_behind_it() -> None:
    values = torch.randn(4, 3, 20, generator=generator(1))
    alone = shifted(values, None, generator())
    padded = torch.cat([values, torch.zeros(4, 3, 7)], dim=2)
    mask = torch.arange(27).expand(4, 27) < 20
    assert torch.equal(shifted(padded, mask, generator())[:, :, :20], alone)
