from typing import Any

import pytest

from timemil_core.errors import SettingsError
from timemil_core.training.config import TrainingConfig, training_preset


def test_settings_survive_json() -> None:
    training = TrainingConfig(n_epochs=7, selection="last", with_supervised=False, learning_rate=0.01)
    assert TrainingConfig.from_json(training.to_json()) == training


@pytest.mark.parametrize(
    "setting",
    [
        {"n_epochs": 0},
        {"n_epochs": 2.5},
        {"n_epochs": True},
        {"batch_size": 0},
        {"learning_rate": 0},
        {"learning_rate": float("nan")},
        {"learning_rate": "fast"},
        {"weight_decay": -1e-4},
        {"gradient_clip": 0},
        {"lookahead_rate": 0},
        {"lookahead_rate": 1},
        {"lookahead_steps": -1},
        {"masking_share": 1.0},
        {"masking_share": 0.96},
        {"masking_share": -0.1},
        {"warm_up_epochs": -1},
        {"warm_up_alpha": 1.5},
        {"validation_share": 1.0},
        {"selection": "best"},
        {"normalisation": "z"},
        {"with_supervised": "yes"},
        {"seed": -1},
        {"device": "tpu"},
    ],
)
def test_a_value_that_cannot_work_is_refused_by_name(setting: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(setting))):
        TrainingConfig(**setting)


def test_an_unknown_setting_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match="n_epoch"):
        TrainingConfig.from_json({"n_epoch": 3})


@pytest.mark.parametrize(
    ("n_epochs", "warm_up", "effective"), [(100, 10, 10), (20, 10, 10), (19, 10, 6), (3, 10, 1), (1, 10, 0), (5, 0, 0)]
)
def test_the_warm_up_never_takes_most_of_a_run(n_epochs: int, warm_up: int, effective: int) -> None:
    assert TrainingConfig(n_epochs=n_epochs, warm_up_epochs=warm_up).effective_warm_up == effective


def test_presets() -> None:
    usual = training_preset("default")
    assert (usual.schedule, usual.learning_rate, usual.masking_share) == ("one-cycle", 2e-3, 0.1)
    assert (usual.validation_share, usual.selection) == (0.0, "last")  # all series are trained on
    paper, authors = training_preset("paper"), training_preset("authors")
    assert (paper.learning_rate, paper.n_epochs) == (1e-3, 300)
    assert (authors.learning_rate, authors.batch_size, authors.normalisation) == (5e-3, 64, "none")
    assert (training_preset("faithful").schedule, training_preset("faithful").masking_share) == ("one-cycle", 0.1)
    assert authors.selection == "validation"  # the test set chooses nothing unless asked to
    assert training_preset("paper", n_epochs=2).n_epochs == 2
    with pytest.raises(SettingsError, match="fast"):
        training_preset("fast")
