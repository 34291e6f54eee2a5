import math

import numpy as np
import torch

from timemil_core.models.masking import (
    MaskedBatchNorm,
    hold_observed,
    masked_mean,
    masked_softmax,
    nearest_observed,
)


def test_nearest_observed_by_hand() -> None:
    mask = torch.tensor([[1, 1, 1, 0, 0], [0, 0, 1, 0, 1], [1, 0, 0, 0, 0]]).bool()
    assert nearest_observed(mask).tolist() == [[0, 1, 2, 2, 2], [2, 2, 2, 2, 4], [0, 0, 0, 0, 0]]


def test_hold_observed_repeats_the_edge() -> None:
    features = torch.tensor([[[1.0, 2.0, 9.0, 9.0], [3.0, 4.0, 9.0, 9.0]]])
    index = nearest_observed(torch.tensor([[True, True, False, False]]))
    assert hold_observed(features, index).tolist() == [[[1, 2, 2, 2], [3, 4, 4, 4]]]
    assert hold_observed(features, None) is features


def test_batch_norm_statistics_by_hand() -> None:
    norm = MaskedBatchNorm(1).train()
    features = torch.tensor([[[1.0, 2.0, 1e4]], [[3.0, 6.0, 8.0]]])
    mask = torch.tensor([[True, True, False], [True, True, True]])
    normalised = norm(features, mask)
    # observed 1, 2, 3, 6, 8: mean 4, variance (9 + 4 + 1 + 4 + 16) / 5 = 6.8, unbiased 34 / 4 = 8.5
    expected = (np.array([1, 2, 3, 6, 8]) - 4) / np.sqrt(6.8 + 1e-5)
    np.testing.assert_allclose(normalised.transpose(1, 2)[mask][:, 0].detach(), expected, rtol=1e-6)
    assert normalised[0, 0, 2] == 0
    np.testing.assert_allclose(norm.running_mean, [0.1 * 4], rtol=1e-6)
    np.testing.assert_allclose(norm.running_var, [0.9 + 0.1 * 8.5], rtol=1e-6)


def test_batch_norm_without_padding_is_torchs() -> None:
    torch.manual_seed(0)
    ours, theirs = MaskedBatchNorm(3).train(), torch.nn.BatchNorm1d(3).train()
    features = torch.randn(4, 3, 7)
    torch.testing.assert_close(ours(features, torch.ones(4, 7, dtype=torch.bool)), theirs(features))
    torch.testing.assert_close(ours.running_var, theirs.running_var)


def test_batch_norm_in_eval_ignores_the_batch() -> None:
    norm = MaskedBatchNorm(1).eval()
    norm.running_mean.fill_(2.0)
    norm.running_var.fill_(4.0)
    out = norm(torch.tensor([[[4.0, 100.0]]]), torch.tensor([[True, False]]))
    torch.testing.assert_close(out[0, 0, 0], torch.tensor(2 / (4 + 1e-5) ** 0.5))


def test_batch_norm_of_one_observation_uses_what_was_learned() -> None:
    norm = MaskedBatchNorm(1).train()
    norm.running_mean.fill_(2.0)
    norm.running_var.fill_(4.0)
    for features, mask in (
        (torch.tensor([[[4.0]]]), None),
        (torch.tensor([[[4.0, 7.0]]]), torch.tensor([[True, False]])),
    ):
        torch.testing.assert_close(norm(features, mask)[0, 0, 0], torch.tensor(2 / (4 + 1e-5) ** 0.5))
    assert norm.running_mean.item() == 2
    assert norm.running_var.item() == 4


def test_masked_mean_by_hand() -> None:
    instances = torch.tensor([[[1.0, 10.0], [3.0, 20.0], [1e6, 1e6]]])
    assert masked_mean(instances, torch.tensor([[True, True, False]])).tolist() == [[2, 15]]
    assert masked_mean(instances[:, :2], None).tolist() == [[2, 15]]


def test_masked_softmax_by_hand() -> None:
    scores = torch.tensor([[0.0, math.log(3), 1e9]])
    weights = masked_softmax(scores, torch.tensor([[True, True, False]]))
    torch.testing.assert_close(weights, torch.tensor([[0.25, 0.75, 0.0]]))
    assert weights[0, 2] == 0
