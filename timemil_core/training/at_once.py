"""Networks that are fitted at once: in a process of their own, which can be stopped and has a time limit.

Nothing is known of how far such a fit is but what it tells itself; so the run tells how long it has been at it, and of
how many minutes. Broken off, nothing is kept: a resumed run begins anew.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.errors import RunError, TimeMILError
from timemil_core.jobs import Progress
from timemil_core.models.building import NETWORKS
from timemil_core.models.network import Network
from timemil_core.models.storage import save_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.command_line import shell_command
from timemil_core.training.config import TrainingConfig
from timemil_core.training.facts import fitted_facts
from timemil_core.training.loop import ShouldStop, TrainingStoppedError
from timemil_core.training.reporter import Speaker
from timemil_core.training.run_data import RunData, run_data
from timemil_core.training.run_folder import RunFolder
from timemil_core.training.scores import scores
from timemil_core.training.status import FITTING_STAGE

SECONDS_BETWEEN_LOOKS = 0.2
DIED = "The process that fitted it ended without a word; out of memory?"  # unless it says more


def fit_run(run: RunFolder, reporter: Speaker, should_stop: ShouldStop) -> None:
    """Fit a run's network and write its model; within the run's time limit.

    Raises
    ------
    TrainingStoppedError
        Where ``should_stop`` said so.
    RunError
        Where the time is over, the data do not allow it, or the process died.
    """
    title, limit = NETWORKS[str(run.config["model"]["network"])].title, run.training.time_limit * 60
    reporter.update(state="running", stage=f"{FITTING_STAGE} {title}", device="CPU")
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_in_a_process, args=(str(run.folder), theirs), daemon=True)
    started = time.monotonic()
    process.start()
    theirs.close()
    told: str | None = DIED
    try:
        while process.is_alive() or ours.poll():
            if should_stop():
                raise TrainingStoppedError
            if time.monotonic() - started > limit:
                raise RunError(
                    f"{title} was not fitted within {run.training.time_limit:g} minutes.",
                    remedy="Give a larger time_limit, or fewer series.",
                )
            if ours.poll(SECONDS_BETWEEN_LOOKS):
                try:
                    done, of, told = ours.recv()
                except EOFError:
                    break
                reporter.on_batch(done, of)
    finally:
        process.kill()
        process.join()
    if told is not None:
        raise RunError(told)


def _in_a_process(folder: str, connection: Connection) -> None:
    def progress(done: int, of: int) -> None:
        connection.send((done, of, DIED))

    run = RunFolder(Path(folder))
    try:
        model = _fitted(run, run_data(run), progress)
        save_model(model, run.model_folder)
    except TimeMILError as error:
        connection.send((0, 0, str(error)))
    except Exception as error:  # of another library: the run tells it
        connection.send((0, 0, f"{type(error).__name__}: {error}"))
        raise
    else:
        connection.send((1, 1, None))


def _fitted(run: RunFolder, data: RunData, progress: Progress) -> TrainedModel:
    model = fit_at_once(data, str(run.config["model"]["network"]), run.training, progress)
    facts = {
        "title": run.title,
        "data": run.data,
        "preset": run.config["preset"],
        **model.facts,
        "command": shell_command(run),
        "created": run.created,
    }
    return replace(model, facts=facts)


def fit_at_once(data: RunData, name: str, training: TrainingConfig, progress: Progress) -> TrainedModel:
    """Fit a network of this name on the training series and score it once on the test part, where there is one.

    Raises
    ------
    DataError
        Where the network cannot be fitted on such series.
    """
    fit = NETWORKS[name].fit
    assert fit is not None
    series_set = data.series_set
    started = time.perf_counter()
    prepared = data.preparation.transform([series_set.series[index] for index in data.fit])
    network = fit(prepared, series_set.labels[data.fit], series_set.n_classes, training.seed, progress)
    fitted_in = time.perf_counter() - started
    facts = fitted_facts(data, training, _test_scores(network, data), fitted_in)
    facts["notes"] += unread(network, series_set)
    return _model(network, data.preparation, series_set, facts)


def unread(network: Network, series_set: SeriesSet) -> list[str]:
    """Return a note where the network does not read the whole of some series."""
    longest = max(one.shape[1] for one in series_set.series)
    if network.reads_at_most is None or longest <= network.reads_at_most:
        return []
    return [
        f"It compares whole series: of those longer than any that it was fitted on it reads the first "
        f"{network.reads_at_most:,} time points; the longest here has {longest:,}."
    ]


def _model(network: Network, preparation: Preparation, series_set: SeriesSet, facts: dict[str, Any]) -> TrainedModel:
    return TrainedModel(
        network, preparation, series_set.class_names, series_set.channel_names, series_set.sampling_rate, facts
    )


def _test_scores(network: Network, data: RunData) -> dict[str, Any]:
    if not len(data.test):
        return {}
    model = _model(network, data.preparation, data.series_set, {})
    test: Sequence[FloatArray] = [data.series_set.series[index] for index in data.test]
    logits = model.predict(test).logits
    return {f"test_{name}": value for name, value in scores(data.series_set.labels[data.test], logits).items()}
