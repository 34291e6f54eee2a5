"""What the training process does: from a run folder's settings to its model."""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout

from timemil_core.atomic import clean, set_aside, storing
from timemil_core.data.report_line import LOUD
from timemil_core.data.wording import counted
from timemil_core.errors import DataError, ModelError, RunError, StorageError, TimeMILError
from timemil_core.models.at_once import FitConfig
from timemil_core.models.network import Network, NetworkConfig
from timemil_core.models.storage import read_description, save_model
from timemil_core.models.wavelet_path import FILE as WAVELET_PATH
from timemil_core.models.wavelet_path import WaveletPath, load_path, path_of, save_path
from timemil_core.training.at_once import fit_run
from timemil_core.training.checkpoint import begin_checkpoint, restore_checkpoint, save_checkpoint
from timemil_core.training.command_line import shell_command
from timemil_core.training.device import device_name, pick_devices
from timemil_core.training.examples import Examples
from timemil_core.training.facts import training_facts
from timemil_core.training.loop import ShouldStop, TrainingStoppedError
from timemil_core.training.metrics import NetworkName, append_line, count_lines, keep_lines, unlearned
from timemil_core.training.outcome import (
    STAGES,
    Trainers,
    finished_networks,
    network_configs,
    score_on_test,
    trained_model,
)
from timemil_core.training.replica_processes import train_in_replicas
from timemil_core.training.replicas import ALONE, Replicas
from timemil_core.training.reporter import Reporter, Speaker
from timemil_core.training.run_data import RunData, run_data
from timemil_core.training.run_files import LAUNCHED, STATUS, read_file
from timemil_core.training.run_folder import METRICS, RunFolder
from timemil_core.training.status import LOADING_STAGE, NO_ROOM, SCORING_STAGE
from timemil_core.training.trainer import Trainer

CHECKPOINT = "checkpoint"


def execute(
    run: RunFolder,
    report: Callable[[str], None] = lambda line: None,
    should_stop: ShouldStop = lambda: False,
) -> None:
    """Train a run from its beginning, or from its checkpoint, and write its model.

    Returns after the end, or after a request to stop; ``run.status()`` tells which.

    Parameters
    ----------
    run
        Created by ``create_run``.
    report
        Told each line that goes to ``log.txt``.
    should_stop
        Asked between batches, besides ``run.stop_requested()``.

    Raises
    ------
    RunError
        Where another process is at work on this run, it has finished, or its checkpoint is damaged.
    StorageError
        Where there is no room; the run can be resumed once there is.
    TimeMILError
        Where the data or the settings do not allow it; the run's status says the same.
    """
    with _alone(run):
        _refuse_finished(run)
        if not _was_launched_for(run):
            run.clear_stop_request()  # left over from a process that died; nobody asked this one yet
        reporter = Reporter(run, report)
        try:
            _clean(run)
            _start(run, reporter, lambda: should_stop() or run.stop_requested())
        except StorageError as error:
            reporter.end(NO_ROOM, f"{error} No finished epoch is lost; resume the run then.")
            raise
        except TimeMILError as error:
            reporter.end("failed", str(error))
            raise
        except OSError as error:
            told = RunError(f"{error.strerror or error}.", where=str(error.filename or run.folder))
            reporter.end("failed", str(told), f"{traceback.format_exc()}\n")
            raise told from error
        except Exception as error:
            message = (
                f"A fault of the program ({type(error).__name__}: {error}); log.txt in the run's folder has it all."
            )
            reporter.end("failed", message, f"{traceback.format_exc()}\n")
            raise


def _refuse_finished(run: RunFolder) -> None:
    try:
        finished = run.status().state == "finished"
    except RunError:  # a damaged status is written anew
        finished = run.has_model and not any((run.network_folder(network) / CHECKPOINT).exists() for network in STAGES)
    if finished:
        raise RunError("this run has finished.", where=run.reference, remedy="Start a new one.")


def _was_launched_for(run: RunFolder) -> bool:
    try:
        launched = run.launched()
    except RunError:
        return False
    return launched is not None and launched["pid"] == os.getpid()


