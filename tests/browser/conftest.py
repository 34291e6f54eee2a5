"""The running app and a headless Chromium, as a person has them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("TIMEMIL_CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 120_000  # milliseconds: tests measure behaviour, and two cores may be busy

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of its own, so that nothing of the user's is touched."""
    return tmp_path_factory.mktemp("workspace")


@pytest.fixture(scope="session")
def app_url(workspace: Path) -> Iterator[str]:
    """The app, served on a free port of the loopback."""
    with serving(workspace) as url:
        yield url


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(workspace: Path, port: int | None = None, *options: str) -> Iterator[str]:
    """Serve the app on a workspace and give its URL."""
    port = free_port() if port is None else port
    environment = {**os.environ, "TIMEMIL_HOME": str(workspace), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.port", str(port), *options]
    with (workspace / f"app-{port}.log").open("w") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
        url = f"http://localhost:{port}"
        _wait_until_healthy(url, server)
        yield url
        server.terminate()
        server.wait(timeout=20)


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(120):
        if server.poll() is not None:
            pytest.fail("the app ended before it answered")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail("the app did not answer within a minute")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium from the system."""
    if not shutil.which(CHROMIUM):
        pytest.skip(f"no Chromium at {CHROMIUM}; name another in TIMEMIL_CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """What tabs share: the scripts of the page, which are loaded and compiled once."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(profile: BrowserContext) -> Iterator[Page]:
    """A new tab, without cookies."""
    yield profile.new_page()
    for tab in profile.pages:
        tab.close()
    profile.clear_cookies()
