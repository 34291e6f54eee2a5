"""The kept spectrum of the kernels is that of the weights as they are now."""

import copy

import torch

from tests.training.conftest import one_thread
from timemil_core.models.backbone import InceptionModule
from timemil_core.models.drawing import Building

__all__ = ["one_thread"]  # the spectrum is kept with one thread alone


def _drawn(seed: int) -> InceptionModule:
    with Building(torch.Generator().manual_seed(seed)):
        return InceptionModule(4, 9, (3, 12))


def _module() -> InceptionModule:
    return _drawn(0).eval()


VALUES = torch.randn(16, 4, 120, generator=torch.Generator().manual_seed(1))


def _plainly(module: InceptionModule) -> torch.Tensor:
    return module(VALUES.requires_grad_(), None, None).detach()  # with gradients nothing is kept


def _kept(module: InceptionModule) -> torch.Tensor:
    with torch.inference_mode():
        return module(VALUES.detach(), None, None).clone()


def test_is_what_is_computed_with_gradients() -> None:
    module = _module()
    for _ in range(2):  # made, and kept
        torch.testing.assert_close(_kept(module), _plainly(module), rtol=1e-4, atol=1e-5)


def test_another_weight_is_seen() -> None:
    module = _module()
    before = _kept(module)
    other = _drawn(5)
    module.load_state_dict(other.state_dict())
    after = _kept(module)
    assert (before - after).abs().max() > 0.1
    torch.testing.assert_close(after, _plainly(module), rtol=1e-4, atol=1e-5)


def test_a_weight_that_was_changed_in_training_is_seen() -> None:
    module = _module()
    before = _kept(module)
    module.train()
    module.convolutions[1].weight.data.mul_(-2)  # as a training does: PyTorch counts no change
    module.eval()
    after = _kept(module)
    assert (before - after).abs().max() > 0.1
    torch.testing.assert_close(after, _plainly(module), rtol=1e-4, atol=1e-5)


def test_a_copy_has_its_own() -> None:
    module = _module()
    before = _kept(module)
    other = copy.deepcopy(module)
    with torch.no_grad():
        other.convolutions[1].weight.mul_(-2)
    torch.testing.assert_close(_kept(module), before)
    torch.testing.assert_close(_kept(other), _plainly(other), rtol=1e-4, atol=1e-5)
