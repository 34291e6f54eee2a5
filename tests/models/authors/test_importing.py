from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.models.authors import naive
from tests.models.authors.builders import checkpoint, state_dict
from timemil_core.errors import ModelError, SettingsError
from timemil_core.estimator import TimeMILClassifier
from timemil_core.models.authors.config import authors_config
from timemil_core.models.authors.importing import as_model, import_network
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.building import build_network, read_config
from timemil_core.models.config import preset
from timemil_core.models.storage import load_model, save_model

FIRST_BLOCK = "feature_extractor.instance_encoder.0"
LENGTHS = [30, 8, 30, 21, 50]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    checkpoint(tmp_path / "best_model.pth")
    return tmp_path / "best_model.pth"


def raw(lengths: list[int], n_channels: int = 3) -> list[np.ndarray]:
    generator = np.random.default_rng(0)
    return [generator.normal(size=(n_channels, length)).astype(np.float32) for length in lengths]


def expected(series: list[np.ndarray], **sizes: int) -> np.ndarray:
    """What their code says of each series alone."""
    tensors = state_dict(**sizes)
    return np.concatenate([naive.logits(tensors, one.T[None].astype(float)) for one in series])


def test_predictions_are_theirs_for_each_series_alone(path: Path) -> None:
    model, series = as_model(import_network(path)), raw(LENGTHS)
    said, theirs = model.predict(series).logits, expected(series)
    assert np.abs(said - theirs).max() < 1e-4 * np.abs(theirs).max()
    np.testing.assert_allclose(model.predict(series[3:]).logits, said[3:], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(model.detailed(series[1]).logits[0], said[1], rtol=1e-4, atol=1e-4)


def test_a_batch_holds_series_of_one_length(path: Path) -> None:
    batches = list(as_model(import_network(path)).batches(raw(LENGTHS)))
    assert [indices for indices, _, _ in batches] == [[1], [3], [0, 2], [4]]
    assert all(mask is None for _, _, mask in batches)


def test_round_trip(path: Path, tmp_path: Path) -> None:
    model = as_model(
        import_network(path, front_padded_to=40), class_names=["a", "b", "c", "d"], facts={"data": "made up"}
    )
    save_model(model, tmp_path / "model")
    assert sorted(file.name for file in (tmp_path / "model").iterdir()) == ["model.json", "weights.safetensors"]
    loaded = load_model(tmp_path / "model")
    assert isinstance(loaded.network, AuthorsTimeMIL)
    assert loaded.network.config == model.network.config
    assert loaded.fingerprint == model.fingerprint
    assert loaded.class_names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(loaded.predict(raw(LENGTHS)).logits, model.predict(raw(LENGTHS)).logits)
    assert not loaded.network.training


def test_the_estimator_opens_it_but_does_not_train_it_again(path: Path, tmp_path: Path) -> None:
    save_model(as_model(import_network(path), class_names=["a", "b", "c", "d"]), tmp_path / "model")
    classifier = TimeMILClassifier.load(tmp_path / "model", device="cpu")
    X = np.stack(raw([30] * 8))
    labels = expected(list(X)).argmax(axis=1)
    assert classifier.predict(X).tolist() == [str(np.array(["a", "b", "c", "d"])[label]) for label in labels]
    with pytest.raises(SettingsError, match="is kept, not trained anew"):
        classifier.clone().fit(X, np.arange(8) % 2)


def test_the_fingerprint_knows_how_series_are_padded(path: Path) -> None:
    prints = {as_model(import_network(path, front_padded_to=length)).fingerprint for length in (None, 30, 40)}
    assert len(prints) == 3


def test_what_the_state_dict_does_not_hold(path: Path) -> None:
    model = as_model(import_network(path))
    assert model.class_names == ("output 1", "output 2", "output 3", "output 4")
    assert model.channel_names == ("channel 1", "channel 2", "channel 3")
    assert model.preparation.normalisation == "none"
    for wrong in ({"class_names": ["a", "b"]}, {"channel_names": ["x", "y", "x"]}):
        with pytest.raises(SettingsError, match=r"the checkpoint has \d (classes|channels)"):
            as_model(import_network(path), **wrong)


def widened(name: str, axis: int = 0) -> Callable[[dict[str, Tensor]], None]:
    def change(content: dict[str, Tensor]) -> None:
        content[name] = torch.cat([content[name], content[name]], dim=axis)

    return change


def filled(name: str, index: tuple[int, ...], value: float) -> Callable[[dict[str, Tensor]], None]:
    def change(content: dict[str, Tensor]) -> None:
        content[name][index] = value

    return change


def without(name: str) -> Callable[[dict[str, Tensor]], None]:
    def change(content: dict[str, Tensor]) -> None:
        del content[name]

    return change


OTHERS: dict[str, tuple[Callable[[dict[str, Tensor]], None], str]] = {
    "no class token": (without("cls_token"), "cls_token is absent"),
    "no second layer": (without("layer2.attn.to_qkv.weight"), "it lacks layer2.attn.to_qkv.weight"),
    "no wavelet": (without("wave3_"), "it lacks wave3_"),
    "another layer": (lambda c: c.update({"layer3.norm.weight": torch.ones(16)}), "also holds layer3.norm.weight"),
    "a wide class token": (widened("cls_token", 2), "shape"),
    "a scalar": (lambda c: c.update({"cls_token": torch.tensor(1.0)}), "cls_token is absent or empty"),
    "a wide embedding": (lambda c: c.update({"cls_token": torch.ones(1, 1, 2**22)}), "embedding_width is 4194304"),
    "an odd embedding": (lambda c: c.update({"cls_token": torch.ones(1, 1, 15)}), "15 features is no multiple of 8"),
    "wide values": (widened("layer1.attn.to_qkv.weight"), "to_query_key_value.weight has the shape .96, 16."),
    "long wavelets": (widened("wave2", 1), "wave2 has the shape"),
    "four rows of wavelets": (widened("wave2", 0), "wave2 has the shape"),
    "other kernels": (
        widened("feature_extractor.instance_encoder.0.inception_modules.1.conv_layers.2.weight", 2),
        "80",
    ),
    "a divergence": (filled("layer1.norm.bias", (2,), float("nan")), "is not finite"),
    "infinite": (filled("_fc2.3.weight", (0, 0), float("inf")), "is not finite"),
    "a scale of zero": (filled("wave1_", (0, 3, 0), 0.0), "wave1_ has a scale so near zero"),
    "a tiny scale": (filled("wave2", (0, 3, 0), 1e-30), "wave2 has a scale so near zero"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_another_architecture(tmp_path: Path, kind: str) -> None:
    change, told = OTHERS[kind]
    content = OrderedDict(state_dict())
    change(content)
    torch.save(content, tmp_path / "best_model.pth")
    with pytest.raises(ModelError, match=told) as caught:
        import_network(tmp_path / "best_model.pth")
    assert str(tmp_path / "best_model.pth") in str(caught.value)
    assert caught.value.remedy


def test_a_network_of_ours_is_another_architecture(tmp_path: Path) -> None:
    config = preset("authors", n_channels=3, n_classes=4, embedding_width=16, head_size=2, n_landmarks=8)
    torch.save(build_network(config).state_dict(), tmp_path / "ours.pth")
    with pytest.raises(ModelError, match="not the state dict of the authors' TimeMIL: cls_token is absent"):
        import_network(tmp_path / "ours.pth")


def test_what_their_arithmetic_does_not_use_may_be_absent(tmp_path: Path) -> None:
    content = state_dict()
    for name in ("alpha", "norm.weight", "pos_layer2.proj_3.bias"):
        del content[name]
    torch.save(content, tmp_path / "best_model.pth")
    assert not import_network(tmp_path / "best_model.pth").training


def test_half_precision_is_read_as_float32(tmp_path: Path) -> None:
    torch.save({name: tensor.half() for name, tensor in state_dict().items()}, tmp_path / "best_model.pth")
    network = import_network(tmp_path / "best_model.pth")
    assert {parameter.dtype for parameter in network.parameters()} == {torch.float32}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"attention": "exact"}, "attention is 'exact'; in the authors' code it is 'nystrom'"),
        ({"pooling": "mean"}, "pooling is 'mean'"),
        ({"n_landmarks": 7}, "n_landmarks is 7"),
        ({"scaling": "none"}, "scaling is 'none'"),
        ({"front_padded_to": 0}, "front_padded_to is 0"),
        ({"front_padded_to": 10**9}, "front_padded_to is"),
        ({"front_padded_to": "29"}, "front_padded_to is '29'"),
        ({"depth": 3}, "unknown model setting depth"),
    ],
)
def test_a_damaged_configuration(change: dict[str, object], told: str) -> None:
    content = authors_config(n_channels=2, n_classes=2, embedding_width=16).to_json()
    assert read_config(content) == authors_config(n_channels=2, n_classes=2, embedding_width=16)
    with pytest.raises(SettingsError, match=told):
        read_config({**content, **change})


def test_their_arithmetic_is_not_trained_here() -> None:
    with pytest.raises(SettingsError, match="is kept, not trained anew"):
        preset("authors", n_channels=2, n_classes=2, arithmetic="authors")


def test_an_untrained_network_of_theirs() -> None:
    torch.manual_seed(0)
    network = build_network(authors_config(n_channels=2, n_classes=3, embedding_width=16), 0).eval()
    first, second = (layer.encoding.wavelets for layer in network.pooling.layers.layers)
    assert first.signed_scales.equal(second.signed_scales)  # theirs begin shared
    assert not first.shifts[1:].any()
    assert network(torch.randn(2, 2, 30)).isfinite().all()
