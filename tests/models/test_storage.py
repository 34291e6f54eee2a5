import json
import os
import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.models.builders import small_network
from tests.models.test_trained import raw_series, trained
from timemil_core.errors import ModelError
from timemil_core.models.config import fully_supervised
from timemil_core.models.storage import DESCRIPTION, SUPERVISED, WEIGHTS, load_model, save_model
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.wavelet_path import FILE as WAVELETS

SERIES = raw_series([15, 4], seed=3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(trained(), tmp_path / "model")
    return tmp_path / "model"


def edit(folder: Path, **changes: Any) -> None:
    content = json.loads((folder / DESCRIPTION).read_text())
    (folder / DESCRIPTION).write_text(json.dumps({**content, **changes}))


@pytest.mark.parametrize("pooling", ["time-aware", "conjunctive", "max"])
def test_round_trip(tmp_path: Path, pooling: str) -> None:
    model = trained(pooling=pooling)
    supervised = TimeMIL(fully_supervised(model.network.config)).eval()
    model = replace(model, supervised=supervised)
    save_model(model, tmp_path / "new" / "model")
    loaded = load_model(tmp_path / "new" / "model")
    np.testing.assert_array_equal(loaded.predict(SERIES).logits, model.predict(SERIES).logits)
    assert loaded.fingerprint == model.fingerprint
    assert loaded.network.config == model.network.config
    assert loaded.preparation.to_json() == model.preparation.to_json()
    for name in ("class_names", "channel_names", "sampling_rate", "facts"):
        assert getattr(loaded, name) == getattr(model, name)
    values = torch.randn(2, 2, 9)
    assert loaded.supervised is not None
    assert loaded.supervised(values).equal(supervised(values))
    assert not loaded.network.training
    assert not loaded.supervised.training


def test_only_safetensors_and_json_are_written(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [DESCRIPTION, WEIGHTS]
    assert [path.name for path in folder.parent.iterdir()] == ["model"]  # and nothing beside


def test_saving_replaces_a_model_whole(folder: Path) -> None:
    (folder / SUPERVISED).write_bytes(b"of an older model")
    model = trained(pooling="mean")
    save_model(model, folder)
    assert not (folder / SUPERVISED).exists()
    assert load_model(folder).fingerprint == model.fingerprint


def test_saving_refuses_to_replace_what_is_no_model(tmp_path: Path) -> None:
    precious = tmp_path / "thesis.tex"
    precious.write_text("years of work")
    for target in (tmp_path, precious):
        with pytest.raises(ModelError, match=r"holds no model.*Give a new or empty folder"):
            save_model(trained(), target)
    assert precious.read_text() == "years of work"
    (tmp_path / "empty").mkdir()
    save_model(trained(), tmp_path / "empty")
    assert (tmp_path / "empty" / DESCRIPTION).exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format 2; this version reads up to 1.*Update"),
        ({"format": "1"}, "not a model's description"),
        ({"config": {"n_channels": 2}}, "does not describe a model.*n_classes"),
        ({"config": []}, "not a model's description"),
        ({"preparation": {}}, "does not describe a model"),
        ({"class_names": ["a", "b"]}, "another number of class_names"),
        ({"channel_names": ["x"]}, "another number of channel_names"),
        ({"sampling_rate": "fast"}, "not a model's description"),
    ],
)
def test_damaged_descriptions(folder: Path, change: dict[str, Any], message: str) -> None:
    edit(folder, **change)
    with pytest.raises(ModelError, match=message) as caught:
        load_model(folder)
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"model"', b"\xff\xfe", b'{"format": 1}'])
def test_what_is_no_description(folder: Path, content: bytes) -> None:
    (folder / DESCRIPTION).write_bytes(content)
    with pytest.raises(ModelError, match=DESCRIPTION):
        load_model(folder)


def test_a_settings_change_that_does_not_fit_the_weights(folder: Path) -> None:
    edit(folder, config={**small_network().config.to_json(), "n_layers": 3})
    with pytest.raises(ModelError, match="do not fit the description"):
        load_model(folder)


@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS])
def test_missing_files(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(folder)


def test_truncated_weights(folder: Path) -> None:
    content = (folder / WEIGHTS).read_bytes()
    for damaged in (content[: len(content) // 2], b"", b"nothing of the kind"):
        (folder / WEIGHTS).write_bytes(damaged)
        with pytest.raises(ModelError, match="the weights cannot be read"):
            load_model(folder)


class Trap:
    """Leaves a trace where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, tuple[str, ...]]:
        return (Path(self.trace).touch, ())


def test_a_pickle_is_never_loaded(folder: Path, tmp_path: Path) -> None:
    trace = tmp_path / "unpickled"
    pickle.loads(pickle.dumps(Trap(trace)))
    assert trace.exists()  # the trap works
    trace.unlink()
    (folder / WEIGHTS).write_bytes(pickle.dumps(Trap(trace)))
    with pytest.raises(ModelError, match="the weights cannot be read"):
        load_model(folder)
    torch.save({"weight": Trap(trace)}, folder / WEIGHTS)
    with pytest.raises(ModelError, match="the weights cannot be read"):
        load_model(folder)
    assert not trace.exists()


def test_what_is_hostile_is_refused_before_anything_is_built(folder: Path) -> None:
    config = small_network().config.to_json()
    for change in ({"n_layers": 10**9}, {"embedding_width": 8192, "n_layers": 100}, {"n_classes": 3.0}):
        edit(folder, config={**config, **change})
        with pytest.raises(ModelError, match=r"does not describe a model|do not fit the description"):
            load_model(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"sampling_rate": 0},
        {"sampling_rate": -1.0},
        {"sampling_rate": True},
        {"class_names": ["a", 1, "c"]},
        {"channel_names": ["x", None]},
        {"facts": {"scores": 3}},
        {"facts": {"scores": {"test_accuracy": "high"}}},
        {"facts": {"notes": "none"}},
        {"facts": {"title": ["x"]}},
        {"facts": {"training": []}},
    ],
)
def test_values_of_another_kind(folder: Path, change: dict[str, Any]) -> None:
    edit(folder, **change)
    with pytest.raises(ModelError, match="not a model's description: '"):
        load_model(folder)


@pytest.mark.parametrize("text", ["1e999", "NaN", "Infinity"])
def test_a_sampling_rate_that_is_no_number(folder: Path, text: str) -> None:
    path = folder / DESCRIPTION
    edit(folder, sampling_rate="HERE")
    path.write_text(path.read_text().replace('"HERE"', text))
    with pytest.raises(ModelError, match=r"sampling_rate|no number"):
        load_model(folder)


@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS, SUPERVISED, WAVELETS])
def test_only_regular_files_are_opened(folder: Path, tmp_path: Path, name: str) -> None:
    kept = tmp_path / "kept"
    if (folder / name).exists():
        (folder / name).rename(kept)
    else:
        kept.write_bytes(b"")
    links = [partial(Path.symlink_to, target=target) for target in (kept, Path("/dev/zero"))]
    for replace_by in (os.mkfifo, Path.mkdir, *links):
        replace_by(folder / name)
        with pytest.raises(ModelError, match="no regular file"):
            load_model(folder)
        (folder / name).rmdir() if (folder / name).is_dir() else (folder / name).unlink()


def test_weights_that_are_no_numbers(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    name = next(name for name, tensor in tensors.items() if tensor.is_floating_point())
    tensors[name].view(-1)[0] = float("nan")
    save_file(tensors, folder / WEIGHTS)
    with pytest.raises(ModelError, match=f"the weights are damaged: {name}"):
        load_model(folder)
