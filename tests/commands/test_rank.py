"""``rank``: its table, and where the ranking is kept."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from timemil_core.__main__ import main
from timemil_core.commands import rank
from timemil_core.explain.evaluation import kept, measuring
from timemil_core.explain.evaluation.ranking import FACT
from timemil_core.models.storage import DESCRIPTION
from timemil_core.workspace import pretrained_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(measuring, "MOST_SERIES", 3)
    monkeypatch.setattr(measuring, "FEWEST_SERIES", 3)
    monkeypatch.setattr(measuring, "N_PLACES", 5)
    few = ["attention", "occlusion"]  # each is measured in tests/explain
    monkeypatch.setattr(kept, "rank_methods", partial(measuring.rank_methods, methods=few))
    copy = tmp_path / "model"
    shutil.copytree(pretrained_folder() / "italypowerdemand", copy)
    description = json.loads((copy / DESCRIPTION).read_text("utf-8"))
    description["facts"].pop(FACT, None)
    (copy / DESCRIPTION).write_text(json.dumps(description), "utf-8")
    return copy


def test_prints_the_methods_and_keeps_them_with_the_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = {path.name: path.read_bytes() for path in folder.glob("*.safetensors")}
    assert main(["rank", "--model", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "Occlusion" in said and "mean rank" in said
    facts = json.loads((folder / DESCRIPTION).read_text("utf-8"))["facts"]
    assert facts[FACT]["n_series"] == 3
    assert {path.name: path.read_bytes() for path in folder.glob("*.safetensors")} == weights


def test_stopped_by_a_signal_it_says_so_by_its_exit_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_args: object, **_settings: object) -> None:
        raise rank.StoppedError

    monkeypatch.setattr(rank, "rank_and_keep", stopped)
    monkeypatch.setattr(rank.StopOnSignal, "exit_code", 130)
    assert main(["rank", "--model", str(folder)]) == 130
