"""The floors of the house: what may import what."""

import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).resolve().parents[1]

IMPORT_ALL = """
import importlib, pkgutil, sys
sys.modules["streamlit"] = None  # any import of it fails
import timemil_core
for module in pkgutil.walk_packages(timemil_core.__path__, "timemil_core."):
    importlib.import_module(module.name)
    print(module.name)
"""


def run(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_lower_room_never_imports_a_higher_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", list(sys.path))  # the linter adds to it
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_the_library_works_without_streamlit() -> None:
    imported = run(IMPORT_ALL)
    assert {"timemil_core.estimator", "timemil_core.training.run", "timemil_core.explain.importance"} <= set(imported)


def test_importing_the_package_is_light() -> None:
    loaded = set(run("import sys, timemil_core; print(*sys.modules)"))
    assert not loaded & {"torch", "aeon", "sklearn", "pandas"}


def test_the_public_names() -> None:
    import timemil_core
    from timemil_core.data.series_set import SeriesSet
    from timemil_core.estimator import TimeMILClassifier

    assert timemil_core.SeriesSet is SeriesSet
    assert timemil_core.TimeMILClassifier is TimeMILClassifier
    assert timemil_core.__version__
    with pytest.raises(AttributeError, match="no attribute 'TimeMachine'"):
        _ = timemil_core.TimeMachine
