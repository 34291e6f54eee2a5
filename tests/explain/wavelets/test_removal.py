"""Models without some of their wavelets: what is taken, and that nothing else changes."""

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.errors import ModelError
from timemil_core.explain.wavelets import (
    Removal,
    encoding_of_series,
    every_kernel,
    every_part,
    learned_wavelets,
    without,
)
from timemil_core.models.fingerprint import weights_fingerprint

SERIES = [build_series(seed=seed) for seed in range(3)]


@pytest.mark.parametrize(
    ("removal", "title", "counts"),
    [
        (Removal(), "all wavelets", (24, 24)),
        (Removal(1), "layer 2", (0, 24)),
        (Removal(0, 2), "layer 1, wavelet 3", (8, 0)),
        (Removal(0, 2, 5), "layer 1, wavelet 3, feature 6", (1, 0)),
        (Removal(None, 1), "wavelet 2 of all layers", (8, 8)),
    ],
)
def test_what_a_removal_takes(removal: Removal, title: str, counts: tuple[int, int]) -> None:
    assert removal.title == title
    assert tuple(int(removal.takes(layer, 3, 8).sum()) for layer in range(2)) == counts


def test_a_single_kernel_is_taken_from_its_place() -> None:
    taken = Removal(0, 2, 5).takes(0, 3, 8)
    assert taken.nonzero().tolist() == [[2, 5]]


@pytest.mark.parametrize("pooling", ["time-aware", "mean", "attention", "conjunctive"])
def test_without_a_kernel_the_encoding_lacks_what_it_adds(pooling: str) -> None:
    model, series = build_model(pooling=pooling), SERIES[0]
    whole = encoding_of_series(model, series)[0].added
    network = without(model, Removal(0, 1, 3)).network
    encoding = network.pooling.layers.layers[0].encoding if pooling == "time-aware" else network.pooling.encoding
    before = torch.from_numpy(encoding_of_series(model, series)[0].before)[None]
    less = encoding.added(before)[0].numpy()
    kernel = learned_wavelets(model)[0].kernels[1, 3]
    lacking = np.correlate(np.pad(before[0, :, 3].numpy(), 9), kernel, "valid")
    np.testing.assert_allclose(whole[:, 3] - less[:, 3], lacking, atol=1e-4)
    others = np.arange(8) != 3
    np.testing.assert_allclose(whole[:, others], less[:, others], atol=1e-4)


def test_without_any_wavelet_it_says_what_a_model_without_encoding_says() -> None:
    model = build_model()
    bare = build_model(positional_encoding="none")
    weights = {name: value for name, value in model.network.state_dict().items() if ".encoding." not in name}
    bare.network.load_state_dict(weights)
    said = without(model, Removal()).predict(SERIES).logits
    np.testing.assert_allclose(said, bare.predict(SERIES).logits, atol=1e-4)
    assert np.abs(said - model.predict(SERIES).logits).max() > 0.01


def test_the_model_stays_as_it_is() -> None:
    model = build_model()
    before, said = weights_fingerprint(model.network), model.predict(SERIES).logits
    other = without(model, Removal(0))
    assert weights_fingerprint(model.network) == before
    np.testing.assert_array_equal(model.predict(SERIES).logits, said)
    assert other.fingerprint != model.fingerprint
    assert not any(module.training for module in other.network.modules())


@pytest.mark.parametrize("encoding", ["none", "sinusoidal"])
def test_there_has_to_be_something_to_remove(encoding: str) -> None:
    with pytest.raises(ModelError, match="no wavelets"):
        without(build_model(positional_encoding=encoding), Removal())


def test_lists_of_removals() -> None:
    layers = learned_wavelets(build_model())
    kernels = every_kernel(layers, 1)
    assert len(kernels) == 24 and kernels[8] == Removal(1, 1, 0) and kernels[9] == Removal(1, 1, 1)
    titles = [removal.title for removal in every_part(layers)]
    assert titles[:3] == ["all wavelets", "layer 1", "layer 1, wavelet 1"] and len(titles) == 9
    alone = every_part(learned_wavelets(build_model(pooling="mean")))
    assert alone[0].title == "layer 1" and len(alone) == 4
