import os
from pathlib import Path

import pytest

from timemil_core.__main__ import main
from timemil_core.commands import app


def test_it_becomes_streamlit_and_stays_in_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entry = tmp_path / "app" / "main.py"
    entry.parent.mkdir()
    entry.touch()
    started: list[list[str]] = []
    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setattr(app, "ENTRY", entry)
    monkeypatch.setattr(os, "execv", lambda program, words: started.append([program, *words]))
    main(["app", "--port", "9000", "--no-browser"])
    [[program, *words]] = started
    assert words[:5] == [program, "-m", "streamlit", "run", str(entry)]
    assert words[5:] == ["--server.port", "9000", "--server.headless", "true"]
    assert Path.cwd() == tmp_path.parent  # relative folders in the environment stay what they are


def test_without_the_checkout_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "ENTRY", tmp_path / "nowhere.py")
    assert main(["app"]) == 2
    assert "not installed" in capsys.readouterr().err


def test_the_entry_is_the_apps() -> None:
    assert app.ENTRY.relative_to(Path(__file__).resolve().parents[2]) == Path("app/main.py")
