"""Every page on a model that was imported from the authors' code, of series shorter than their feature extractor's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.test_pages import opened, texts
from tests.models.authors.builders import checkpoint
from timemil_core.__main__ import main
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.store import keep


@pytest.fixture
def reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Import a checkpoint into the folder of shipped models, and return its data's reference."""
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "models"))
    rng = np.random.default_rng(0)
    series_set = SeriesSet(
        name="Strokes",
        series=tuple(rng.normal(size=(2, 8)).astype(np.float32) for _ in range(8)),
        labels=np.arange(8) % 2,
        class_names=("down", "up"),
        series_ids=tuple(f"stroke {index}" for index in range(8)),
        channel_names=("x", "y"),
        split=np.array(["train", "test"] * 4),
    )
    data = keep(series_set)
    checkpoint(tmp_path / "best_model.pth", n_channels=2, n_classes=2)
    words = ["import-authors", str(tmp_path / "best_model.pth"), "--data", data, "--class-names", "up", "down"]
    assert main([*words, "--out", str(tmp_path / "models" / "theirs")]) == 0
    return data


@pytest.mark.parametrize("page", ["answer", "attention", "wavelets", "boundary"])
def test_a_page_shows_it_and_tells_what_it_is(reference: str, page: str) -> None:
    app = opened(page, data=reference, model="theirs", worth="true")
    said = texts(app).replace("\\", "")
    assert not app.exception
    assert not app.error
    assert any("From the authors' code" in expander.label for expander in app.sidebar.expander)
    assert "each is predicted as their code predicts it alone" in said
    if page == "attention":
        assert "falls on them (by layer, mean of heads), and that is not drawn" in said
    if page == "wavelets":
        assert "How these wavelets began is not known" in said
        assert "The largest kernels" in [header.value for header in app.subheader]


def test_a_model_without_data_is_no_dead_end(tmp_path: Path, reference: str) -> None:
    checkpoint(tmp_path / "best_model.pth", n_channels=2, n_classes=2)
    assert main(["import-authors", str(tmp_path / "best_model.pth"), "--out", str(tmp_path / "models" / "alone")]) == 0
    app = opened("attention", model="alone")
    assert not app.exception
    assert any("the data have 3" in error.value.replace("\\", "") for error in app.error)
    assert "Strokes" in app.sidebar.selectbox[0].options
