from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
import torch
from joblib.externals.loky import get_reusable_executor

from tests.sweep.builders import SMALL, same, tiny_sweep, weights
from timemil_core.errors import RunError
from timemil_core.models.storage import load_model
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.running import run_sweep
from timemil_core.sweep.workers import Workers, local, on_dask, on_slurm
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run

NOTHING_LISTENS = "tcp://127.0.0.1:1"


@pytest.fixture(autouse=True)
def no_workers_left() -> Iterator[None]:
    yield
    get_reusable_executor().shutdown(wait=True)


def trained_alone(cell: Cell, folder: Path) -> RunFolder:
    """The same training without a sweep, in this process."""
    usual = {"n_epochs": 1, "batch_size": 6, "device": "cpu", "with_supervised": False}
    training = training_preset("default", **usual, seed=cell.seed)
    run = create_run(cell.data, model_settings=SMALL, training=training, folder=folder)
    execute(run)
    return run


def check(tmp_path: Path, workers: Workers, seeds: tuple[int, ...] = (0, 1)) -> None:
    """Each cell finishes once, is told, and has the weights of the same training without a sweep."""
    sweep, cells = tiny_sweep(tmp_path / "sweep", seeds=seeds)
    n = len(cells)
    told: list[str] = []
    outcomes = run_sweep(sweep, workers, told.append)
    assert [(found.cell, found.state, found.error) for found in outcomes] == [(cell, "finished", "") for cell in cells]
    assert told[0] == f"{n} cells, 0 finished before"
    assert [line.split()[0] for line in told[1:]] == [f"{number}/{n}" for number in range(1, n + 1)]
    assert all(line.endswith("finished") for line in told[1:])
    alone = [trained_alone(cell, tmp_path / cell.name) for cell in cells]
    for cell, run in zip(cells, alone, strict=True):
        expected: dict[str, torch.Tensor] = load_model(run.model_folder).network.state_dict()
        assert same(weights(sweep, cell), expected), cell.title
    scores = [load_model(run.model_folder).facts["scores"]["test_accuracy"] for run in alone]
    assert pd.read_csv(sweep.folder / "cells.csv")["test_accuracy"].tolist() == scores
    [row] = pd.read_csv(sweep.folder / "results.csv").to_dict("records")
    assert (row["seeds"], row["finished"]) == (n, n)
    assert row["test_accuracy mean"] == pytest.approx(sum(scores) / n)


def test_processes_of_this_machine(tmp_path: Path) -> None:
    check(tmp_path, local(2))


@pytest.mark.slow
def test_a_dask_cluster_of_two_workers(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=tmp_path / "dask"
    ) as cluster:
        check(tmp_path, on_dask(cluster.scheduler_address))
        log = [(str(entry[0]), entry[2]) for entry in cluster.scheduler.transition_log]
    assert len({key for key, state in log if "train_cell" in key and state == "memory"}) == 2


@pytest.mark.slow
def test_jobs_of_submitit(tmp_path: Path) -> None:
    pytest.importorskip("submitit")
    check(tmp_path, on_slurm(None, {"timeout_min": 5}, cluster="local"), seeds=(0,))


def test_a_cell_that_fails_stops_no_other_and_a_finished_one_is_left_alone(tmp_path: Path) -> None:
    sweep, [bad, good] = tiny_sweep(tmp_path / "sweep", learning_rate=(1e30, 0.001))
    outcomes = run_sweep(sweep, local(1))
    assert [found.state for found in outcomes] == ["failed", "finished"]
    table = pd.read_csv(sweep.folder / "cells.csv")
    assert "diverged" in table["error"][0]
    assert table["state"].tolist() == ["failed", "finished"]
    assert pd.read_csv(sweep.folder / "results.csv")["finished"].tolist() == [0, 1]

    log = (sweep.cell_folder(good) / "log.txt").read_text("utf-8")
    told: list[str] = []
    again = run_sweep(sweep, local(1), told.append)
    assert again == outcomes
    assert told[0] == "2 cells, 1 finished before"
    assert len(told) == 2
    assert told[1].startswith(f"2/2  {bad.title}: ")
    assert (sweep.cell_folder(good) / "log.txt").read_text("utf-8") == log


def test_a_cluster_that_does_not_answer_is_told_and_the_tables_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("timemil_core.sweep.workers.SECONDS_TO_CONNECT", 0.5)
    sweep, _ = tiny_sweep(tmp_path / "sweep")
    with pytest.raises(RunError, match="no Dask scheduler answers"):
        run_sweep(sweep, on_dask(NOTHING_LISTENS))
    assert pd.read_csv(sweep.folder / "cells.csv")["state"].tolist() == ["waiting"]
