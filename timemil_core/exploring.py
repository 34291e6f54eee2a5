"""``own_model`` and ``explore``: what a caller's fitted classifier has learned, in Python and in the app."""

from __future__ import annotations

import copy
import hashlib
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
import torch
from scipy.special import expit

from timemil_core import workspace
from timemil_core.commands.app import ENTRY
from timemil_core.data import store
from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import SeriesSet, default_channel_names
from timemil_core.data.splitting import with_split
from timemil_core.errors import DataError, ModelError, RunError, TimeMILError
from timemil_core.explain.evaluation.held_out import spread_over
from timemil_core.models.own.network import NETWORK, Decide, OwnConfig, OwnNetwork, Probabilities, Series
from timemil_core.models.own.served import Server
from timemil_core.models.ridge import likeliest_stretch
from timemil_core.models.storage import save_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.process import environment
from timemil_core.training.scores import scores

SECONDS_TO_START = 120.0
TEST_SHARE = 0.5
SERIES_ASKED = 20
NO_MARGINS = (
    "This classifier's probabilities are 0 and 1 alone: a change of a series moves nothing until the class turns, and "
    "maps are steps."
)
BY_MARGINS = (
    "This classifier gives the class alone, and no graded probabilities. What is shown are its margins, stretched by "
    "the one factor that makes the given classes likeliest; the class that it gives is the same."
)


def own_model(classifier: Any, series_set: SeriesSet, name: str = "own", *, flat: bool = False) -> TrainedModel:
    """Return a caller's classifier as a model: every method that needs ``predict_proba`` alone applies to it.

    Parameters
    ----------
    classifier
        Fitted; with ``predict_proba`` or ``decision_function``, or itself a function from series ``(n_series,
        n_channels, n_timepoints)`` to probabilities ``(n_series, n_classes)``. Its classes are in the order of
        ``series_set.class_names``.
    series_set
        What it is to be seen on.
    name
        What to call it.
    flat
        Whether it is given its one channel as ``(n_series, n_timepoints)``, as scikit-learn's are.

    Raises
    ------
    ModelError
        Where it has neither probabilities nor margins, or what it gives does not fit the set.
    """
    decide, notes = _asked_of(classifier, series_set, flat)
    preparation = Preparation.fit(series_set.series, "none")
    unknown = OwnConfig(series_set.n_channels, series_set.n_classes, name)
    config = replace(unknown, identity=_identity(OwnNetwork(unknown, decide), preparation, series_set))
    return TrainedModel(
        OwnNetwork(config, decide),
        preparation,
        series_set.class_names,
        series_set.channel_names,
        series_set.sampling_rate,
        {
            "origin": NETWORK,
            "data_name": series_set.name,
            "training": {"masking_share": 0.0},
            "title": name,
            "notes": notes,
        },
    )


def set_of(
    classifier: Any,
    X: Any,
    y: Sequence[Any] | npt.NDArray[Any],
    X_train: Any = None,
    y_train: Sequence[Any] | npt.NDArray[Any] | None = None,
    channel_names: Sequence[str] | None = None,
    name: str = "series given to explore",
) -> SeriesSet:
    """Return arrays as the set on which a classifier is seen; classes in the order of its ``classes_``.

    ``X`` ``(n_series, n_channels, n_timepoints)``, ``(n_series, n_timepoints)`` for one channel, or a list of arrays;
    the test part, where ``X_train`` is given, which is then the training part; else it is split in two.

    Raises
    ------
    DataError
        Where a label is none of the classifier's, or numbers of series and labels differ.
    """
    series, labels = _arrays(X), np.asarray(y)
    parts = np.full(len(series), "test")
    if X_train is not None:
        before = _arrays(X_train)
        series, labels = [*before, *series], np.concatenate([np.asarray(y_train), labels])
        parts = np.concatenate([np.full(len(before), "train"), parts])
    if len(series) != len(labels):
        raise DataError(f"{len(series)} series and {len(labels)} labels.", remedy="Give a label to each.")
    classes = [str(one) for one in getattr(classifier, "classes_", np.unique(labels))]
    if unknown := sorted({str(one) for one in labels} - set(classes)):
        raise DataError(f"the label {unknown[0]!r} is none of the classifier's: {', '.join(classes)}.")
    made = SeriesSet(
        name=name,
        series=tuple(one.astype(np.float32) for one in series),
        labels=np.array([classes.index(str(one)) for one in labels], dtype=np.int64),
        class_names=tuple(classes),
        series_ids=tuple(str(place) for place in range(len(series))),
        channel_names=tuple(channel_names or default_channel_names(series[0].shape[0])),
        split=parts if X_train is not None else np.full(len(series), "train"),
    )
    return made if X_train is not None else with_split(made, TEST_SHARE)


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


