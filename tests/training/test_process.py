import time
from pathlib import Path

import pytest

from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.errors import RunError
from timemil_core.training import process
from timemil_core.training.process import launch
from timemil_core.training.run_folder import RunFolder, create_run
from timemil_core.training.status import RunStatus


def wait_until_ended(run: RunFolder) -> RunStatus:
    deadline = time.monotonic() + 120
    while (status := run.status()).is_active and time.monotonic() < deadline:
        time.sleep(0.05)
    return status


def test_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = short_training(n_epochs=1, with_supervised=False)
    run = create_run(kept_small_set(), model_settings=SMALL, training=training)
    monkeypatch.chdir(tmp_path)  # the package is found from anywhere
    pid = launch(run)
    status = run.status()
    assert (status.state, status.is_active) == ("waiting", True)
    with pytest.raises(RunError, match="already"):
        launch(run)
    ended = wait_until_ended(run)
    assert ended.state == "finished", ended.message
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()  # no zombie is left
    assert not run.status().process_alive
    assert run.has_model
    with pytest.raises(RunError, match="finished"):
        launch(run)


def test_a_process_that_dies_at_its_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    run = create_run(kept_small_set(), model_settings=SMALL, training=short_training())
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    launch(run)
    status = wait_until_ended(run)
    assert status.state == "failed"
    assert "log.txt" in status.message
    assert (run.folder / "log.txt").read_text("utf-8")


def test_a_launched_run_ranks_the_methods_unless_it_is_told_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(process.RANK_VARIABLE, "0")
    assert process._afterwards() == ()
    monkeypatch.delenv(process.RANK_VARIABLE)
    assert process._afterwards() == ("--rank",)


def test_several_runs_are_trained_one_after_the_other_and_a_bad_one_stops_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    training = short_training(n_epochs=1, with_supervised=False)
    data = kept_small_set()
    first, bad, last = (create_run(data, model_settings=SMALL, training=training) for _ in range(3))
    settings = bad.folder / "config.json"
    settings.write_text(settings.read_text().replace(str(first.config["data"]), "upload-0000000000000000"))
    launch(first, bad, last)
    assert {run.status().state for run in (bad, last)} == {"waiting"}
    with pytest.raises(RunError, match="already"):
        launch(last)
    assert [wait_until_ended(run).state for run in (first, bad, last)] == ["finished", "failed", "finished"]
