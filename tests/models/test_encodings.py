import math

import numpy as np
import pytest
import torch
from scipy.signal import correlate

from tests.models.builders import small_config
from timemil_core.models.encodings import ENCODINGS, WaveletEncoding, build_encoding


@pytest.mark.parametrize("n_timepoints", [1, 2, 30])
def test_one_convolution_is_the_sum_of_three(n_timepoints: int) -> None:
    torch.manual_seed(0)
    encoding = WaveletEncoding(width=4, n_wavelets=3, size=7, projection=False).double()
    instances = torch.randn(2, n_timepoints, 4, dtype=torch.float64)
    kernels = encoding.wavelets.kernels().detach().numpy()
    # As in the wavelet transform, the kernel is laid over the signal unturned: psi_{a,b} at t looks at t + b.
    expected = np.zeros(instances.shape)
    for series in range(2):
        for feature in range(4):
            signal = np.pad(instances[series, :, feature].numpy(), 3)
            for wavelet in range(3):
                expected[series, :, feature] += correlate(signal, kernels[wavelet, feature], mode="valid")
    np.testing.assert_allclose(encoding.added(instances).detach().numpy(), expected, atol=1e-12)
    np.testing.assert_allclose(encoding(instances).detach().numpy(), instances.numpy() + expected, atol=1e-12)


def test_another_kernel_adds_what_it_finds() -> None:
    encoding = WaveletEncoding(width=2, n_wavelets=3, size=3, projection=False)
    instances = torch.tensor([[[1.0, 5.0], [2.0, 6.0], [4.0, 7.0]]])
    kernel = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # the next instance, and the one before
    expected = torch.tensor([[[2.0, 0.0], [4.0, 5.0], [0.0, 6.0]]])
    torch.testing.assert_close(encoding.added_by(kernel, instances), expected, atol=1e-6, rtol=0)
    assert encoding.added_by(torch.zeros(2, 3), instances).abs().max() < 1e-6


def test_projection_is_a_linear_map_of_the_sum() -> None:
    torch.manual_seed(0)
    projected = WaveletEncoding(width=4, n_wavelets=3, size=7, projection=True)
    plain = WaveletEncoding(width=4, n_wavelets=3, size=7, projection=False)
    plain.wavelets.load_state_dict(projected.wavelets.state_dict())
    instances = torch.randn(2, 9, 4)
    torch.testing.assert_close(projected.added(instances), projected.projection(plain.added(instances)))


def test_sinusoidal_by_hand() -> None:
    instances = torch.zeros(1, 3, 4)
    table = build_encoding(small_config(positional_encoding="sinusoidal")).added(instances)[0]
    expected = [[math.sin(t), math.cos(t), math.sin(t / 100), math.cos(t / 100)] for t in range(3)]
    torch.testing.assert_close(table, torch.tensor(expected))


def test_no_encoding_changes_nothing() -> None:
    encoding = build_encoding(small_config(positional_encoding="none"))
    instances = torch.randn(2, 5, 8)
    assert encoding.added(instances).eq(0).all()
    assert encoding(instances).equal(instances)


@pytest.mark.parametrize("name", ENCODINGS)
def test_padding_neither_gives_nor_takes(name: str) -> None:
    torch.manual_seed(0)
    encoding = build_encoding(small_config(positional_encoding=name, wavelet_projection=True))
    instances = torch.randn(1, 6, 8)
    padded = torch.cat([instances, torch.full((1, 5, 8), 1e3)], dim=1)
    mask = torch.arange(11)[None] < 6
    added = encoding.added(padded, mask)
    torch.testing.assert_close(added[:, :6], encoding.added(instances))
    assert added[:, 6:].eq(0).all()


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings_know_time(name: str) -> None:
    """Only without an encoding is a shuffled bag the same bag."""
    torch.manual_seed(0)
    encoding = build_encoding(small_config(positional_encoding=name))
    instances = torch.randn(1, 6, 8)
    order = torch.tensor([3, 1, 5, 0, 2, 4])
    same = torch.allclose(encoding(instances)[:, order], encoding(instances[:, order]), atol=1e-6)
    assert same == (name == "none")