def _clean(run: RunFolder) -> None:
    for name in (STATUS, LAUNCHED):
        try:
            read_file(run.folder, name)
        except RunError:
            set_aside(run.folder / name)
    for network in STAGES:
        for folder in (run.network_folder(network), run.network_folder(network) / CHECKPOINT):
            if folder.is_dir():
                clean(folder, but_for=(LAUNCHED,))  # whoever launched this process may be writing its name


@dataclass(frozen=True, eq=False)
class _Job:
    run: RunFolder
    reporter: Speaker
    replicas: Replicas
    data: RunData
    device: torch.device
    should_stop: ShouldStop
    fit: Examples
    judged: Examples | None


@contextmanager
def _alone(run: RunFolder) -> Iterator[None]:
    # The operating system lets go of the lock when its holder dies, however it dies.
    lock = FileLock(run.folder / "lock", timeout=0)
    try:
        with storing(run.folder / "lock"):
            lock.acquire()
    except Timeout as error:
        raise RunError("another process is training this run.", where=run.reference) from error
    except OSError as error:
        raise RunError(f"lock cannot be held: {error.strerror}.", where=str(run.folder), remedy="Remove it.") from error
    try:
        yield
    finally:
        lock.release()


def _start(run: RunFolder, reporter: Reporter, should_stop: ShouldStop) -> None:
    pick_devices(run.training.device, run.training.devices)  # refuses what this machine has not
    if run.training.devices == 1:
        _train(run, reporter, should_stop, ALONE)
    else:
        train_in_replicas(_train, run, reporter, should_stop)


def _train(run: RunFolder, reporter: Speaker, should_stop: ShouldStop, replicas: Replicas) -> None:
    device = pick_devices(run.training.device, run.training.devices)[replicas.rank]
    reporter.update(state="running", stage=LOADING_STAGE, device=device_name(device, replicas.size))
    with replicas.first_alone():
        data = run_data(run)
    asked = run.model_config
    if isinstance(asked, FitConfig):
        _fit(run, reporter, should_stop, data)
        return
    fit = data.examples(data.fit, device)
    assert fit is not None
    if len(fit) < replicas.size:
        raise DataError(f"{len(fit)} series to train on cannot be shared by {replicas.size} devices.", where=run.data)
    job = _Job(run, reporter, replicas, data, device, should_stop, fit, data.examples(data.judged, device))
    for line in _said_of(run, data):
        reporter.line(line)
    trainers: Trainers = {}
    try:
        for network, config in network_configs(asked, run.training).items():
            trainers[network] = _open_trainer(job, network, config)
            _run_epochs(job, network, trainers[network])
    except TrainingStoppedError:
        if replicas.writes:
            _end_stopped(job, trainers["timemil"])
    else:
        if replicas.writes:
            _end_finished(job, trainers)


def _fit(run: RunFolder, reporter: Speaker, should_stop: ShouldStop, data: RunData) -> None:
    for line in _said_of(run, data):
        reporter.line(line)
    try:
        fit_run(run, reporter, should_stop)
    except TrainingStoppedError:
        message = "Stopped before it was fitted; resumed, it begins anew."
        reporter.update(state="stopped", message=message)
        reporter.line(message)
    else:
        reporter.update(state="finished", epoch=1)
        _tell_scores(reporter, read_description(run.model_folder)["facts"]["scores"])
    run.clear_stop_request()


def _tell_scores(reporter: Speaker, found: dict[str, Any]) -> None:
    for name, value in found.items():
        reporter.line(f"{name.replace('_', ' ')}: {value if value is None else f'{value:.4g}'}")


def _said_of(run: RunFolder, data: RunData) -> Iterator[str]:
    """Yield what reading the data warned of, where the log does not hold it yet, and what the run says of them."""
    log = run.log_text()
    for line in data.series_set.provenance:
        if line.startswith(LOUD) and line not in log:
            yield line
    for note in data.notes:
        yield f"Note: {note}"


