from __future__ import annotations

import pytest
import torch

from timemil_core.errors import DataError
from timemil_core.models.networks.mlstm_fcn import MLSTMFCN, MLSTMFCNConfig, SqueezeAndExcite


def network(n_channels: int, n_timepoints: int) -> MLSTMFCN:
    return MLSTMFCN(MLSTMFCNConfig(n_channels, 2, "mlstm-fcn", n_timepoints, n_cells=4)).eval()


def test_it_reads_channels_where_they_are_fewer_than_time_points() -> None:
    assert network(3, 20).lstm.input_size == 20
    assert network(20, 20).lstm.input_size == 20
    assert not network(20, 20).shuffled
    assert network(30, 20).lstm.input_size == 30


def test_a_series_longer_than_its_vectors_is_refused() -> None:
    with pytest.raises(DataError, match="21 time points, and this network is made for at most 20"):
        network(3, 20)(torch.randn(1, 3, 21))
    assert network(30, 20)(torch.randn(1, 30, 25)).shape == (1, 2)


def test_filters_are_weighed_by_their_observed_means() -> None:
    excite = SqueezeAndExcite(16)
    torch.nn.init.constant_(excite.squeeze.weight, 1 / 16)
    torch.nn.init.constant_(excite.excite.weight, 1.0)
    features = torch.full((1, 16, 3), 2.0)
    features[..., 2] = 100.0
    mask = torch.tensor([[True, True, False]])
    share = 1 / (1 + torch.exp(torch.tensor(-2.0)))  # the mean over filters of the mean over time is 2
    torch.testing.assert_close(excite(features, mask), features * share)
