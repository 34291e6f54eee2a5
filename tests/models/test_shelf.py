from dataclasses import replace
from pathlib import Path

import pytest

from tests.models.test_trained import trained
from timemil_core.errors import ModelError, SettingsError
from timemil_core.models.shelf import locate, open_model, shelf, unreadable
from timemil_core.models.storage import DESCRIPTION, save_model


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two shipped models, two runs, and what is neither."""
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "shipped"))
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    for name in ("b-set", "a-set"):
        save_model(replace(trained(), facts={"data": name, "title": f"Model of {name}"}), tmp_path / "shipped" / name)
    for name in ("run-20260101-000000-aaaa", "run-20260301-000000-bbbb"):
        save_model(trained(), tmp_path / "home" / "runs" / name / "model")
    (tmp_path / "home" / "runs" / "run-20260401-000000-cccc").mkdir()  # not finished: no model
    save_model(trained(), tmp_path / "home" / "runs" / "notes" / "model")  # no run's name
    save_model(trained(), tmp_path / "shipped" / "run-of-the-mill")  # would be looked for among the runs
    (tmp_path / "shipped" / ".hidden").mkdir()
    (tmp_path / "shipped" / "README.md").write_text("no model")
    return tmp_path


def test_lists_shipped_models_by_name_then_runs_newest_first(home: Path) -> None:
    entries = shelf()
    assert [entry.reference for entry in entries] == [
        "a-set",
        "b-set",
        "run-20260301-000000-bbbb",
        "run-20260101-000000-aaaa",
    ]
    assert [entry.kind for entry in entries] == ["pretrained", "pretrained", "run", "run"]
    assert (entries[0].data, entries[0].title, entries[0].channel_names) == ("a-set", "Model of a-set", ("x", "y"))


def test_every_entry_can_be_opened_by_its_reference(home: Path) -> None:
    for entry in shelf():
        assert locate(entry.reference) == entry.folder
        assert open_model(entry.reference).facts == entry.facts
    assert unreadable() == {}


def test_no_models_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "none"))
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "none either"))
    assert shelf() == []


def test_one_damaged_model_does_not_hide_the_others(home: Path) -> None:
    (home / "shipped" / "a-set" / DESCRIPTION).write_text("{")
    assert "b-set" in [entry.reference for entry in shelf()]
    assert list(unreadable()) == ["a-set"]
    assert "cannot be read" in unreadable()["a-set"]
    with pytest.raises(ModelError, match="cannot be read"):
        open_model("a-set")


@pytest.mark.parametrize("reference", ["c-set", "run-20260401-000000-cccc", "run-none"])
def test_what_is_not_there(home: Path, reference: str) -> None:
    with pytest.raises(ModelError, match=f"no model '{reference}'"):
        locate(reference)


@pytest.mark.parametrize(
    "reference",
    ["", ".", "..", "../home", "run-/../../x", "/etc", "a/b", "a\\b", ".hidden", "a\0b", "a-set\n", "x" * 300],
)
def test_references_that_leave_the_folder_are_refused(home: Path, reference: str) -> None:
    with pytest.raises(SettingsError, match="not a name"):
        locate(reference)
