"""PatchTST: patches with the last value repeated; channels meet in the head alone."""

from __future__ import annotations

import torch

from timemil_core.models.networks.patchtst import PatchTST, PatchTSTConfig


def small(n_timepoints: int, n_channels: int = 1, **changes: bool) -> PatchTST:
    sizes = {"n_channels": n_channels, "n_classes": 2, "n_timepoints": n_timepoints}
    return PatchTST(PatchTSTConfig(network="patchtst", patch=4, step=2, **sizes, **changes)).eval()  # type: ignore[arg-type]


def test_patches_cover_the_series_and_repeat_its_last_value() -> None:
    network, seen = small(7, instance_normalisation=True), []
    network.of_patch.register_forward_pre_hook(lambda _, given: seen.append(given[0][0]))
    values = torch.tensor([[[1.0, 2.0, 3.0, 4.0, 5.0, 100.0, 100.0]]])
    network(values, torch.tensor([[True] * 5 + [False] * 2]))
    normal = (torch.arange(1.0, 6.0) - 3) / (2 + 1e-5) ** 0.5
    torch.testing.assert_close(seen[0][0], normal[:4])
    torch.testing.assert_close(seen[0][1], normal[[2, 3, 4, 4]])
    assert network.n_patches == 3
    assert small(8).n_patches == 4  # one more where a patch ends with the series, half of it the last value


def test_channels_do_not_see_each_other() -> None:
    network, values = small(20, n_channels=2), torch.randn(1, 2, 20)
    told: list[torch.Tensor] = []
    network.layers[-1].register_forward_hook(lambda _module, _given, said: told.append(said))
    changed = values.clone()
    changed[:, 1] = torch.randn(20)
    network(values)
    network(changed)
    torch.testing.assert_close(told[0][0], told[1][0])
    assert not torch.allclose(told[0][1], told[1][1])


def test_with_instance_normalisation_the_tokens_do_not_know_the_size() -> None:
    values = torch.randn(1, 1, 20)
    for normalised in (True, False):
        network, told = small(20, instance_normalisation=normalised), []
        network.layers[-1].register_forward_hook(lambda _module, _given, said, told=told: told.append(said))
        network(values)
        network(3 * values + 1)
        assert torch.allclose(told[0], told[1], atol=1e-3) is normalised
