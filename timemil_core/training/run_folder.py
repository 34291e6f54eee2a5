"""The run folder: all that the app, the command line and the training process know of each other.

::

    config.json           what was asked for; never changes
    data.json             split, preparation, notes; written once, when training first starts
    metrics.jsonl         a line an epoch of TimeMIL
    wavelets.safetensors  where the wavelets have been so far
    checkpoint/           the last finished epoch, to resume from, and the best so far
    supervised/           metrics.jsonl and checkpoint/ of the fully supervised counterpart
    model/                the result, as in pretrained/
    status.json           written by the training process alone
    launched.json         which process was last launched; written by whoever launched it
    stop                  present where somebody asked the run to stop
    lock                  held by the training process
    log.txt               for people
    name.json             what people call it, where they have renamed it

Every file has one writer, and is written beside and renamed, or appended to by whole lines.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from timemil_core import workspace
from timemil_core.atomic import append, replacing_folder, set_aside, storing, write_json
from timemil_core.errors import RunError, StorageError, TimeMILError
from timemil_core.models.at_once import Asked, read_asked
from timemil_core.models.building import NETWORKS
from timemil_core.models.shelf import RUN_PREFIX, check_run_name, is_run
from timemil_core.naming import given_name
from timemil_core.training.config import TrainingConfig
from timemil_core.training.liveness import ProcessMark, is_alive
from timemil_core.training.metrics import NetworkName, read_lines
from timemil_core.training.run_config import describe_run, read_config
from timemil_core.training.run_files import CONFIG, DATA, LAUNCHED, RESUME, STATUS, read_file
from timemil_core.training.status import SUPERVISED_STAGE, RunStatus, derive_status, first_status

METRICS = "metrics.jsonl"


@dataclass(frozen=True)
class RunFolder:
    """One training run on disk; holds no state of its own, so any number of processes may look at it."""

    folder: Path

    @property
    def reference(self) -> str:
        """Its name in the URL, or its path where it lies outside the workspace."""
        return _reference(self.folder)

    @cached_property
    def config(self) -> dict[str, Any]:
        """What ``config.json`` says."""
        return read_config(self.folder)

    @property
    def title(self) -> str:
        """What its user calls it, else the name of its data, and of its network where that is another than TimeMIL."""
        network = self.config["model"].get("network")
        usual = f"{self.data_name}, {NETWORKS[network].title}" if network in NETWORKS else self.data_name
        return given_name(self.folder) or str(self.config["title"] or usual)

    @property
    def data_name(self) -> str:
        """What its data set was called when it was created."""
        return str(self.config["data_name"])

    @property
    def data(self) -> str:
        """The reference of its data set."""
        return str(self.config["data"])

    @property
    def created(self) -> str:
        """When it was created, ISO 8601 in UTC."""
        return str(self.config["created"])

    @cached_property
    def model_config(self) -> Asked:
        """The network's settings."""
        return read_asked(self.config["model"])

    @cached_property
    def training(self) -> TrainingConfig:
        """The training's settings."""
        return TrainingConfig.from_json(self.config["training"])

    @property
    def model_folder(self) -> Path:
        """Where the result is, once ``has_model``."""
        return self.folder / "model"

    @property
    def has_model(self) -> bool:
        """Whether a model can be opened: after the end, or after a stop with at least one finished epoch."""
        return (self.model_folder / "model.json").is_file()

    @property
    def notes(self) -> list[str]:
        """What was decided for the user and why, in sentences; empty before training first starts."""
        content = read_file(self.folder, DATA)
        return [] if content is None else list(content["notes"])

    def network_folder(self, network: NetworkName) -> Path:
        """Return the folder that holds ``metrics.jsonl`` and ``checkpoint/`` of one network."""
        return self.folder if network == "timemil" else self.folder / "supervised"

    def metrics(self, network: NetworkName = "timemil") -> list[dict[str, Any]]:
        """Return one dictionary an epoch (see ``EpochRecord``); a line still being written is left out."""
        return read_lines(self.network_folder(network) / METRICS)

    def status(self) -> RunStatus:
        """Tell what the run is doing, and whether its process lives.

        Raises
        ------
        RunError
            Where a file that tells it is missing or damaged. The run can be resumed all the same.
        """
        content = read_file(self.folder, STATUS)
        if content is None:
            raise RunError(f"{STATUS} is missing.", where=str(self.folder), remedy=RESUME)
        launched = self.launched()
        content["launched"] = None if launched is None else launched["at"]
        content["stop_requested"] = self.stop_requested()
        network: NetworkName = "supervised" if content["stage"] == SUPERVISED_STAGE else "timemil"
        now = time.time()
        return derive_status(content, self.metrics(network), _alive(content, launched, now), now)

    def write_status(self, **content: Any) -> None:
        """Replace ``status.json``; for the training process alone. Raises StorageError where there is no room."""
        write_json(self.folder / STATUS, {**content, "heartbeat": time.time()}, lasting=False)

    def write_last_status(self, **content: Any) -> None:
        """Write why the run ended where nothing more can be stored: over the old status, if not beside it."""
        try:
            self.write_status(**content)
        except StorageError:
            text = json.dumps({**content, "heartbeat": time.time()})
            with suppress(OSError), (self.folder / STATUS).open("r+", encoding="utf-8") as file:
                file.write(text)  # no longer than what is there, which was indented: it takes no more room
                file.truncate()

    def launched(self) -> dict[str, Any] | None:
        """Return which process was last launched and when (``"at"``), None where none was.

        Raises
        ------
        RunError
            Where the file is damaged.
        """
        return read_file(self.folder, LAUNCHED)

    def write_launched(self, mark: ProcessMark, at: float) -> None:
        """Note a process that was launched for this run; ``at`` lies before its start, in seconds since 1970."""
        write_json(self.folder / LAUNCHED, {**mark.to_json(), "at": at})

    def request_stop(self) -> None:
        """Ask the training process to end after the batch at hand; does nothing where none is at work."""
        if self.status().is_active:
            with storing(self.folder / "stop"):
                (self.folder / "stop").touch()

    def stop_requested(self) -> bool:
        """Tell whether somebody asked the run to stop and it has not yet."""
        return (self.folder / "stop").exists()

    def clear_stop_request(self) -> None:
        """Forget a request to stop. Raises StorageError where the folder may not be written to."""
        if (self.folder / "stop").is_dir():  # not ours: it is kept, under another name
            set_aside(self.folder / "stop")
        with storing(self.folder / "stop"):
            (self.folder / "stop").unlink(missing_ok=True)

    def log_text(self) -> str:
        """Return what ``log.txt`` says; nothing where there is none."""
        file = self.folder / "log.txt"
        return file.read_text("utf-8", errors="replace") if file.is_file() else ""

    def log(self, text: str) -> None:
        """Append lines, with the time, to ``log.txt``."""
        stamp = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        lines = "".join(f"{stamp}  {line}\n" for line in text.splitlines())
        if (self.folder / "log.txt").is_dir():
            set_aside(self.folder / "log.txt")
        append(self.folder / "log.txt", lines.encode("utf-8", "backslashreplace"), lasting=False)


