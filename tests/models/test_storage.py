import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.models.builders import small_network
from tests.models.test_trained import raw_series, trained
from timemil_core.errors import ModelError
from timemil_core.models.config import fully_supervised
from timemil_core.models.storage import DESCRIPTION, SUPERVISED, WEIGHTS, load_model, save_model
from timemil_core.models.timemil import TimeMIL

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
