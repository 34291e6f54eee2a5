"""How long a person waits: the first picture on a warm server, and the step to another series.

``python -m benchmarks.pages`` starts the app on a workspace of its own with a set of long series, drives it in
headless Chromium (``$TIMEMIL_CHROMIUM``, by default /usr/bin/chromium), and times from the click or the URL until the
chart of the new series is drawn. The model has random weights: the time does not depend on what they are.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, ViewportSize, sync_playwright

from benchmarks.report import print_report
from timemil_core.data import store
from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import SeriesSet, default_channel_names
from timemil_core.models.config import preset
from timemil_core.models.storage import save_model
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
VIEWPORT: ViewportSize = {"width": 1440, "height": 1000}
PLOT = ".st-key-series .js-plotly-plot .main-svg"
DRAWN = """() => {
    const plot = document.querySelector('.st-key-series .js-plotly-plot');
    if (!plot || !plot._fullData) return '';
    return plot._fullData.filter(trace => trace.type === 'scatter').map(trace => trace.y && trace.y[0]).join();
}"""
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--channels", type=int, default=6)
    parser.add_argument("--timepoints", type=int, nargs="+", default=[100, 1000, 20_000])
    parser.add_argument("--looking", type=float, default=2.0, help="seconds that a person looks before the next step")
    parser.add_argument("--steps", type=int, default=6, help="series stepped through")
    arguments = parser.parse_args()
    rows = [measure(arguments.channels, n, arguments.steps, arguments.looking) for n in arguments.timepoints]
    print_report(
        rows, what=f"seconds until the chart is drawn, Attention page, medians; a look of {arguments.looking} s at each"
    )


def measure(n_channels: int, n_timepoints: int, n_steps: int, looking: float) -> dict[str, float | int]:
    """Return the seconds for one length of series."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TIMEMIL_HOME"] = folder
        os.environ["TIMEMIL_PRETRAINED"] = str(Path(folder) / "models")
        reference = prepare(Path(folder), n_channels, n_timepoints, n_steps + 2)
        with serving() as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("TIMEMIL_CHROMIUM", "/usr/bin/chromium"), args=FLAGS
            )
            opened = [browser.new_page(viewport=VIEWPORT) for _ in range(4)]  # each with an empty cache of its own
            first, *warm = (opening(page, url, reference, looking) for page in opened)
            for page in opened:
                page.close()
            context = browser.new_context(viewport=VIEWPORT)
            opening(context.new_page(), url, reference, looking)
            again = [opening(context.new_page(), url, reference, looking) for _ in range(3)]
            page = context.pages[-1]
            page.wait_for_selector(IDLE)
            steps = [step(page, looking) for _ in range(n_steps)]
            browser.close()
    return {
        "channels": n_channels,
        "time points": n_timepoints,
        "first page after start": first,
        "first picture, warm server": statistics.median(warm),
        "the same, cache filled": statistics.median(again),
        "next series": statistics.median(steps),
        "slowest step": max(steps),
    }


def prepare(folder: Path, n_channels: int, n_timepoints: int, n_series: int) -> str:
    """Store a set of random walks and a model of random weights; return the set's reference."""
    rng = np.random.default_rng(0)
    walks = rng.normal(size=(n_series, n_channels, n_timepoints)).cumsum(axis=2).astype(np.float32)
    names = default_channel_names(n_channels)
    series_set = SeriesSet(
        name="Walks",
        series=tuple(walks),
        labels=np.arange(n_series, dtype=np.int64) % 2,
        class_names=("even", "odd"),
        series_ids=tuple(f"walk {index}" for index in range(n_series)),
        channel_names=names,
        split=np.full(n_series, "train"),
        sampling_rate=100.0,
    )
    reference = store.keep(series_set)
    network = TimeMIL(preset("default", n_channels=n_channels, n_classes=2)).eval()
    model = TrainedModel(
        network,
        Preparation.fit(series_set.series),
        ("even", "odd"),
        names,
        100.0,
        {"data": reference, "title": "Walks"},
    )
    save_model(model, folder / "models" / "walks")
    return reference


class serving:  # noqa: N801  a context manager, named as it reads
    """The app on a free port of the loopback."""

    def __enter__(self) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        root = Path(__file__).resolve().parents[1]
        command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.port", str(port)]
        self.server = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        url = f"http://localhost:{port}"
        for _ in range(120):
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):  # noqa: S310  our own http URL
                    return url
            except OSError:
                time.sleep(0.5)
        raise RuntimeError("the app did not answer within a minute")

    def __exit__(self, *_: object) -> None:
        self.server.terminate()
        self.server.wait(timeout=20)


def opening(page: Page, url: str, reference: str, looking: float) -> float:
    """Return the seconds from a URL to its first chart; the page is then looked at until it is whole."""
    started = time.perf_counter()
    page.goto(f"{url}/attention?data={reference}&model=walks")
    page.wait_for_selector(PLOT, timeout=120_000)
    seconds = time.perf_counter() - started
    page.wait_for_selector(IDLE, timeout=120_000)
    page.wait_for_timeout(1000 * looking)
    return seconds


def step(page: Page, looking: float) -> float:
    """Return the seconds from pressing Next, after a look at the page, until the next series is drawn."""
    page.wait_for_selector(IDLE, timeout=120_000)
    page.wait_for_timeout(1000 * looking)
    before = page.evaluate(DRAWN)
    started = time.perf_counter()
    page.locator(".st-key-step_right button").click()
    page.wait_for_function(f"before => {{ const now = ({DRAWN})(); return now && now !== before; }}", arg=before)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
