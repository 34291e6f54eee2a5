import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.sweep.builders import TINY, same, weights
from tests.training.builders import SMALL, kept_small_set
from timemil_core.__main__ import main
from timemil_core.commands import sweep as module
from timemil_core.commands.registry import build_parser
from timemil_core.commands.sweep import _asked
from timemil_core.models.storage import load_model
from timemil_core.sweep.folder import SweepFolder
from timemil_core.sweep.work import Outcome, outcome
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run

ROOT = Path(__file__).parents[2]


def words(folder: Path, *more: str, n_epochs: int = 1) -> list[str]:
    settings = [f"--set={key}={value}" for key, (value,) in TINY.items()]
    return ["sweep", "--data", kept_small_set(), "--out", str(folder), *settings, f"--set=n_epochs={n_epochs}", *more]


def test_a_table_of_mean_and_deviation_and_going_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(tmp_path / "sweep", "--seeds", "0", "1", "--set=pooling=mean")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "2 cells, 0 finished before"
    [title, row] = lines[4:6]
    assert title.split()[:4] == ["data", "preset", "seeds", "finished"]
    assert "test accuracy" in title
    assert row.split()[1:4] == ["default", "2", "2"]
    assert row.count("±") == 2  # of the test part: no series is held out
    assert main(["sweep", "--out", str(tmp_path / "sweep")]) == 0
    assert "2 cells, 2 finished before" in capsys.readouterr().out
    assert main(words(tmp_path / "sweep", "--seeds", "0", "1", "2", "--set=pooling=mean")) == 2
    assert "a sweep of other seeds" in capsys.readouterr().err


def test_a_failed_cell_is_named_and_the_exit_code_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(sweep: SweepFolder, workers: object, report: object) -> list[Outcome]:
        first, second = sweep.spec().cells()
        return [Outcome(first, "failed", "Out of memory."), Outcome(second, "stopped")]

    monkeypatch.setattr(module, "run_sweep", run)
    assert main(words(tmp_path / "sweep", "--set=pooling=mean,max")) == 1
    out = capsys.readouterr().out
    [told] = [line for line in out.splitlines() if line.startswith("failed: ")]
    assert "pooling=mean" in told
    assert "Out of memory." in told
    rows = [line.split() for line in out.splitlines() if line.startswith("upload-")]
    assert [row[2:5] for row in rows] == [["mean", "1", "0"], ["max", "1", "0"]]


def _press_ctrl_c(pid: int) -> None:
    # As a terminal does it: to the workers too. They get it often, so that it strikes wherever they are just then.
    workers = psutil.Process(pid).children()
    os.killpg(pid, signal.SIGINT)
    for _ in range(100):
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.send_signal(signal.SIGINT)
        time.sleep(0.01)


@pytest.mark.slow
def test_ctrl_c_ends_every_cell_after_its_batch_and_the_sweep_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    command = words(folder, "--seeds", "0", "1", "2", "--jobs", "2", n_epochs=10)
    process = subprocess.Popen(
        [sys.executable, "-m", "timemil_core", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("1/3"):
            _press_ctrl_c(process.pid)
    process.wait(60)
    assert process.returncode == 130, (lines, process.stderr.read() if process.stderr else "")
    sweep = SweepFolder(folder)
    cells = sweep.spec().cells()
    states = [outcome(sweep, cell).state for cell in cells]
    assert "finished" in states
    assert set(states) <= {"finished", "stopped", "waiting"}
    assert states.count("finished") < 3
    assert not any((sweep.cell_folder(cell) / "error.txt").exists() for cell in cells)

    assert main(["sweep", "--out", str(folder)]) == 0
    for cell in [cell for cell, state in zip(cells, states, strict=True) if state != "finished"][:1]:
        usual = {"n_epochs": 10, "batch_size": 6, "device": "cpu", "with_supervised": False}
        training = training_preset("default", **usual, seed=cell.seed)
        run = create_run(cell.data, model_settings=SMALL, training=training, folder=tmp_path / cell.name)
        execute(run)
        assert same(weights(sweep, cell), load_model(run.model_folder).network.state_dict()), cell.title


def test_a_toml_file_asks_for_what_the_words_do(tmp_path: Path) -> None:
    data = kept_small_set()
    path = tmp_path / "sweep.toml"
    path.write_text(f'data = "{data}"\nseeds = [0, 1]\n[settings]\nn_epochs = 3\npooling = ["mean", "max"]\n')
    parse = build_parser().parse_args
    by_file = _asked(parse(["sweep", str(path), "--out", "x"]))
    more = ["--seeds", "0", "1", "--set", "n_epochs=3", "--set", "pooling=mean,max"]
    assert by_file == _asked(parse(["sweep", "--out", "x", "--data", data, *more]))
    assert by_file is not None
    assert len(by_file.cells()) == 4


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--seeds", "1"], "--seeds without --data"),
        (["sweep.toml", "--data", "BasicMotions"], "both a file and --data"),
        (["--data", "BasicMotion"], "BasicMotions"),
        (["--data", "BasicMotions", "--set", "depth=1,2"], "no setting 'depth'"),
        (["--data", "BasicMotions", "--set", "n_epochs=1", "--set", "n_epochs=2"], "n_epochs is set twice"),
        (["--data", "BasicMotions", "--jobs", "0"], "trains nothing"),
        (["--data", "BasicMotions", "--dask", "tcp://127.0.0.1:1", "--jobs", "2"], "Leave --jobs out"),
        (["--data", "BasicMotions", "--slurm", "gpus"], "has no '='"),
        ([], "no sweep here"),
    ],
)
def test_what_the_user_can_mend_is_one_line(
    more: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", *more, "--out", str(tmp_path / "sweep")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert told in error
    assert not (tmp_path / "sweep").exists()
