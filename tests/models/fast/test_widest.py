"""The largest of three neighbours, and which of them its gradient goes to, are those of PyTorch's pooling."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.functional import max_pool1d

from timemil_core.models.fast.widest import widest_of_three

LENGTHS = [1, 2, 3, 4, 9, 50]


def pooled(features: Tensor) -> Tensor:
    return max_pool1d(features, 3, stride=1, padding=1)


@pytest.mark.parametrize("n_timepoints", LENGTHS)
def test_largest_of_three(n_timepoints: int) -> None:
    torch.manual_seed(0)
    features = torch.randn(2, 4, n_timepoints)
    assert torch.equal(widest_of_three(features), pooled(features))


@pytest.mark.parametrize("n_timepoints", LENGTHS)
@pytest.mark.parametrize("n_values", [2, 3, 1000])
def test_gradient_with_and_without_equal_neighbours(n_timepoints: int, n_values: int) -> None:
    torch.manual_seed(0)
    features = torch.randint(n_values, (3, 4, n_timepoints)).double().requires_grad_()
    weight = torch.randn(3, 4, n_timepoints, dtype=torch.float64)
    (ours,) = torch.autograd.grad((widest_of_three(features) * weight).sum(), features)
    (theirs,) = torch.autograd.grad((pooled(features) * weight).sum(), features)
    torch.testing.assert_close(ours, theirs)


def test_only_the_features_are_kept() -> None:
    kept: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        kept.append(tensor)
        return tensor

    features = torch.randn(2, 3, 50, requires_grad=True)
    with saved_tensors_hooks(pack, lambda tensor: tensor):
        widest_of_three(features)
    assert [one.data_ptr() for one in kept] == [features.data_ptr()]
