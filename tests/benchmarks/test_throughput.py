"""The speed benchmark says what it lacks before it times anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("import einops_nobody_has\n", "needs einops_nobody_has, which is not installed: pip install"),
        (None, "no checkout"),
    ],
)
def test_it_says_what_the_authors_code_needs(tmp_path: Path, content: str | None, told: str) -> None:
    if content is not None:
        (tmp_path / "models").mkdir()
        (tmp_path / "models" / "timemil.py").write_text(content)
    words = [sys.executable, "-m", "benchmarks.throughput", "--authors", str(tmp_path), "--shapes", "1"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr
