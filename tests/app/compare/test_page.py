"""The Compare page: who is better, where they disagree, each model's map; and others are trained from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.compare import more
from tests.app.conftest import computed
from tests.app.test_pages import opened, texts
from tests.training.builders import kept_small_set
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run, list_runs


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))


def shown(data: str) -> AppTest:
    app = opened("compare", data=data)
    for _ in range(20):
        if any("right" in one.value for one in app.markdown):
            break
        computed()
        app.run()
    return app


def test_two_models_side_by_side_and_the_maps_of_a_series() -> None:
    data = kept_small_set()
    for name in ("ed-1nn", "minirocket"):
        execute(create_run(data, preset=name, training=training_preset(name)))
    app = shown(data)
    for _ in range(10):
        if "Exact contribution" in texts(app) and "Occlusion" in texts(app):
            break
        computed()
        app.run()
    told = texts(app)
    assert not app.error
    assert "of 10 test series right" in told
    assert "The models agree on all " in told
    assert "**MiniRocket, exact**" in told
    assert "**Nearest neighbour, Euclidean**" in told
    assert "Exact contribution" in told
    assert [one.label for one in app.download_button] == ["CSV", "LaTeX"]


def test_others_are_trained_in_one_process_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[RunFolder, ...]] = []
    monkeypatch.setattr(more, "launch", lambda *runs: begun.append(runs))
    data = kept_small_set()
    app = opened("compare", data=data)
    assert "No model has been trained" in texts(app)
    app.multiselect(key=more.NETWORKS_KEY).set_value(["minirocket", "quant"])
    app.number_input(key=more.SEEDS_KEY).set_value(2)
    [button] = [one for one in app.button if one.label == "Train them"]
    button.click().run()
    assert not app.error
    [runs] = begun
    assert [(run.config["preset"], run.training.seed) for run in runs] == [
        ("minirocket", 0), ("minirocket", 1), ("quant", 0), ("quant", 1),
    ]  # fmt: skip
    assert all(run.training.time_limit == 10 for run in runs)
    assert len(list_runs()) == 4
