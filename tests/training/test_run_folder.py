import json
import time
from pathlib import Path

import pytest

from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.errors import DataError, RunError, SettingsError
from timemil_core.training.run_folder import create_run, list_runs, open_run


def test_a_new_run_waits() -> None:
    reference = kept_small_set()
    run = create_run(reference, preset="paper", model_settings=SMALL, training=short_training(), title="Mine")
    assert run.reference.startswith("run-")
    assert (run.title, run.data) == ("Mine", reference)
    assert (run.model_config.n_channels, run.model_config.n_classes) == (1, 2)
    assert run.model_config.attention == "nystrom"  # of the preset
    assert run.model_config.embedding_width == 16
    assert run.training == short_training()
    status = run.status()
    assert (status.state, status.epoch, status.n_epochs, status.share_done) == ("waiting", 0, 3, 0.0)
    assert status.can_resume
    assert not status.is_active
    assert run.metrics() == []
    assert run.notes == []
    assert not run.has_model


def test_a_run_is_opened_by_its_name_or_its_folder(tmp_path: Path) -> None:
    reference = kept_small_set()
    inside = create_run(reference)
    assert open_run(inside.reference) == inside
    outside = create_run(reference, folder=tmp_path / "elsewhere")
    assert open_run(tmp_path / "elsewhere") == outside
    assert outside.reference == str(tmp_path / "elsewhere")
    assert outside.title == "Synthetic pulse"


@pytest.mark.parametrize("name", ["../run-1", "/etc", "run-1/../..", ""])
def test_a_name_from_outside_never_leaves_the_workspace(name: str) -> None:
    with pytest.raises(SettingsError):
        open_run(name)


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no training run"):
        open_run("run-20000101-000000-abcd")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        open_run(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(RunError, match="does not describe"):
        open_run(tmp_path)


def test_a_newer_format_is_told() -> None:
    run = create_run(kept_small_set())
    path = run.folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "format": 99}), "utf-8")
    with pytest.raises(RunError, match="newer version"):
        open_run(run.reference)


def test_runs_are_listed_newest_first_and_broken_ones_left_out(home: Path) -> None:
    assert list_runs() == []
    reference = kept_small_set()
    runs = []
    for _ in range(3):
        runs.append(create_run(reference))
        time.sleep(0.002)
    (home / "runs" / "run-broken").mkdir()
    (home / "runs" / ".run-being-written").mkdir()
    assert [run.reference for run in list_runs()] == [run.reference for run in reversed(runs)]


def test_nothing_of_the_users_is_overwritten(tmp_path: Path) -> None:
    reference = kept_small_set()
    (tmp_path / "thesis.tex").write_text("Chapter 1")
    with pytest.raises(RunError, match="not empty"):
        create_run(reference, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["thesis.tex"]


def test_nothing_is_created_where_the_settings_or_the_data_do_not_allow_it(home: Path) -> None:
    with pytest.raises(SettingsError, match="fast"):
        create_run(kept_small_set(), preset="fast")
    with pytest.raises(SettingsError, match="depth"):
        create_run(kept_small_set(), model_settings={"depth": 3})
    with pytest.raises(DataError):
        create_run("NoSuchData")
    assert list_runs() == []
