"""The Trust page: every class by itself, and other seeds of the same training."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file
from streamlit.testing.v1 import AppTest

from app.trust import questions, spread
from tests.app.conftest import computed as computed_meanwhile
from tests.app.test_pages import opened, texts, workspace
from timemil_core.explain.sanity import seeds
from timemil_core.models.sweep_notes import note_sweep
from timemil_core.training.run_folder import RunFolder

__all__ = ["workspace"]

ITALY = {"data": "ItalyPowerDemand", "model": "italypowerdemand"}
SHIPPED = Path(__file__).resolve().parents[3] / "pretrained" / "italypowerdemand"


@pytest.fixture
def sibling(tmp_path: Path) -> str:
    """A sweep elsewhere with one cell: the shipped model's training, and its weights slightly moved, as seed 7's."""
    cell = tmp_path / "anywhere" / "cells" / "ItalyPowerDemand-seed7-abc"
    shutil.copytree(SHIPPED, cell / "model")
    description = json.loads((cell / "model" / "model.json").read_text())
    description["facts"]["seed"] = description["facts"]["training"]["seed"] = 7
    (cell / "model" / "model.json").write_text(json.dumps(description))
    weights = load_file(cell / "model" / "weights.safetensors")
    moved = {
        name: value * 1.3 if "pooling" in name and value.is_floating_point() else value
        for name, value in weights.items()
    }
    save_file(moved, cell / "model" / "weights.safetensors")
    note_sweep(tmp_path / "anywhere")
    return "seed 7"


@pytest.fixture(autouse=True)
def these_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the page measures besides, and measure on few series."""
    for name in ("ranking", "checks_of_methods", "uniform_attention"):
        monkeypatch.setattr(questions, name, lambda chosen: None)
    monkeypatch.setattr(seeds, "N_SERIES", 2)


def computed(app: AppTest) -> AppTest:
    """Ask for what is offered, and wait until nothing is being computed any more."""
    for _ in range(3000):
        offers = [one for one in app.button if one.label == "Compute it"]
        if not offers and not any(one.label == "Cancel" for one in app.button):
            return app
        computed_meanwhile()
        app = offers[0].click().run() if offers else app.run()
    pytest.fail("the computations did not end")


def test_without_other_seeds_the_page_offers_to_train_them(monkeypatch: pytest.MonkeyPatch) -> None:
    launched: list[RunFolder] = []
    monkeypatch.setattr(spread, "launch", lambda *runs: launched.extend(runs))
    app = opened("trust", **ITALY)
    assert not app.error
    assert "this model was trained once" in texts(app)
    [code] = app.code
    assert code.value.startswith(
        "python -m timemil_core sweep --data ItalyPowerDemand --preset default --seeds 1 2 3 4"
    )
    app = next(one for one in app.button if one.key == "train_seeds").click().run()
    assert [run.training.seed for run in launched] == [1, 2, 3, 4]
    assert not app.error


@pytest.mark.slow
def test_a_sweeps_cell_is_measured_and_can_be_pinned(sibling: str) -> None:
    app = computed(opened("trust", **ITALY))
    assert not app.exception
    assert not app.error
    said = texts(app)
    assert "Over 2 seeds" in said
    assert "A point a pair of seeds" in said
    app = next(one for one in app.button if one.key == "pin_seed_7").click().run()
    assert "cell-" in str(app.query_params["pin_model"])
    app = app.switch_page("attention/page.py").run()
    assert "**Pinned:**" in texts(app)
    assert not app.error
