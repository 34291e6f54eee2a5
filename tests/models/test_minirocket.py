"""MiniRocket: its logits are sums over values, exactly; and they are what its features and its ridge say."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.data.synthetic import pulse_set
from timemil_core.errors import SettingsError
from timemil_core.explain.importance import explain
from timemil_core.exploring import own_model
from timemil_core.models.minirocket.config import N_KERNELS, MiniRocketConfig
from timemil_core.models.minirocket.fitting import fit_minirocket
from timemil_core.models.minirocket.network import KERNELS, MiniRocketNetwork, over_the_difference, over_the_taps


def _quiet(done: int, of: int) -> None:
    assert done <= of


def noise(n_series: int, n_channels: int, n_timepoints: int) -> tuple[list[FloatArray], IntArray]:
    rng = np.random.default_rng(n_channels)
    series = [rng.normal(size=(n_channels, n_timepoints)).astype(np.float32) for _ in range(n_series)]
    return series, np.arange(n_series) % 3


@pytest.fixture(scope="module")
def fitted() -> MiniRocketNetwork:
    return fit_minirocket(*noise(12, 3, 40), 3, 0, _quiet)


def test_each_kernel_sums_to_nothing_and_all_differ() -> None:
    assert KERNELS.shape == (84, 9)
    assert torch.equal(KERNELS.sum(dim=1), torch.zeros(84))
    assert len({tuple(kernel.tolist()) for kernel in KERNELS}) == 84


@pytest.mark.parametrize("n_timepoints", [1, 2, 7, 40, 41, 90])
def test_the_contributions_sum_to_the_logits(fitted: MiniRocketNetwork, n_timepoints: int) -> None:
    series = torch.randn(1, 3, n_timepoints, generator=torch.Generator().manual_seed(n_timepoints))
    parts, rest = fitted.time_contributions(series)
    assert parts.shape == (3, 3, n_timepoints)
    torch.testing.assert_close(parts.sum((1, 2)) + rest, fitted(series)[0].double(), atol=2e-4, rtol=1e-4)


def test_a_feature_is_the_share_of_responses_above_its_threshold(fitted: MiniRocketNetwork) -> None:
    series = torch.randn(2, 3, 40, generator=torch.Generator().manual_seed(5))
    block = next(one for one in fitted.blocks if one.dilation == 2 and one.view == 0)
    features = fitted.features(series)[:, block.features].view(2, N_KERNELS, block.n_biases)
    thresholds = fitted.thresholds[block.features].view(N_KERNELS, block.n_biases)
    for kernel in (0, 1, 50):
        summed = (series * fitted.members[block.place, kernel][None, :, None]).sum(dim=1).numpy()
        reach = 4 * block.dilation
        around = np.pad(summed, ((0, 0), (reach, reach)))
        taps = [slice(t, t + 8 * block.dilation + 1, block.dilation) for t in range(40)]
        response = np.array([[row[own] @ KERNELS[kernel].numpy() for own in taps] for row in around])
        counted = response if (kernel + block.place) % 2 == 0 else response[:, reach : 40 - reach]
        expected = (counted[:, None, :] > thresholds[kernel].numpy()[None, :, None]).mean(axis=-1)
        np.testing.assert_allclose(features[:, kernel], expected, atol=0.03)  # a response may lie at its threshold


def test_a_series_is_predicted_the_same_alone_and_among_others(fitted: MiniRocketNetwork) -> None:
    series = torch.randn(5, 3, 40, generator=torch.Generator().manual_seed(1))
    together = fitted(series)
    alone = torch.cat([fitted(one[None]) for one in series])
    torch.testing.assert_close(together, alone, atol=1e-4, rtol=1e-4)
    mask = torch.ones(5, 40, dtype=torch.bool)
    mask[:, 30:] = False
    torch.testing.assert_close(fitted(series, mask), fitted(series[:, :, :30]), atol=1e-4, rtol=1e-4)


def test_the_same_seed_gives_the_same_network() -> None:
    series, labels = noise(9, 2, 30)
    one, same, other = (fit_minirocket(series, labels, 3, seed, _quiet) for seed in (4, 4, 5))
    assert torch.equal(one.weights, same.weights)
    assert not torch.equal(one.thresholds, other.thresholds)


@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 29))
def test_what_is_spread_over_the_taps_stays_in_sum_and_near(n: int, dilation: int, place: int) -> None:
    added = torch.zeros(n, dtype=torch.float64)
    added[place % n] = 1.0
    spread = over_the_taps(added, dilation)
    assert spread.sum().item() == pytest.approx(1)
    assert (spread >= 0).all()
    far = (torch.arange(n) - place % n).abs() > 4 * dilation
    assert spread[far].sum() == 0
    assert over_the_difference(added).sum().item() == pytest.approx(1)


def test_the_exact_map_finds_a_pulse_and_the_random_control_does_not() -> None:
    whole = pulse_set(30, 10, seed=0)
    train, test = whole.part("train"), whole.part("test")
    network = fit_minirocket(train.series, train.labels, 2, 0, _quiet)
    model = own_model(lambda series: np.full((len(series), 2), 0.5), train)
    object.__setattr__(model, "network", network)
    index = next(i for i, truth in enumerate(test.instance_labels or ()) if truth.any())
    importance = explain(model, test.series[index], "exact-contribution", int(test.labels[index]))
    assert importance.per_channel is not None
    assert importance.total == pytest.approx(importance.values.sum() + importance.parts["the intercept"])
    truth = (test.instance_labels or ())[index]
    assert importance.values[truth].mean() > 3 * importance.values[~truth].mean()


def test_settings_survive_json_and_nonsense_is_refused() -> None:
    config = MiniRocketConfig.for_series(2, 3, 100)
    assert MiniRocketConfig.from_json(config.to_json()) == config
    assert 9_000 < config.n_features <= 10_000
    with pytest.raises(SettingsError):
        MiniRocketConfig.from_json({**config.to_json(), "dilations": [0]})
    with pytest.raises(SettingsError):
        MiniRocketConfig.from_json({**config.to_json(), "n_biases": [1]})
