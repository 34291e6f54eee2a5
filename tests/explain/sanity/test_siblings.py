from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.explain.builders import build_model
from timemil_core.commands.registry import build_parser
from timemil_core.commands.sweep import _asked
from timemil_core.data import catalogue
from timemil_core.errors import ModelError
from timemil_core.explain.sanity.siblings import create_siblings, siblings, sweep_command, unfinished_siblings
from timemil_core.models.config import preset
from timemil_core.models.storage import save_model
from timemil_core.models.sweep_notes import note_sweep
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import TrainingConfig
from timemil_core.training.liveness import mark_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "shipped"))
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    return tmp_path


def of_seed(
    seed: int, fingerprint: str = "data", epochs: int = 3, pooling: str = "time-aware", **training: Any
) -> TrainedModel:
    settings = TrainingConfig(n_epochs=3, seed=seed, **training).to_json()
    facts = {"fingerprint": fingerprint, "seed": seed, "epochs": epochs, "training": settings, "data": "BasicMotions"}
    return replace(build_model(seed=seed, pooling=pooling), facts=facts)


def test_runs_shipped_models_and_cells_of_sweeps_of_another_seed_are_found(home: Path) -> None:
    save_model(of_seed(0), home / "shipped" / "own")
    save_model(of_seed(3), home / "shipped" / "other")
    save_model(of_seed(2), home / "home" / "runs" / "run-1" / "model")
    save_model(of_seed(1), home / "anywhere" / "cells" / "small-seed1-abc" / "model")
    note_sweep(home / "anywhere")
    found = siblings(of_seed(0))
    assert [one.seed for one in found] == [1, 2, 3]
    assert found[0].reference.startswith("cell-")
    assert [one.reference for one in found[1:]] == ["run-1", "other"]


@pytest.mark.parametrize(
    "other",
    [
        {"fingerprint": "other data"},
        {"learning_rate": 0.1},
        {"pooling": "conjunctive"},
        {"epochs": 2},  # stopped before its end
    ],
)
def test_another_experiment_is_no_sibling(home: Path, other: dict[str, Any]) -> None:
    save_model(of_seed(1, **other), home / "shipped" / "other")
    assert siblings(of_seed(0)) == []


def test_where_it_ran_and_what_was_trained_beside_make_no_other_experiment(home: Path) -> None:
    save_model(of_seed(1, with_supervised=False, device="cpu"), home / "shipped" / "other")
    older = of_seed(0)
    del older.facts["training"]["checkpointing"]  # a setting that its version did not have
    assert [one.seed for one in siblings(older)] == [1]


def test_a_seed_counts_once_and_a_damaged_model_not_at_all(home: Path) -> None:
    save_model(of_seed(1), home / "shipped" / "a")
    save_model(of_seed(1), home / "shipped" / "b")
    save_model(of_seed(2), home / "shipped" / "c")
    (home / "shipped" / "c" / "model.json").write_text("{")
    assert [one.reference for one in siblings(of_seed(0))] == ["a"]


def test_a_model_without_a_card_has_none(home: Path) -> None:
    assert siblings(build_model()) == []
    assert sweep_command(build_model(), "BasicMotions") == ""


def test_the_command_asks_for_siblings(home: Path) -> None:
    model = of_seed(2, masking_share=0.0, device="cpu", pooling="conjunctive")
    command = sweep_command(model, "BasicMotions", n_seeds=3)
    assert command.startswith("python -m timemil_core sweep --data BasicMotions --preset default --seeds 0 1 3 ")
    spec = _asked(build_parser().parse_args(command.split()[3:]))
    assert spec is not None
    asked = spec.settings
    assert asked["n_epochs"] == (3,)
    assert asked["masking_share"] == (0.0,)
    assert asked["pooling"] == ("conjunctive",)
    assert asked["embedding_width"] == (8,)
    assert asked["with_supervised"] == (False,)
    assert "device" not in asked
    spec.check()


def test_runs_of_other_seeds_are_created_and_known_as_siblings_while_they_wait(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = of_seed(1, fingerprint=catalogue.load("BasicMotions").fingerprint, learning_rate=0.01)
    own = replace(own, network=TimeMIL(preset("default", n_channels=6, n_classes=4)), class_names=tuple("abcd"),
                  channel_names=tuple("uvwxyz"))  # fmt: skip
    runs = create_siblings(own, "BasicMotions", n_seeds=2)
    assert [(run.training.seed, run.training.learning_rate) for run in runs] == [(0, 0.01), (2, 0.01)]
    assert [run.title for run in runs] == ["BasicMotions, seed 0", "BasicMotions, seed 2"]
    assert unfinished_siblings(own) == []  # nobody trains them
    for run in runs:
        run.write_launched(mark_of(os.getpid()), time.time() + 1)
    assert {seen.run.reference for seen in unfinished_siblings(own)} == {run.reference for run in runs}
    assert unfinished_siblings(replace(own, facts={**own.facts, "fingerprint": "other"})) == []


def test_a_model_whose_card_tells_no_training_has_no_siblings_to_train(home: Path) -> None:
    with pytest.raises(ModelError, match="not told"):
        create_siblings(replace(of_seed(0), facts={}), "BasicMotions")
