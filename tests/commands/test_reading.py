"""``--data`` of a file is read the same by every command, and what reading warns of is told by each."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from timemil_core.__main__ import main
from timemil_core.data.catalogue import load
from timemil_core.models.shelf import open_model

MODEL = "synthetic-pulse"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    return tmp_path


def pulses(path: Path, **arrays: np.ndarray) -> str:
    """Write series of the synthetic set as one file, which says nothing of parts."""
    whole = load(MODEL).subset(range(20))
    given = {"X": np.stack(whole.series), "y": np.array([whole.label_name(i) for i in range(20)]), **arrays}
    np.savez(path, **{name: one for name, one in given.items() if one.size})
    return str(path)


def doubtful(path: Path) -> str:
    """Write series whose axes can only be guessed."""
    generator = np.random.default_rng(0)
    np.savez(path, X=generator.normal(size=(12, 6, 6)).astype(np.float32), y=np.arange(12) % 2)
    return str(path)


def test_predict_reads_a_file_and_takes_what_training_would_have_held_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pulses(tmp_path / "pulses.npz")
    assert main(["predict", "--model", MODEL, "--data", file]) == 0
    assert "of 6 series" in capsys.readouterr().out
    assert main(["predict", "--model", MODEL, "--data", file, "--part", "all"]) == 0
    assert "of 20 series" in capsys.readouterr().out
    assert main(["predict", "--model", MODEL, "--data", file, "--test-share", "0"]) == 0
    assert "of 20 series" in capsys.readouterr().out
    assert not (tmp_path / "home" / "datasets").exists()  # a prediction keeps no file


def test_a_file_without_classes_is_predicted_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = pulses(tmp_path / "new.npz", y=np.array([]))
    assert main(["predict", "--model", MODEL, "--data", file, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 20
    assert {row["predicted"] for row in rows} == set(open_model(MODEL).class_names)


def test_a_table_of_predictions_says_of_each_row_what_stands_in_its_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = np.stack(load(MODEL).series[:20])
    values[3] = np.nan
    values[5, 0, 7] = 1e30
    file = pulses(tmp_path / "odd.npz", X=values)
    assert main(["predict", "--model", MODEL, "--data", file, "--csv", "--part", "all"]) == 1
    told = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(told.out)))
    unclassified = {index: row["problem"] for index, row in enumerate(rows) if row["problem"]}
    assert sorted(unclassified) == [3, 5]
    assert "nothing to classify" in unclassified[3]
    assert "1e+30 at time point 7" in unclassified[5]
    assert all((row["predicted"] == "") == bool(row["problem"]) for row in rows)
    assert told.err.count("not classified: series") == 2
    assert "hold no value at all: '4'" in told.err  # the reading's warning
    assert "such as 1e+30 at time point 7" in told.err
    assert main(["predict", "--model", MODEL, "--data", file, "--part", "all"]) == 1
    assert "of 18 series" in capsys.readouterr().out


def test_explain_and_report_read_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = pulses(tmp_path / "pulses.npz")
    words = ["--model", MODEL, "--data", file, "--series", "2", "--method", "attention"]
    assert main(["explain", *words]) == 0
    assert "for series 2" in capsys.readouterr().out
    assert main(["report", *words, "--out", str(tmp_path / "page.html")]) == 0
    assert "upload-" in (tmp_path / "page.html").read_text("utf-8")  # the script opens what was kept


def test_explain_contrasts_with_a_class_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "--model", MODEL, "--data", MODEL, "--method", "contribution", "--class", "pulse"]
    assert main([*words, "--set", "against=no pulse"]) == 0
    assert "'pulse' and not 'no pulse'" in capsys.readouterr().out
    assert main([*words, "--set", "against=0"]) == 2
    assert "no class '0'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["train", "--epochs", "1", "--set", "embedding_width=8", "--no-supervised", "--quiet"],
        ["sweep", "--out", "SWEEP", "--set", "n_epochs=1"],
        ["predict", "--model", MODEL],
        ["explain", "--model", MODEL],
        ["report", "--model", MODEL, "--out", "PAGE.html"],
        ["wavelets", "--model", MODEL, "--remove", "parts"],
        ["card", "MODEL"],
        ["rank", "--model", MODEL],
    ],
)
def test_every_command_tells_what_reading_warns_of_and_strict_refuses(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if words[-1] == "MODEL":
        words = [words[0], str(Path(__file__).parents[2] / "pretrained" / MODEL)]
    file = doubtful(tmp_path / "doubtful.npz")
    assert main([*words, "--data", file, "--strict"]) == 2
    told = capsys.readouterr().err
    assert "doubtful.npz: Warning: The axes of 'X', (12, 6, 6), are taken for" in told
    assert "--strict makes that an error" in told
    assert not (tmp_path / "SWEEP").exists()
    assert not (tmp_path / "PAGE.html").exists()


def test_a_runs_log_keeps_what_reading_warned_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, run = doubtful(tmp_path / "doubtful.npz"), tmp_path / "run"
    words = ["--epochs", "1", "--set", "embedding_width=8", "--no-supervised", "--quiet"]
    assert main(["train", "--data", file, "--out", str(run), *words]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if "Warning: " in line]
    log = (run / "log.txt").read_text("utf-8")
    assert warnings
    assert all(line in log for line in warnings)
