import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sweep.builders import tiny_sweep
from tests.training.builders import SMALL, short_training
from timemil_core.atomic import read_json
from timemil_core.models.storage import load_model
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.folder import SweepFolder
from timemil_core.sweep.work import Outcome, died, outcome, places, train_cell
from timemil_core.training.metrics import read_lines
from timemil_core.training.process import launch
from timemil_core.training.run_folder import create_run, open_run

ENDLESS = 1_000_000


def during(sweep: SweepFolder, cell: Cell, act: Callable[[Path], None]) -> Outcome:
    """Train a cell, and act on its folder after its first epoch."""
    found: list[Outcome] = []
    variables = places()
    worker = threading.Thread(target=lambda: found.append(train_cell(sweep, cell, variables)))
    worker.start()
    folder = sweep.cell_folder(cell)
    deadline = time.monotonic() + 120
    before = len(read_lines(folder / "metrics.jsonl"))
    while len(read_lines(folder / "metrics.jsonl")) <= before and time.monotonic() < deadline:
        time.sleep(0.05)
    act(folder)
    worker.join(120)
    [one] = found
    return one


def test_a_cell_fails_where_its_data_are_not_and_is_an_ordinary_run_trained_once_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep, [cell] = tiny_sweep(tmp_path / "sweep")
    assert outcome(sweep, cell) == Outcome(cell, "waiting")
    variables, elsewhere = places(), str(tmp_path / "elsewhere")
    gone = train_cell(sweep, cell, {**variables, "TIMEMIL_HOME": elsewhere})
    assert gone.state == "failed"
    assert "There is no stored data set here" in gone.error
    assert [path.name for path in sweep.cell_folder(cell).iterdir()] == ["error.txt"]

    monkeypatch.setenv("TIMEMIL_HOME", elsewhere)  # the sweep's places count, not the worker's
    assert train_cell(sweep, cell, variables) == Outcome(cell, "finished")
    run = open_run(sweep.cell_folder(cell))
    assert run.status().state == "finished"
    assert load_model(run.model_folder).facts["seed"] == 0
    assert not (run.folder / "error.txt").exists()
    log = (run.folder / "log.txt").read_text("utf-8")
    assert train_cell(sweep, cell, variables) == Outcome(cell, "finished")
    assert (run.folder / "log.txt").read_text("utf-8") == log


def test_a_cell_that_was_cut_off_goes_on_from_its_checkpoint_and_one_that_is_killed_has_failed(tmp_path: Path) -> None:
    sweep, [cell] = tiny_sweep(tmp_path / "sweep", n_epochs=ENDLESS)
    assert during(sweep, cell, lambda folder: sweep.stop_file.touch()).state == "stopped"
    folder = sweep.cell_folder(cell)
    n_before = open_run(folder).status().epoch
    assert n_before >= 1
    assert not (folder / "error.txt").exists()
    assert train_cell(sweep, cell, places()).state == "stopped"  # nothing is begun while the sweep is to end
    assert open_run(folder).status().epoch == n_before

    def kill(folder: Path) -> None:
        os.kill(read_json(folder / "status.json")["process"]["pid"], signal.SIGKILL)

    sweep.stop_file.unlink()
    found = during(sweep, cell, kill)
    assert f"resumed after epoch {n_before}" in (folder / "log.txt").read_text("utf-8")
    epochs = [line["epoch"] for line in read_lines(folder / "metrics.jsonl")]
    assert epochs == list(range(1, len(epochs) + 1))
    assert len(epochs) > n_before
    assert found.state == "failed"
    assert "SIGKILL" in found.error
    assert (folder / "error.txt").read_text("utf-8").strip() == found.error


def test_the_death_of_a_worker_is_noted_where_nothing_better_is_known(tmp_path: Path) -> None:
    sweep, [cell] = tiny_sweep(tmp_path / "sweep")
    assert died(sweep, cell, "Out of memory.") == Outcome(cell, "failed", "Out of memory.")
    assert died(sweep, cell, "Another reason.") == Outcome(cell, "failed", "Out of memory.")


def test_a_cell_that_another_process_still_trains_is_waited_for(tmp_path: Path) -> None:
    sweep, [cell] = tiny_sweep(tmp_path / "sweep", n_epochs=30)
    settings = {key: value for key, value in cell.settings.items() if key in SMALL}
    training = short_training(n_epochs=30, with_supervised=False)
    run = create_run(cell.data, model_settings=settings, training=training, folder=sweep.cell_folder(cell))
    launch(run)
    assert train_cell(sweep, cell, places()) == Outcome(cell, "finished")
    assert [line["epoch"] for line in run.metrics()] == list(range(1, 31))