@dataclass(frozen=True)
class SeenRun:
    """A run that can be read, and what it is doing."""

    run: RunFolder
    status: RunStatus


@dataclass(frozen=True)
class UnreadableRun:
    """A folder that should be a run and cannot be read as one.

    Attributes
    ----------
    reference
        Its name, as a run's, or as the folder's where that cannot be a run's.
    folder
        Where it is.
    why
        What is wrong, and how to mend it.
    can_resume
        Whether its settings can be read, so that it can be gone on with.
    """

    reference: str
    folder: Path
    why: str
    can_resume: bool


def look(folder: Path) -> SeenRun | UnreadableRun:
    """Read all that a run's files say but its model; damage of any kind comes back as a value, never as an error."""
    can_resume = False
    try:
        check_run_name(folder)
        run = RunFolder(folder)
        read_config(folder)
        can_resume = True
        status = run.status()
        run.metrics("timemil")
        run.metrics("supervised")
        _ = run.notes
    except TimeMILError as error:
        return UnreadableRun(folder.name, folder, str(error), can_resume)
    except OSError as error:
        return UnreadableRun(folder.name, folder, f"It cannot be read: {error}.", can_resume)
    return SeenRun(run, status)


def create_run(
    data: str,
    *,
    preset: str = "default",
    model_settings: dict[str, Any] | None = None,
    training: TrainingConfig | None = None,
    title: str | None = None,
    folder: Path | None = None,
) -> RunFolder:
    """Create a run folder; nothing is trained yet.

    Parameters
    ----------
    data
        A data set's reference; it is loaded once to learn its size and fingerprint.
    preset, model_settings
        The network: a preset, with single settings changed.
    training
        By default ``TrainingConfig()``.
    title
        What to call it; by default the name of the data.
    folder
        A new or empty folder; by default a new one in the workspace.

    Raises
    ------
    RunError
        Where ``folder`` exists and is not empty.
    DataError
        Where the data cannot be read or cannot be learned from.
    SettingsError
        Where a setting is unknown or cannot work.
    """
    folder = _new_name() if folder is None else folder.resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError("this exists and is not empty.", where=str(folder), remedy="Give a new folder, or resume it.")
    content = describe_run(data, preset, model_settings or {}, training or TrainingConfig(), title)
    with replacing_folder(folder) as beside:
        write_json(beside / CONFIG, content)
        RunFolder(beside).write_status(**first_status(content["training"]))
    return RunFolder(folder)


