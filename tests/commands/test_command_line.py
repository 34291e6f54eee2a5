import csv
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.__main__ import main
from timemil_core.commands.registry import NAMES, build_parser, load_command
from timemil_core.commands.train import _created
from timemil_core.data.catalogue import load
from timemil_core.models.storage import load_model
from timemil_core.training.command_line import shell_command
from timemil_core.training.run_folder import create_run, open_run

ROOT = Path(__file__).parents[2]
TINY = ["--epochs", "1", "--no-supervised", "--device", "cpu", *(
    word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")
)]  # fmt: skip


def test_the_whole_way_on_basic_motions(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = [
        sys.executable,
        "-m",
        "timemil_core",
        "train",
        "--data",
        "BasicMotions",
        "--out",
        str(out),
        "--epochs",
        "2",
    ]
    words += ["--set", "embedding_width=16", "--set", "n_heads=2", "--set", "head_size=8"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines if "/2" in line] == [
        "TimeMIL: epoch 1/2",
        "TimeMIL: epoch 2/2",
        "fully supervised counterpart: epoch 1/2",
        "fully supervised counterpart: epoch 2/2",
    ]
    model = load_model(out / "model")
    assert any(line.startswith("test accuracy: ") for line in lines)
    assert model.facts["data"] == "BasicMotions"
    assert (model.facts["n_train"], model.facts["n_validation"], model.facts["n_test"]) == (40, 0, 40)
    assert model.channel_names == load("BasicMotions").channel_names
    assert model.supervised is not None


def test_predict_prints_the_accuracy_and_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = kept_small_set()
    assert main(["train", "--data", data, "--out", str(tmp_path / "run"), "--quiet", *TINY]) == 0
    assert capsys.readouterr().out == ""
    assert main(["predict", "--model", str(tmp_path / "run"), "--data", data]) == 0
    told = capsys.readouterr().out
    accuracy = load_model(tmp_path / "run" / "model").facts["scores"]["test_accuracy"]
    assert told.startswith(f"accuracy {accuracy:.4f} (")
    assert "of 10 series)" in told

    assert main(["predict", "--model", str(tmp_path / "run" / "model"), "--data", data, "--part", "all", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 40
    test = [row for row in rows if row["part"] == "test"]
    assert np.mean([row["class"] == row["predicted"] for row in test]) == pytest.approx(accuracy)
    shares = [[float(row[f"probability of {name}"]) for name in ("no pulse", "pulse")] for row in rows]
    assert np.allclose(np.sum(shares, axis=1), 1, atol=1e-5)


def test_a_csv_file_becomes_a_data_set_of_the_workspace(tmp_path: Path, home: Path) -> None:
    rng = np.random.default_rng(0)
    lines = ["id,time,x,label"]
    for series in range(20):
        values = rng.normal(size=30) + (series % 2)
        lines += [f"s{series},{t},{value:.4f},{'ab'[series % 2]}" for t, value in enumerate(values)]
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(lines) + "\n")
    out = tmp_path / "run"
    assert main(["train", "--data", str(path), "--out", str(out), "--test-share", "0.4", "--quiet", *TINY]) == 0
    run = open_run(out)
    assert run.data.startswith("upload-")
    facts = load_model(out / "model").facts
    assert facts["n_test"] == 8
    assert facts["n_train"] + facts["n_validation"] == 12
    assert load(run.data).class_names == ("a", "b")


def test_the_finished_model_is_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "--data", kept_small_set(), "--out", str(tmp_path / "run"), *TINY]
    assert main([*words, "--model-out", str(tmp_path / "shipped"), "--title", "Pulse"]) == 0
    assert load_model(tmp_path / "shipped").facts["title"] == "Pulse"
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("1")
    words[words.index(str(tmp_path / "run"))] = str(tmp_path / "run-2")
    assert main([*words, "--model-out", str(tmp_path / "thesis")]) == 2
    assert (tmp_path / "thesis" / "chapter.tex").exists()
    assert "holds no model" in capsys.readouterr().err
    assert open_run(tmp_path / "run-2").status().state == "finished"  # the run itself has its model


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "--data", "BasicMotion"], "BasicMotions"),
        (["train", "--data", "no/such/file.csv"], "no such file"),
        (["train", "--data", "BasicMotions", "--epochs", "0"], "n_epochs is 0"),
        (["train", "--data", "BasicMotions", "--set", "depth=3"], "depth"),
        (["train", "--resume", "run-20000101-000000-abcd"], "no training run"),
        (["train", "--resume", "run-1", "--epochs", "3"], "own settings"),
        (["predict", "--model", "nothing", "--data", "BasicMotions"], "no model"),
    ],
)
def test_what_the_user_can_mend_is_one_line(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert told in error


def test_ctrl_c_stops_and_the_run_resumes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    data = kept_small_set()
    words = [sys.executable, "-m", "timemil_core", "train", "--data", data, "--out", str(out), *TINY]
    words[words.index("--epochs") + 1] = "100000"
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not (out / "metrics.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    said, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in error
    assert "it can be resumed" in said
    status = open_run(out).status()
    assert (status.state, status.can_resume) == ("stopped", True)
    assert open_run(out).has_model


def test_a_stopped_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = create_run(kept_small_set(), model_settings=SMALL, training=short_training(with_supervised=False))
    assert main(["train", "--resume", run.reference]) == 0
    assert "epoch 3/3" in capsys.readouterr().out
    assert main(["train", "--resume", str(run.folder)]) == 2
    assert "finished" in capsys.readouterr().err


def test_the_lists(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "none"))
    reference = kept_small_set()
    assert main(["data", "--here"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["reference", "kind", "train", "test"]
    [row] = [line.split() for line in lines if line.startswith("BasicMotions ")]
    assert row[:6] == ["BasicMotions", "bundled", "40", "40", "6", "100"]
    assert any(line.startswith(reference) for line in lines)
    assert not any(" download " in line for line in lines)

    assert main(["train", "--data", reference, "--quiet", *TINY]) == 0
    assert main(["models"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert reference in lines[1]
    assert lines[1].endswith("finished after 1 epochs")


def test_the_command_of_a_card_asks_for_the_same_settings(tmp_path: Path) -> None:
    training = short_training(n_epochs=7, masking_share=0.0, selection="last", learning_rate=0.003)
    run = create_run(
        kept_small_set(),
        preset="authors",
        model_settings={**SMALL, "pooling": "attention", "views": (1, 2)},
        training=training,
    )
    words = shell_command(run).split()
    assert words[:4] == ["python", "-m", "timemil_core", "train"]
    words[words.index("RUN")] = str(tmp_path / "again")
    again = _created(build_parser().parse_args(words[3:]))
    assert again.model_config == run.model_config
    assert again.training == run.training
    assert again.data == run.data


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        assert name == load_command(name).NAME
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert f"python -m timemil_core {name}" in capsys.readouterr().out
