from pathlib import Path

import pytest

from tests.models.test_trained import trained
from timemil_core.errors import ModelError, SettingsError
from timemil_core.models.shelf import locate, open_model
from timemil_core.models.storage import save_model
from timemil_core.models.sweep_notes import cell_models, note_sweep, noted_sweeps


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    folder = tmp_path / "sweep"
    save_model(trained(), folder / "cells" / "small-seed1-abc" / "model")
    (folder / "cells" / "small-seed2-abc").mkdir()  # not finished
    return folder


def test_a_noted_sweep_is_found_once_and_its_models_open(sweep: Path) -> None:
    assert noted_sweeps() == {}
    note_sweep(sweep)
    note_sweep(sweep)
    assert list(noted_sweeps().values()) == [sweep]
    [(reference, folder)] = cell_models().items()
    assert locate(reference) == folder == sweep / "cells" / "small-seed1-abc" / "model"
    assert open_model(reference).facts == trained().facts


def test_a_sweep_that_is_gone_and_a_damaged_note_are_passed_by(sweep: Path, tmp_path: Path) -> None:
    note_sweep(sweep)
    note_sweep(tmp_path / "gone")
    (tmp_path / "home" / "sweeps" / "00000000.json").write_text("{")
    (tmp_path / "home" / "sweeps" / "00000001.json").write_text("[]")
    assert list(noted_sweeps().values()) == [sweep]


@pytest.mark.parametrize("reference", ["cell-00000000-small", "cell-", "cell-x"])
def test_no_note_no_model(sweep: Path, reference: str) -> None:
    with pytest.raises((ModelError, SettingsError)):
        locate(reference)


def test_a_reference_cannot_leave_the_sweep(sweep: Path) -> None:
    note_sweep(sweep)
    digits = next(iter(noted_sweeps()))
    with pytest.raises(SettingsError):
        locate(f"cell-{digits}-../../home")
