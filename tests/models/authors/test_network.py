from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.models.authors import naive
from tests.models.authors.builders import checkpoint
from timemil_core.errors import ModelError
from timemil_core.models.authors.importing import import_network


def series(n_series: int, n_timepoints: int, n_channels: int = 3, seed: int = 0) -> Tensor:
    return torch.randn(n_series, n_channels, n_timepoints, generator=torch.Generator().manual_seed(seed))


def relative_difference(ours: Tensor, theirs: naive.Array) -> float:
    return float(np.abs(ours.detach().double().numpy() - theirs).max() / np.abs(theirs).max())


def as_theirs(values: Tensor) -> naive.Array:
    return values.double().numpy().transpose(0, 2, 1)


@pytest.mark.parametrize("n_timepoints", [1, 8, 20, 21, 23, 100, 131])
@pytest.mark.parametrize("grad", [True, False])
def test_a_batch_is_classified_as_by_their_code(tmp_path: Path, n_timepoints: int, grad: bool) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth")
    network = import_network(tmp_path / "best_model.pth", scaling="batch")
    values = series(5, n_timepoints)
    with torch.set_grad_enabled(grad):
        ours = network(values)
    assert relative_difference(ours, naive.logits(tensors, as_theirs(values))) < 1e-4


@pytest.mark.parametrize(("n_channels", "width", "seed"), [(1, 16, 1), (2, 24, 2), (6, 128, 3)])
def test_other_sizes(tmp_path: Path, n_channels: int, width: int, seed: int) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth", n_channels=n_channels, width=width, seed=seed, n_classes=2)
    network = import_network(tmp_path / "best_model.pth", scaling="batch")
    values = series(3, 70, n_channels, seed)
    with torch.inference_mode():
        assert relative_difference(network(values), naive.logits(tensors, as_theirs(values))) < 1e-4


def test_a_series_is_classified_as_their_code_classifies_it_alone(tmp_path: Path) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth", seed=4)
    network = import_network(tmp_path / "best_model.pth")
    values = series(6, 50) * torch.tensor([0.1, 1, 1, 3, 10, 30])[:, None, None]
    alone = np.concatenate([naive.logits(tensors, one[None]) for one in as_theirs(values)])
    together = naive.logits(tensors, as_theirs(values))
    with torch.inference_mode():
        assert relative_difference(network(values), alone) < 1e-4
        in_batch = network.with_scaling("batch")(values)
    assert relative_difference(in_batch, together) < 1e-4
    assert np.abs(alone - together).max() / np.abs(together).max() > 1e-3  # so the two are told apart


def test_unequal_lengths_stand_behind_zeros(tmp_path: Path) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth", seed=6)
    network = import_network(tmp_path / "best_model.pth", front_padded_to=29)
    for n_timepoints in (7, 20, 29, 40):
        values = series(1, n_timepoints, seed=n_timepoints)
        padded = np.pad(as_theirs(values), ((0, 0), (max(0, 29 - n_timepoints), 0), (0, 0)))
        with torch.inference_mode():
            assert relative_difference(network(values), naive.logits(tensors, padded)) < 1e-4


def test_zeros_of_the_loader_and_of_the_extractor_add_up(tmp_path: Path) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth", seed=6)
    network = import_network(tmp_path / "best_model.pth", front_padded_to=12)
    assert network.config.zeros_around(7) == (5 + 4, 5)
    values = series(2, 7)
    padded = np.pad(as_theirs(values), ((0, 0), (5, 0), (0, 0)))
    with torch.inference_mode():
        alone = np.concatenate([naive.logits(tensors, one[None]) for one in padded])
        assert relative_difference(network(values), alone) < 1e-4


def test_what_is_drawn_is_of_the_series_own_time_points(tmp_path: Path) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth")
    network = import_network(tmp_path / "best_model.pth")
    values = series(2, 8)
    with torch.inference_mode():
        output = network.detailed(values)
        assert output.logits.equal(network(values))
    features = np.stack([naive.extract(naive.Weights(tensors), one.numpy().astype(float)).T for one in values])
    before = (21 - 8) // 2
    np.testing.assert_allclose(output.instances.numpy(), features[:, before : before + 8], rtol=1e-3, atol=1e-4)
    assert output.weights.instances.shape == (2, 8)
    assert [tuple(row.shape) for row in output.weights.class_token_rows] == [(2, 8, 9)] * 2
    torch.testing.assert_close(output.weights.class_token_rows[-1].mean(dim=1)[:, 1:], output.weights.instances)


def test_the_class_tokens_row_and_its_weight_on_the_zeros(tmp_path: Path) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth", seed=8)
    network = import_network(tmp_path / "best_model.pth")
    attention = network.pooling.layers.layers[0].attention
    tokens = torch.randn(1, 22, 16, generator=torch.Generator().manual_seed(1))
    weights = tensors["layer1.attn.to_qkv.weight"].double().numpy()
    x = np.pad(tokens[0].double().numpy(), ((-22 % 8, 0), (0, 0)))
    q, k, _ = (x @ weights.T).reshape(24, 3, 8, 2).transpose(1, 2, 0, 3)
    q = q / np.sqrt(2)
    few_q, few_k = (one.reshape(8, 8, 3, 2).mean(axis=2) for one in (q, k))
    a, b, c = (naive.softmax(one @ other.swapaxes(-1, -2)) for one, other in ((q, few_k), (few_q, few_k), (few_q, k)))
    row = (a @ naive.inverse(b) @ c)[:, 2]  # behind two zeros stands the class token
    with torch.inference_mode():
        whole = attention.map_of(tokens, None)
        np.testing.assert_allclose(whole.row()[0], row[:, 2:], atol=1e-5)
        np.testing.assert_allclose(whole.weight_on_padding()[0], row[:, :2].sum(axis=1), atol=1e-5)
        carried = whole.left_multiply(torch.eye(22)[:1])
    np.testing.assert_allclose(carried[0], row[:, 2:].mean(axis=0), atol=1e-5)


def test_a_mask_is_refused(tmp_path: Path) -> None:
    checkpoint(tmp_path / "best_model.pth")
    network = import_network(tmp_path / "best_model.pth")
    mask = torch.ones(2, 30, dtype=torch.bool)
    values = series(2, 30)
    with torch.inference_mode():
        assert network(values, mask).equal(network(values))
        mask[1, 20:] = False
        with pytest.raises(ModelError, match="no mask"):
            network(values, mask)


def test_a_negative_scale_is_that_of_its_size(tmp_path: Path) -> None:
    tensors = checkpoint(tmp_path / "best_model.pth")
    network = import_network(tmp_path / "best_model.pth")
    bank = network.pooling.layers.layers[1].encoding.wavelets
    assert (bank.signed_scales < 0).any()
    kernels = [naive.mexican_hat(*tensors[name].double().numpy()[..., 0]) for name in ("wave1_", "wave2_", "wave3_")]
    np.testing.assert_allclose(bank.kernels().detach(), np.stack(kernels), rtol=1e-4, atol=1e-5)
    assert (bank.scales > 0).all()
