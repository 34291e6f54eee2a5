"""``explore``: the app, opened on what a caller's fitted classifier has learned."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core import workspace
from timemil_core.commands.app import ENTRY
from timemil_core.data import store
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import RunError, TimeMILError
from timemil_core.exploring.own import own_model, set_of
from timemil_core.models.own.network import OwnNetwork
from timemil_core.models.own.served import Server
from timemil_core.models.storage import save_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.process import environment
from timemil_core.training.scores import scores

SECONDS_TO_START = 120.0


class Exploration:
    """The app, open on a classifier of the caller's, until it is closed or the process ends.

    Attributes
    ----------
    url
        Where to look.
    model, series_set
        The same for Python.
    """

    def __init__(self, url: str, model: TrainedModel, series_set: SeriesSet, close: Callable[[], None]) -> None:
        self.url, self.model, self.series_set = url, model, series_set
        self._close = close

    def close(self) -> None:
        """Stop the app, and remove what it kept."""
        self._close()

    def wait(self) -> None:
        """Stay until Ctrl-C; for scripts, whose end is the end of the app."""
        try:
            while True:
                time.sleep(1)
        except KeyboardInterrupt:
            self.close()

    def __enter__(self) -> Exploration:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank">See what the classifier has learned: {self.url}</a>'


def explore(
    classifier: Any,
    X: Any,
    y: Sequence[Any] | npt.NDArray[Any],
    *,
    X_train: Any = None,
    y_train: Sequence[Any] | npt.NDArray[Any] | None = None,
    channel_names: Sequence[str] | None = None,
    name: str | None = None,
    port: int | None = None,
) -> Exploration:
    """Open the app on a fitted classifier. It stays in this process; the app asks it for probabilities alone.

    Parameters
    ----------
    classifier, X, y, X_train, y_train, channel_names
        As for ``set_of`` and ``own_model``: aeon, sktime, a scikit-learn pipeline, or a function. What ``X`` is of two
        dimensions, the classifier is given so.
    name
        What to call it; by default its class.
    port
        Where the app listens, on this machine alone; by default any that is free.

    Raises
    ------
    DataError
        Where the arrays do not fit each other or the classifier.
    RunError
        Where the app does not start.
    """
    title = name or type(classifier).__name__
    series_set = set_of(classifier, X, y, X_train, y_train, channel_names, f"series of {title}")
    model = own_model(classifier, series_set, "own", flat=np.ndim(X) == 2)
    home = Path(tempfile.mkdtemp(prefix="timemil-"))  # of mode 0700
    assert isinstance(model.network, OwnNetwork)
    server = Server(model.network.decide, home / workspace.SERVED / "own")
    process: subprocess.Popen[bytes] | None = None

    def close() -> None:
        server.close()
        if process is not None:
            process.terminate()
            process.wait()
        shutil.rmtree(home, ignore_errors=True)

    try:
        data = f"{store.UPLOAD_PREFIX}{series_set.fingerprint}"
        store.write_series_set(series_set, home / "datasets" / data)
        told = replace(model, facts=_facts(model, series_set, title, data))
        save_model(told, home / "models" / "own")
        port = port or _free_port()
        process = _started(home, port)
        url = f"http://localhost:{port}"
        _wait_for(url, process)
    except (TimeMILError, OSError, KeyboardInterrupt):
        close()
        raise
    return Exploration(url, told, series_set, close)


def _facts(model: TrainedModel, series_set: SeriesSet, title: str, data: str) -> dict[str, Any]:
    test = series_set.part("test")
    logits = model.predict(test.series).logits
    found = {f"test_{name}": value for name, value in scores(test.labels, logits).items()}
    return {
        **model.facts,
        "title": title,
        "data": data,
        "scores": found,
        "n_test": len(test),
    }


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _started(home: Path, port: int) -> subprocess.Popen[bytes]:
    settings = {"server.port": port, "server.address": "localhost", "server.headless": "true"}
    words = [word for key, value in settings.items() for word in (f"--{key}", str(value))]
    places = {workspace.HOME_VARIABLE: str(home), workspace.PRETRAINED_VARIABLE: str(home / "models")}
    with (home / "log.txt").open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - our own interpreter and page, no shell
            [sys.executable, "-m", "streamlit", "run", str(ENTRY), *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, **environment(), **places},
        )


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):  # noqa: S310 - this machine's own
                return
        except OSError:
            time.sleep(0.2)
    raise RunError("the app did not start.", remedy="Is the port taken? Leave it out to take a free one.")