def _open_trainer(job: _Job, network: NetworkName, config: NetworkConfig) -> Trainer:
    trainer = Trainer(config, job.run.training, job.device, job.replicas)
    folder = job.run.network_folder(network)
    stage = STAGES[network]
    if restore_checkpoint(trainer, folder / CHECKPOINT, lambda line: job.reporter.line(f"{stage}: {line}")):
        trainer.wavelet_path = _path_so_far(job, trainer, folder)
        job.reporter.line(f"{stage}: resumed after epoch {trainer.n_finished}.")
    elif (n_told := count_lines(folder / METRICS)) > 1:  # the first may have been killed before it could be stored
        raise RunError(
            f"{METRICS} tells of {n_told} epochs, and their checkpoint is missing: to begin anew would lose them.",
            where=str(folder),
            remedy="Copy the run's folder with its checkpoint, or start a new run.",
        )
    if job.replicas.writes:
        begin_checkpoint(folder / CHECKPOINT)
        if n_damaged := keep_lines(folder / METRICS, trainer.n_finished):
            job.reporter.line(
                f"{stage}: {counted(n_damaged, 'damaged line')} of {METRICS} left out: the curves lack them."
            )
        _write_path(trainer, folder)
    sentence = trainer.plan_memory(job.fit).sentence
    job.reporter.update(note=sentence)
    if sentence:
        job.reporter.line(f"{stage}: {sentence}")
    return trainer


def _run_epochs(job: _Job, network: NetworkName, trainer: Trainer) -> None:
    folder = job.run.network_folder(network)
    job.reporter.update(stage=STAGES[network], epoch=trainer.n_finished, batch=0, n_batches=0)
    while not trainer.is_finished:
        record = trainer.run_epoch(
            job.fit,
            job.judged,
            judged_on=job.data.judged_on,
            on_batch=job.reporter.on_batch,
            should_stop=job.should_stop,
        )
        if job.replicas.writes:
            append_line(folder / METRICS, record)  # before the checkpoint: a line too many is dropped on resuming
            _write_path(trainer, folder)
            save_checkpoint(trainer, folder / CHECKPOINT)
        job.reporter.on_epoch(STAGES[network], record)


def _path_so_far(job: _Job, trainer: Trainer, folder: Path) -> WaveletPath | None:
    try:
        kept = load_path(folder / WAVELET_PATH)
    except ModelError as error:
        job.reporter.line(f"{error.problem} It begins anew.")
        kept = None
    if kept is None:  # a run that was begun before ways were kept
        return path_of(trainer.network, trainer.n_finished)
    return kept.after(trainer.n_finished, trainer.network)


def _write_path(trainer: Trainer, folder: Path) -> None:
    if trainer.wavelet_path is not None:
        save_path(trainer.wavelet_path, folder / WAVELET_PATH)


def _end_stopped(job: _Job, timemil: Trainer) -> None:
    if timemil.n_finished:
        trainers: Trainers = {"timemil": timemil}
        _write_model(job, trainers, finished_networks(job.data, trainers), {})
    message = f"Stopped at epoch {timemil.n_finished} of {job.run.training.n_epochs}; it can be resumed."
    if timemil.is_finished:
        message = f"Stopped while the {STAGES['supervised']} was in training; it can be resumed."
    job.reporter.update(state="stopped", message=message)
    job.run.clear_stop_request()
    job.reporter.line(message)


def _end_finished(job: _Job, trainers: Trainers) -> None:
    job.reporter.update(stage=SCORING_STAGE, batch=0)
    networks = finished_networks(job.data, trainers, job.reporter.on_batch)
    found = score_on_test(job.data, networks, job.device)
    _write_model(job, trainers, networks, found)
    job.reporter.update(state="finished")
    job.run.clear_stop_request()
    for network in trainers:
        shutil.rmtree(job.run.network_folder(network) / CHECKPOINT, ignore_errors=True)
    _tell_scores(job.reporter, found)
    if note := unlearned(job.run.metrics()):
        job.reporter.line(f"Note: {note}")


def _write_model(job: _Job, trainers: Trainers, networks: dict[NetworkName, Network], found: dict[str, Any]) -> None:
    run, name = job.run, device_name(job.device, job.replicas.size)
    facts = {
        "title": run.title,
        "data": run.data,
        "preset": run.config["preset"],
        **training_facts(job.data, trainers["timemil"], trainers.get("supervised"), found, name),
        "command": shell_command(run),
        "seconds": round(sum(line["seconds"] for network in STAGES for line in run.metrics(network)), 3),
        "created": run.created,
    }
    save_model(trained_model(job.data, trainers, networks, facts), run.model_folder)