def _identity(network: OwnNetwork, preparation: Preparation, series_set: SeriesSet) -> str:
    known = spread_over(np.arange(len(series_set)), SERIES_ASKED)
    prepared = preparation.transform([series_set.series[index] for index in known])
    digest = hashlib.sha256()
    for one in prepared:
        digest.update(network(torch.from_numpy(np.asarray(one, dtype=np.float32))[None]).numpy().tobytes())
    return digest.hexdigest()[:16]


def _asked_of(classifier: Any, series_set: SeriesSet, flat: bool) -> tuple[Decide, list[str]]:
    """Return what to ask of a classifier, and what to tell of it.

    Where probabilities are 0 and 1 alone, a change of a series moves nothing until the class turns. Many such have
    margins behind them (ridge, support vectors): these are taken instead, stretched by the one factor that makes the
    given classes likeliest.
    """
    asked_for = getattr(classifier, "predict_proba", classifier if callable(classifier) else None)
    decide = None if asked_for is None else _given(asked_for, flat)
    known = spread_over(np.arange(len(series_set)), SERIES_ASKED)
    asked = [np.asarray(series_set.series[index], dtype=np.float64)[None] for index in known]
    if decide is not None and not np.isin(np.concatenate([decide(one) for one in asked]), (0.0, 1.0)).all():
        return decide, []
    margins = margins_of(classifier, flat)
    if margins is None:
        if decide is None:
            raise ModelError(
                f"{type(classifier).__name__} has neither predict_proba nor decision_function, and is no function.",
                remedy="Give a function from series to probabilities.",
            )
        return decide, [NO_MARGINS]
    targets = np.where(series_set.labels[known][:, None] == np.arange(series_set.n_classes), 1.0, -1.0)
    stretch = likeliest_stretch(np.concatenate([margins(one) for one in asked]), targets)

    def by_margins(series: Series) -> Probabilities:
        chances = expit(stretch * margins(series))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    return by_margins, [BY_MARGINS]


def margins_of(classifier: Any, flat: bool = False) -> Decide | None:
    """Return the margins ``(n_series, n_classes)`` by which a classifier decides; None where it has none.

    Its own ``decision_function``, or that of the pipeline or of the last step within (aeon's convolution-based
    classifiers end in a ridge, and give the class alone).
    """
    if hasattr(classifier, "decision_function"):
        return _both_sides(_given(classifier.decision_function, flat))
    if hasattr(getattr(classifier, "pipeline_", None), "decision_function"):
        return _both_sides(_given(classifier.pipeline_.decision_function, flat))
    last = getattr(classifier, "classifier", None)
    if not (hasattr(last, "decision_function") and hasattr(classifier, "_predict")):
        return None
    opened = copy.copy(classifier)
    opened.classifier = _Deciding(last)
    return _both_sides(_given(opened._predict, flat))


class _Deciding:
    """A last step that tells its margins where it is asked for a class."""

    def __init__(self, last: Any) -> None:
        self.predict = last.decision_function


def _both_sides(decision: Decide) -> Decide:
    def margins(series: Series) -> Probabilities:
        found = decision(series)
        return np.stack([-found, found], axis=1) if found.ndim == 1 else found  # of two classes, one number

    return margins


def _given(asked: Callable[[Series], Any], flat: bool) -> Decide:
    return lambda series: np.asarray(asked(series[:, 0] if flat else series), dtype=np.float64)


def _arrays(X: Any) -> list[npt.NDArray[Any]]:
    return [one[None] if one.ndim == 1 else one for one in (np.asarray(one) for one in X)]


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
