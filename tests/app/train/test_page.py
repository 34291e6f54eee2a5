"""The Train page with runs and models that somebody has damaged, or copied by half."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import ask
from app.train import run_view
from tests.app.test_pages import opened, texts
from tests.training.builders import kept_small_set
from timemil_core.__main__ import main
from timemil_core.models.building import FITTED_AT_ONCE
from timemil_core.models.config import PRESET_NAMES, preset
from timemil_core.training.config import training_preset
from timemil_core.training.run_folder import RunFolder, create_run


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[RunFolder]:
    """One whole run, and three that are damaged, each in another file."""
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    runs = [create_run(kept_small_set(), title=f"Run {number}") for number in range(4)]
    (runs[1].folder / "status.json").unlink()
    (runs[2].folder / "metrics.jsonl").write_text("no JSON\n")
    (runs[3].folder / "config.json").write_text("{")
    for number, text in ((0, "[" * 100_000), (1, '{"format": 1, "facts": {"scores": 3}}')):
        (runs[number].folder / "model").mkdir()
        (runs[number].folder / "model" / "model.json").write_text(text)
    return runs


def test_damaged_runs_and_models_are_listed_with_why_and_the_others_work(runs: list[RunFolder]) -> None:
    app = opened("train", run=runs[0].reference)
    assert not app.exception
    assert not app.error
    assert "Run 0" in [one.value for one in app.subheader]
    rows = {row["name"]: row for row in app.dataframe[0].value.to_dict("records")}
    names = ["Run 0", *(run.reference for run in runs[1:])]
    assert [rows[name]["state"] for name in names] == ["waiting", "unreadable", "unreadable", "unreadable"]
    assert "status.json is missing" in rows[runs[1].reference]["why"]
    assert "line 1 of metrics.jsonl" in rows[runs[2].reference]["why"]
    assert "config.json cannot be read" in rows[runs[3].reference]["why"]
    assert "nested too deep" in texts(app)  # in the sidebar: the model of the first


def test_a_number_of_series_is_no_share() -> None:
    table = run_view._score_table({"test_accuracy": 0.5, "test_n": 1204, "validation_accuracy": 0.25})
    assert table.loc["series"].to_dict() == {"test": "1,204", "validation": ""}
    assert table.loc["accuracy"].to_dict() == {"test": "0.500", "validation": "0.250"}


@pytest.mark.parametrize(("number", "can_resume"), [(1, True), (2, True), (3, False)])
def test_an_unreadable_run_tells_why_and_is_resumed_where_its_settings_can_be_read(
    runs: list[RunFolder], number: int, can_resume: bool
) -> None:
    app = opened("train", run=runs[number].reference)
    assert not app.exception
    assert len(app.error) == 1
    assert any(button.label == "Resume" for button in app.button) == can_resume


OF_TRAINING = {"Rate schedule": "schedule", "Normalisation": "normalisation", "Epoch kept": "selection"}
OF_NETWORK = {"Pooling": "pooling", "Positional encoding": "positional_encoding"}


@pytest.mark.parametrize("name", [*PRESET_NAMES, "ensemble", "fcn", "minirocket"])
def test_the_form_stands_as_the_network_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    monkeypatch.setattr(ask, "prompt", lambda *_: None)  # how long it would take
    app = opened("train")
    app.selectbox(key="preset").set_value(name).run()
    assert not app.exception
    shown = {one.label: one.value for one in app.selectbox}
    training = training_preset(name)
    by_epochs = name not in FITTED_AT_ONCE
    of_training = OF_TRAINING if by_epochs else {"Normalisation": "normalisation"}
    assert {label: shown.get(label) for label in of_training} == {
        label: getattr(training, setting) for label, setting in of_training.items()
    }
    assert ("Epochs" in [one.label for one in app.number_input]) == by_epochs
    if name in PRESET_NAMES:
        network = preset(name, n_channels=1, n_classes=2)  # type: ignore[arg-type]
        assert {label: shown[label] for label in OF_NETWORK} == {
            label: getattr(network, setting) for label, setting in OF_NETWORK.items()
        }
    else:
        assert not OF_NETWORK.keys() & shown.keys()


def test_what_is_chosen_is_what_is_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    monkeypatch.setattr(ask, "prompt", lambda *_: None)
    begun: list[RunFolder] = []
    monkeypatch.setattr("timemil_core.training.process.launch", begun.append)
    app = opened("train")
    app.selectbox(key="preset").set_value("minirocket").run()
    app.number_input[0].set_value(3.0).run()
    app.button(key="start_training").click().run()
    assert not app.exception
    assert [run.config["preset"] for run in begun] == ["minirocket"]
    assert begun[0].training.time_limit == 3.0


def test_the_command_lists_both(runs: list[RunFolder], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    told = capsys.readouterr().out
    assert "basicmotions" in told
    for run in runs[1:]:
        assert f"unreadable run {run.reference}: " in told
    for run in runs[:2]:
        assert f"unreadable model {run.reference}: " in told
