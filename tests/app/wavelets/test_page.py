"""The Wavelets page: kernels in the data's terms, what removing them does on request, and how they moved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import computed
from tests.app.test_pages import opened, texts, workspace  # noqa: F401  the fixture keeps the user's workspace out
from tests.explain.builders import build_model, build_set
from timemil_core.data.store import keep
from timemil_core.models.storage import save_model
from timemil_core.models.wavelet_path import path_of


def awaited(app: AppTest, key: str) -> AppTest:
    """Press a button and wait until what it began has ended."""
    app = next(one for one in app.button if one.key == key).click().run()
    for _ in range(1200):
        if not any((one.key or "").startswith("cancel_") for one in app.button):
            break
        computed()
        app.run()
    return app


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A small model with a recorded way, and its data without a sampling rate; returns the data's reference."""
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "models"))
    data = keep(build_set())
    model = build_model()
    path = path_of(model.network)
    assert path is not None
    facts = {"data": data, "title": "Small", "best_epoch": 1}
    save_model(replace(model, facts=facts, wavelet_path=path.after(1, model.network)), tmp_path / "models" / "small")
    return data


def test_kernels_are_told_in_hertz_and_seconds() -> None:
    app = opened("wavelets", data="BasicMotions", model="basicmotions")
    said = texts(app).replace("\\", "")
    assert not app.exception and not app.error
    assert "Hz best" in said and "time points (0." in said
    assert "At half power it passes" in said and "s), with 95 % of its energy" in said
    assert "the way between was not recorded" not in said  # the shipped model has it
    assert "Training changed the scale of the median kernel by" in said
    assert "predictions compared with before" in said and "leads the next class" not in said  # nothing unasked


def test_without_a_sampling_rate_they_are_told_in_time_points(small: str) -> None:
    app = opened("wavelets", data=small, model="small")
    said = texts(app).replace("\\", "")
    assert not app.exception and not app.error
    assert "cycles per time point best" in said
    assert "Hz" not in said.replace("a pass band in Hz tells", "")  # the guide's own word
    assert "not recorded" not in said
    table = next(frame.value for frame in app.dataframe if "wavelet" in frame.value)
    assert len(table) == 64 and not any("Hz" in name for name in table)


def test_parts_and_kernels_are_removed_on_request(small: str) -> None:
    app = opened("wavelets", data=small, model="small")
    app = awaited(app, "remove_parts")
    said = texts(app).replace("\\", "")
    assert not app.exception and not app.error
    assert "Without all wavelets the logit of the predicted class changes by" in said
    assert "Over 6 series; 20 random controls a row" in said
    app = awaited(app, "remove_kernels")
    said = texts(app).replace("\\", "")
    assert not app.exception and not app.error
    assert "Removing one of 24 kernels changes the logit" in said
    chosen = f"Wavelet {app.number_input(key='wavelet').value}, feature {app.number_input(key='feature').value}"
    assert next(one.label for one in app.metric) == chosen
    assert "Kernels whose removal changes most" in [header.value for header in app.subheader]
    table = next(frame.value for frame in app.dataframe if "wavelet" in frame.value)
    measured = table["removed: mean absolute change of the logit"].notna()
    assert np.array_equal(measured, (table["layer"] == 1) & (table["wavelet"] != "sum"))


def test_a_model_without_wavelets_leads_to_those_of_the_same_data_that_have_them() -> None:
    app = opened("wavelets", data="GunPoint", model="gunpoint-faithful")
    assert "This model has no wavelet encoding" in texts(app)
    links = {one.proto.label: one.proto.query_string for one in app.get("page_link")}
    assert links["Open GunPoint · shipped"] == "data=GunPoint&model=gunpoint"
    assert not any("faithful" in label for label in links)
