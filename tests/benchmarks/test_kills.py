"""Fault injection in the size of a test: ten trainings killed at ten steps on the disk come out the same, resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks")
def test_trainings_killed_while_they_write_end_in_the_same_weights(tmp_path: Path) -> None:
    kept = tmp_path / "kills.json"
    words = [sys.executable, "-m", "benchmarks.kills", "--kills", "10", "--epochs", "2", "--out", str(kept)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    kills = json.loads(kept.read_text("utf-8"))
    assert len(kills) == 10
    assert all(one["killed"] >= 1 and one["problem"] == "" for one in kills)
    assert {"write", "rename", "remove"} <= {one["step"] for one in kills}
