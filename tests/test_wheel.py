"""What is installed without the checkout: built as users build it, and used where no checkout is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("timemil_core", "app", "pretrained", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
NO_WASTE = shutil.ignore_patterns("__pycache__", "*.egg-info")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the wheel was unpacked, which is all that an installation does with it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # a build leaves files behind, and takes those that an older one left
    source.mkdir()
    for part in (*(ROOT / name for name in PARTS), *ROOT.glob("requirements*.txt")):
        if part.is_dir():
            shutil.copytree(part, source / part.name, ignore=NO_WASTE)
        else:
            shutil.copy(part, source)
    words = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder)]
    done = subprocess.run([sys.executable, *words, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "installed")
    shutil.rmtree(source)
    return folder / "installed"


def run(installed: Path, tmp_path: Path, *words: str) -> str:
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("TIMEMIL_", "STREAMLIT_"))}
    environment |= {"PYTHONPATH": str(installed), "TIMEMIL_HOME": str(tmp_path / "home"), "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_that_is_read_at_run_time_is_left_out(installed: Path) -> None:
    places = {
        "timemil_core": ROOT / "timemil_core",
        "app": ROOT / "app",
        "timemil_core/pretrained": ROOT / "pretrained",
    }
    for inside, folder in places.items():
        wanted = {
            path.relative_to(folder)
            for path in folder.rglob("*")
            if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts)
        }
        missing = sorted(str(path) for path in wanted if not (installed / inside / path).is_file())
        assert not missing, inside


def test_the_catalogue_and_its_facts_are_there(installed: Path, tmp_path: Path) -> None:
    told = run(installed, tmp_path, "-m", "timemil_core", "data", "gesture", "wiimote")
    assert "AllGestureWiimoteX" in told


def test_shipped_models_and_their_data_are_there(installed: Path, tmp_path: Path) -> None:
    lines = (
        "import timemil_core",
        "from timemil_core.data import catalogue",
        "from timemil_core.models.shelf import open_model",
        "model, data = open_model('basicmotions'), catalogue.load('BasicMotions')",
        "print(timemil_core.__file__, int((model.predict(data.series).labels == data.labels).sum()), len(data))",
    )
    where, right, of = run(installed, tmp_path, "-c", "\n".join(lines)).split()
    assert Path(where).is_relative_to(installed)
    assert int(right) > 0.9 * int(of)


def test_the_app_has_its_settings(installed: Path, tmp_path: Path) -> None:
    lines = (
        "from streamlit import config",
        "from timemil_core.commands.app import ENTRY",
        "config._main_script_path = str(ENTRY)",
        "config.get_config_options(force_reparse=True)",
        "print(ENTRY, config.get_option('browser.gatherUsageStats'), config.get_option('server.maxUploadSize'))",
    )
    entry, statistics, largest = run(installed, tmp_path, "-c", "\n".join(lines)).split()
    assert (Path(entry).is_relative_to(installed), statistics, largest) == (True, "False", "1024")