def open_run(reference_or_path: str | Path) -> RunFolder:
    """Open a run: by its name in the workspace (a string, safe to take from a URL), or by its folder (a Path).

    Raises
    ------
    RunError
        Where there is no such run, or its settings cannot be read.
    SettingsError
        Where the string is no possible name.
    """
    if isinstance(reference_or_path, Path):
        folder = reference_or_path.resolve()
    else:
        folder = workspace.child(workspace.runs_folder(), reference_or_path)
    read_config(folder)
    return RunFolder(folder)


def list_runs() -> list[RunFolder]:
    """Return the readable runs of the workspace, newest first."""
    return [seen.run for seen in seen_runs() if isinstance(seen, SeenRun)]


def seen_runs() -> list[SeenRun | UnreadableRun]:
    """Return all runs of the workspace: the readable ones first, newest first, then the others by name."""
    seen = [look(folder) for folder in _folders()]
    readable = [one for one in seen if isinstance(one, SeenRun)]
    unreadable = [one for one in seen if isinstance(one, UnreadableRun)]
    readable.sort(key=lambda one: (one.run.created, one.run.reference), reverse=True)
    return [*readable, *sorted(unreadable, key=lambda one: one.reference)]


def _folders() -> Iterator[Path]:
    parent = workspace.runs_folder()
    if not parent.is_dir():
        return
    yield from filter(is_run, parent.iterdir())


def _reference(folder: Path) -> str:
    return folder.name if folder.parent == workspace.runs_folder() else str(folder)


def _alive(content: dict[str, Any], launched: dict[str, Any] | None, now: float) -> bool:
    marks = [(content["process"], content["heartbeat"]), (launched, launched["at"] if launched else 0.0)]
    return any(is_alive(ProcessMark.from_json(mark), seen, now) for mark, seen in marks if mark is not None)


def _new_name() -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return workspace.runs_folder() / f"{RUN_PREFIX}{stamp}-{secrets.token_hex(2)}"
