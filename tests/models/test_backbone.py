import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from tests.models.builders import batch
from timemil_core.models.backbone import KERNEL_SIZES, InceptionModule, InceptionTimeBackbone
from timemil_core.models.fast.convolutions import same_padding


@pytest.mark.parametrize("size", [1, 2, 3, *KERNEL_SIZES])
@pytest.mark.parametrize("n_timepoints", [1, 5, 60])
def test_same_padding_is_torchs(size: int, n_timepoints: int) -> None:
    torch.manual_seed(0)
    theirs = nn.Conv1d(2, 3, size, padding="same", padding_mode="replicate")
    values = torch.randn(2, 2, n_timepoints)
    padded = pad(values, same_padding(size), mode="replicate")
    torch.testing.assert_close(nn.functional.conv1d(padded, theirs.weight, theirs.bias), theirs(values))


def by_branches(module: InceptionModule, values: Tensor) -> Tensor:
    """The module in eval mode, each branch by PyTorch's own layers, differentiated by autograd alone."""
    n_timepoints = values.shape[2]
    narrow = module.bottleneck(values)
    branches = []
    for convolution in module.convolutions:
        padded = pad(narrow, same_padding(convolution.kernel_size[0]), mode="replicate")
        branches.append(convolution(padded))
    widest = torch.stack([pad(values, (1, 1), mode="replicate")[..., i : i + n_timepoints] for i in range(3)])
    branches.append(module.pool_projection(widest.amax(dim=0)))
    return module.normalisation(torch.cat(branches, dim=1)).relu()


@pytest.mark.parametrize("n_in", [1, 3])
@pytest.mark.parametrize("n_timepoints", [1, 7, 50, 400])
def test_module_and_its_gradients_are_those_of_its_branches_side_by_side(n_in: int, n_timepoints: int) -> None:
    torch.manual_seed(0)
    module = InceptionModule(n_in, 8).eval().double()
    module.normalisation.running_mean.normal_()
    values = torch.randn(2, n_in, n_timepoints, dtype=torch.float64, requires_grad=True)
    ours, expected = module(values, None, None), by_branches(module, values)
    torch.testing.assert_close(ours, expected)
    inputs = {"values": values, **dict(module.named_parameters())}
    weight = torch.randn_like(expected)
    gradients = [torch.autograd.grad((one * weight).sum(), list(inputs.values())) for one in (ours, expected)]
    for name, mine, plain in zip(inputs, *gradients, strict=True):
        torch.testing.assert_close(mine, plain, msg=name)


@pytest.mark.parametrize("padded_to", [12, 24, 90])
def test_padding_does_not_reach_an_embedding(padded_to: int) -> None:
    torch.manual_seed(0)
    backbone = InceptionTimeBackbone(2, 8).eval()
    series, values, mask = batch([1, 5, 12], padded_to)
    together = backbone(values, mask)
    for row, one in enumerate(series):
        torch.testing.assert_close(together[row, : one.shape[1]], backbone(one[None])[0], atol=1e-5, rtol=1e-5)


def test_training_batch_gives_the_same_embeddings_however_far_it_is_padded() -> None:
    embedded = []
    for padded_to in (12, 40):
        torch.manual_seed(0)
        backbone = InceptionTimeBackbone(2, 8).train()
        _, values, mask = batch([4, 12, 9], padded_to)
        embedded.append((backbone(values, mask)[:, :12][mask[:, :12]], backbone.state_dict()))
    torch.testing.assert_close(embedded[0][0], embedded[1][0], atol=1e-5, rtol=1e-4)
    for name, tensor in embedded[0][1].items():
        torch.testing.assert_close(embedded[1][1][name], tensor, atol=1e-5, rtol=1e-4, msg=name)


def test_shape_and_receptive_field() -> None:
    """An embedding sees 235 time points: 39 more from each of six modules (20 to the right, 19 to the left)."""
    torch.manual_seed(0)
    backbone = InceptionTimeBackbone(1, 8).eval().double()
    values = torch.randn(1, 1, 300, dtype=torch.float64, requires_grad=True)
    embedded = backbone(values)
    assert embedded.shape == (1, 300, 8)
    (gradient,) = torch.autograd.grad(embedded[0, 150].sum(), values)
    seen = (gradient[0, 0].abs() > 1e-9).nonzero()[:, 0]  # Fourier transforms leave rounding elsewhere
    assert 150 - seen.min() <= 6 * 19
    assert seen.max() - 150 <= 6 * 20
    assert seen.max() - seen.min() > 100
