import json
from typing import Any

import pytest
from torch import nn

from tests.models.builders import SMALL, small_config
from timemil_core.errors import SettingsError
from timemil_core.models.config import ModelConfig, fully_supervised, preset
from timemil_core.models.timemil import TimeMIL


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pooling": "average"}, "pooling is 'average'.*time-aware"),
        ({"positional_encoding": "fourier"}, "positional_encoding"),
        ({"classifier": "deep"}, "classifier"),
        ({"attention": "linear"}, "attention is 'linear'"),
        ({"value_convolution": "some"}, "value_convolution"),
        ({"n_channels": 0}, "n_channels is 0"),
        ({"n_layers": 0}, "n_layers"),
        ({"n_landmarks": -1}, "n_landmarks is -1"),
        ({"n_heads": 2.5}, "n_heads is 2.5.*whole number"),
        ({"embedding_width": 10}, "multiple of 4"),
        ({"wavelet_size": 8}, "odd"),
        ({"kernel_sizes": ()}, r"kernel_sizes is \(\)"),
        ({"kernel_sizes": (3, 0)}, "kernel_sizes is .3, 0.*whole numbers from 1"),
        ({"kernel_sizes": 3}, "kernel_sizes is 3"),
        ({"n_modules": 0}, "n_modules is 0"),
        ({"views": (1, True)}, "views is"),
        ({"evidence": "everywhere"}, "evidence is 'everywhere'.*sight"),
        ({"views": (1, 2, 3)}, "embedding_width is 8.*multiple of 12"),
        ({"views": (500,)}, "20,000 taps"),
        ({"dropout": 1.0}, "dropout is 1.0"),
        ({"dropout": -0.1}, "dropout"),
        ({"dropout": float("nan")}, "dropout is nan"),
    ],
)
def test_settings_that_cannot_work_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        small_config(**change)


def test_round_trip_through_json() -> None:
    config = small_config(pooling="conjunctive", dropout=0.1, kernel_sizes=(3, 5, 9), n_modules=2, views=(1, 4))
    assert ModelConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({**SMALL, "n_wings": 2}, "unknown model setting n_wings"),
        ({"n_channels": 2}, "n_classes"),
        ({**SMALL, "n_layers": "2"}, "whole number"),
        ({**SMALL, "dropout": "much"}, "dropout is 'much'"),
        ({**SMALL, "final_normalisation": "no"}, "final_normalisation is 'no'.*true or false"),
        ({**SMALL, "n_layers": True}, "whole number"),
    ],
)
def test_settings_from_a_foreign_file_are_refused(content: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        ModelConfig.from_json(content)


def test_how_far_an_instance_sees() -> None:
    assert small_config().sight == 235
    assert small_config(kernel_sizes=(3, 5, 9), n_modules=2).sight == 17
    assert small_config(kernel_sizes=(3, 5, 9), n_modules=2, views=(1, 4)).sight == 71


def test_presets() -> None:
    paper = preset("paper", n_channels=3, n_classes=2)
    assert (paper.attention, paper.n_landmarks, paper.head_size, paper.class_token_row_only) == (
        "nystrom",
        256,
        64,
        False,
    )
    assert preset("authors", n_channels=3, n_classes=2).wavelet_projection
    faithful = preset("faithful", n_channels=3, n_classes=2)
    assert (faithful.pooling, faithful.evidence, faithful.views) == ("conjunctive", "sight", (1, 4, 16))
    changed = preset("default", n_channels=3, n_classes=2, n_heads=4)
    assert (changed.n_heads, changed.n_channels, changed.n_classes) == (4, 3, 2)
    with pytest.raises(SettingsError, match="no preset 'best'"):
        preset("best", n_channels=3, n_classes=2)  # type: ignore[arg-type]


def test_fully_supervised_counterpart_shares_the_backbone_alone() -> None:
    config = small_config()
    network = TimeMIL(fully_supervised(config))
    names = {name.split(".")[0] for name, _ in network.named_parameters()}
    assert names == {"backbone", "classifier"}
    assert isinstance(network.classifier, nn.Linear)
    own = {name: tensor.shape for name, tensor in TimeMIL(config).backbone.state_dict().items()}
    assert {name: tensor.shape for name, tensor in network.backbone.state_dict().items()} == own
