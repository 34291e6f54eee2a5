import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models import naive
from timemil_core.models.attention import NystromAttention, pseudo_inverse, segments


def nystrom(
    query: torch.Tensor, key: torch.Tensor, mask: torch.Tensor | None, n_landmarks: int, n_iterations: int
) -> NystromAttention:
    """The map of queries that are scaled already, as the definition takes them."""
    return NystromAttention(query * query.shape[-1] ** 0.5, key, mask, n_landmarks, n_iterations)


def dense(attention: NystromAttention) -> np.ndarray:
    return attention.rows(attention.query).numpy()


def query_and_key(n: int, seed: int = 0, n_series: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    shape = (n_series, 3, n, 4)
    query, key = (torch.randn(shape, generator=generator, dtype=torch.float64) for _ in range(2))
    return query, key


def test_segments_by_hand() -> None:
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 1, 1]]).bool()
    assert segments(mask, 3).tolist() == [[0, 0, 1, 1, 2, 2, 3], [0, 1, 3, 3, 3, 3, 3], [3, 0, 0, 3, 1, 1, 2]]


@given(n=st.integers(1, 60), n_landmarks=st.integers(1, 80))
def test_segments_are_even_and_in_order(n: int, n_landmarks: int) -> None:
    segment = segments(torch.ones(1, n, dtype=torch.bool), n_landmarks)[0]
    counts = torch.bincount(segment)
    assert len(counts) == min(n, n_landmarks)
    assert counts.max() - counts.min() <= 1
    assert segment.diff().ge(0).all()


@settings(deadline=None, max_examples=30)
@given(n=st.integers(1, 40), n_landmarks=st.integers(1, 12), n_padding=st.integers(0, 30), seed=st.integers(0, 99))
def test_equals_its_definition_padded_or_not(n: int, n_landmarks: int, n_padding: int, seed: int) -> None:
    query, key = query_and_key(n, seed)
    expected = [naive.nystrom_map(q, k, n_landmarks, 6) for q, k in zip(query.numpy(), key.numpy(), strict=True)]
    rubbish = torch.full((2, 3, n_padding, 4), 30.0, dtype=torch.float64)
    padded = [torch.cat([tensor, rubbish], dim=2) for tensor in (query, key)]
    mask = (torch.arange(n + n_padding) < n).expand(2, -1)
    ours = dense(nystrom(*padded, mask, n_landmarks, 6))
    np.testing.assert_allclose(ours[..., :n, :n], expected, atol=1e-9)
    assert (ours[..., n:] == 0).all()


def test_equals_its_definition_with_gaps_in_the_mask() -> None:
    query, key = query_and_key(11, n_series=1)
    mask = torch.tensor([[1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0]]).bool()
    seen = mask[0].numpy()
    expected = naive.nystrom_map(query[0].numpy()[:, seen], key[0].numpy()[:, seen], 3, 6)
    ours = dense(nystrom(query, key, mask, 3, 6))[0]
    np.testing.assert_allclose(ours[:, seen][:, :, seen], expected, atol=1e-10)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_with_a_landmark_a_token_it_is_exact_attention(n: int) -> None:
    query, key = query_and_key(n)
    ours = dense(nystrom(query, key, None, n, 40))
    np.testing.assert_allclose(ours, naive.softmax(query.numpy() @ key.numpy().swapaxes(2, 3)), atol=1e-8)


def test_rows_sum_to_one_once_the_inverse_has_converged() -> None:
    query, key = query_and_key(50)
    ours = dense(nystrom(query, key, None, 6, 40))
    np.testing.assert_allclose(ours.sum(axis=-1), 1, atol=1e-8)
    assert ours.min() < 0  # and yet they are no probabilities


def test_pseudo_inverse_converges_to_the_inverse() -> None:
    generator = torch.Generator().manual_seed(0)
    matrix = torch.randn(2, 3, 5, 5, generator=generator, dtype=torch.float64).softmax(dim=-1)
    np.testing.assert_allclose(pseudo_inverse(matrix, 40).numpy(), np.linalg.inv(matrix.numpy()), rtol=1e-6, atol=1e-8)


def test_pseudo_inverse_is_scaled_per_matrix() -> None:
    """The authors' code scales by a maximum over the batch: a batch mate of another size changed the result."""
    generator = torch.Generator().manual_seed(0)
    matrix = torch.rand(1, 1, 4, 4, generator=generator, dtype=torch.float64)
    mate = 100 * torch.rand(1, 1, 4, 4, generator=generator, dtype=torch.float64)
    for together in (torch.cat([matrix, mate]), torch.cat([matrix, mate], dim=1)):
        torch.testing.assert_close(pseudo_inverse(together, 3)[:1, :1], pseudo_inverse(matrix, 3), rtol=1e-12, atol=0)


def test_what_it_mixes_its_row_and_left_multiply_are_one_map() -> None:
    query, key = query_and_key(17)
    attention = nystrom(query, key, None, 5, 6)
    whole = torch.from_numpy(dense(attention))
    values = torch.randn(2, 3, 17, 4, dtype=torch.float64)
    row = torch.rand(2, 17, dtype=torch.float64)
    torch.testing.assert_close(attention.mixed(values), whole @ values)
    torch.testing.assert_close(attention.row(), whole[:, :, 0])
    torch.testing.assert_close(attention.left_multiply(row), torch.einsum("bn,bnm->bm", row, whole.mean(dim=1)))


@pytest.mark.parametrize("n_landmarks", [2, 7])
def test_gradients_with_a_mask(n_landmarks: int) -> None:
    generator = torch.Generator().manual_seed(0)
    query, key, value = (torch.randn(2, 1, 6, 2, generator=generator, dtype=torch.float64) for _ in range(3))
    mask = torch.ones(2, 6, dtype=torch.bool)
    mask[1, 4:] = False

    def output(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return nystrom(query, key, mask, n_landmarks, 6).mixed(value)[mask[:, None].expand(2, 1, 6)]

    assert torch.autograd.gradcheck(output, [tensor.requires_grad_() for tensor in (query, key, value)])
