"""Shipped models are scored again, and a card that says something else is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from timemil_core import workspace
from timemil_core.__main__ import main
from timemil_core.commands.verify_pretrained import agrees

SHIPPED = workspace.pretrained_folder()


def test_a_card_is_held_against_what_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SHIPPED / "synthetic-pulse", tmp_path / "true")
    shutil.copytree(SHIPPED / "synthetic-pulse", tmp_path / "false")
    description = tmp_path / "false" / "model.json"
    content = json.loads(description.read_text())
    content["facts"]["scores"]["test_accuracy"] = 0.5
    description.write_text(json.dumps(content))
    monkeypatch.setattr(workspace, "pretrained_folder", lambda: tmp_path)
    assert main(["verify-pretrained", "true"]) == 0
    assert "as on its card" in capsys.readouterr().out
    assert main(["verify-pretrained"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.rsplit("  ", 1)[-1].strip() for line in told[1:]] == ["differs", "as on its card"]


def test_a_card_without_scores_is_not_true() -> None:
    assert not agrees({}, {"test_accuracy": 1.0})
    assert not agrees({"test_accuracy": 1.0}, {})
    assert agrees({"test_auroc": None}, {"test_auroc": None})
