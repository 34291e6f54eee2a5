"""What a run is doing, told by a pure function from what its files say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal, get_args

from timemil_core.kinds import NUMBER, TEXT, YES_OR_NO, check_kinds, one_of, or_none, whole
from timemil_core.training.liveness import MARK

State = Literal["waiting", "running", "stopping", "stopped", "stopped: no room", "finished", "failed", "interrupted"]

TIMEMIL_STAGE = "TimeMIL"
SUPERVISED_STAGE = "fully supervised counterpart"
FITTING_STAGE = "fitting"  # and the network's title
LOADING_STAGE = "loading the data"
SCORING_STAGE = "scoring the test set"

NO_ROOM: State = "stopped: no room"
ENDED: tuple[State, ...] = ("stopped", NO_ROOM, "finished", "failed", "interrupted")
RESUMABLE: tuple[State, ...] = ("waiting", "stopped", NO_ROOM, "failed", "interrupted")
LONG_SILENCE = 60.0  # seconds without a sign of life after which the status says so
RECENT_EPOCHS = 10
SUPERVISED_COST = 0.6  # of an epoch of TimeMIL, before the counterpart's own first epoch was timed


@dataclass(frozen=True)
class RunStatus:
    """What a run is doing.

    Attributes
    ----------
    state
        ``waiting``: created, or its process is starting. ``running``. ``stopping``: asked to stop, still at a
        batch. ``stopped``: on request. ``stopped: no room``: what it came to could not be stored. ``finished``.
        ``failed``: ``message`` says why. ``interrupted``: its process died without a word; it can be resumed.
    epoch, n_epochs
        Epochs finished by the network in training, out of how many.
    batch, n_batches
        Batches done in the current epoch, out of how many; 0 before the first epoch.
    stage
        Which network is in training, or what else is done.
    device
        What it is trained on; empty before the start.
    seconds_per_epoch
        Median of the last ten epochs of this stage; None before the first.
    seconds_left
        An estimate for the whole run, the counterpart included; None where nothing is known or nothing is left.
    message
        One plain sentence for people.
    share_done
        Of all epochs of all networks, from 0 to 1.
    process_alive
        Whether its process lives.
    """

    state: State
    epoch: int
    n_epochs: int
    batch: int
    n_batches: int
    stage: str
    device: str
    seconds_per_epoch: float | None
    seconds_left: float | None
    message: str
    share_done: float
    process_alive: bool

    @property
    def is_active(self) -> bool:
        """Whether a process is at work, or about to be."""
        return self.process_alive and self.state not in ENDED

    @property
    def can_resume(self) -> bool:
        """Whether starting it again makes sense."""
        return self.state in RESUMABLE and not self.is_active


NOT_STARTED = "Not started yet."
STARTING = "The training process is starting, or is at another run first."
_MESSAGES: dict[State, str] = {
    "stopping": "Asked to stop; it ends after the batch at hand.",
    "finished": "Finished.",
    "interrupted": "The training process ended without finishing; it can be resumed from the last finished epoch.",
}
DIED_AT_START = "The training process ended before it could start; log.txt says why."


def derive_status(
    content: dict[str, Any], metrics: Sequence[dict[str, Any]], process_alive: bool, now: float
) -> RunStatus:
    """Tell what a run is doing.

    Parameters
    ----------
    content
        What ``status.json`` says, with ``"launched"`` (seconds since 1970, or None: when a process was last
        launched for it) and ``"stop_requested"``.
    metrics
        The epochs of the network in training.
    process_alive
        Whether the process that was last launched, or that wrote the status, lives.
    now
        Seconds since 1970.
    """
    state = _state(content, process_alive)
    seconds = [float(line["seconds"]) for line in metrics[-RECENT_EPOCHS:]]
    per_epoch = median(seconds) if seconds else None
    return RunStatus(
        state=state,
        epoch=content["epoch"],
        n_epochs=content["n_epochs"],
        batch=content["batch"],
        n_batches=content["n_batches"],
        stage=content["stage"],
        device=content["device"],
        seconds_per_epoch=per_epoch,
        seconds_left=_seconds_left(content, per_epoch) if state == "running" else None,
        message=_message(content, state, process_alive, now),
        share_done=1.0 if state == "finished" else _share_done(content),
        process_alive=process_alive,
    )


def _state(content: dict[str, Any], process_alive: bool) -> State:
    written: State = content["state"]
    launched_since = content["launched"] is not None and content["launched"] > content["heartbeat"]
    if process_alive and launched_since:
        return "waiting"
    if written == "running":
        if not process_alive:
            return "interrupted"
        return "stopping" if content["stop_requested"] else "running"
    return "failed" if launched_since and not process_alive else written


def _message(content: dict[str, Any], state: State, process_alive: bool, now: float) -> str:
    if state == "waiting":
        return STARTING if process_alive else NOT_STARTED
    if state == "failed" and content["state"] != "failed":
        return DIED_AT_START
    if state == "running":
        silence = now - content["heartbeat"]
        told = f" No sign of life for {silence:.0f} s." if silence > LONG_SILENCE else ""
        return f"{_doing(content)}{told}"
    return _MESSAGES.get(state) or str(content["message"])


def _doing(content: dict[str, Any]) -> str:
    stage = str(content["stage"])
    if stage not in (TIMEMIL_STAGE, SUPERVISED_STAGE):
        return f"{stage[:1].upper()}{stage[1:]}."
    epoch = f"Training {stage}: epoch {min(content['epoch'] + 1, content['n_epochs'])} of {content['n_epochs']}."
    return f"{epoch} {content.get('note', '')}".strip()


def _epochs_done(content: dict[str, Any]) -> float:
    begun = content["batch"] / content["n_batches"] if content["n_batches"] else 0.0
    return min(content["epoch"] + begun, content["n_epochs"])


def _share_done(content: dict[str, Any]) -> float:
    share = _epochs_done(content) / content["n_epochs"]
    before = {SUPERVISED_STAGE: 1.0, SCORING_STAGE: 1.0 + content["with_supervised"]}.get(content["stage"], 0.0)
    own = 0.0 if content["stage"] == SCORING_STAGE else share
    return min((before + own) / (1 + content["with_supervised"]), 1.0)


def _seconds_left(content: dict[str, Any], per_epoch: float | None) -> float | None:
    if per_epoch is None or content["stage"] not in (TIMEMIL_STAGE, SUPERVISED_STAGE):
        return None
    left = per_epoch * (content["n_epochs"] - _epochs_done(content))
    if content["stage"] == TIMEMIL_STAGE and content["with_supervised"]:
        left += SUPERVISED_COST * per_epoch * content["n_epochs"]
    return left


def first_status(training: dict[str, Any]) -> dict[str, Any]:
    """Return the content of ``status.json`` before anything was trained."""
    return {
        "state": "waiting",
        "stage": LOADING_STAGE,
        "epoch": 0,
        "n_epochs": training["n_epochs"],
        "batch": 0,
        "n_batches": 0,
        "with_supervised": training["with_supervised"],
        "device": "",
        "note": "",
        "message": "",
        "process": None,
    }


_KINDS = {
    "state": one_of(get_args(State)),
    "stage": TEXT,
    "epoch": whole(),
    "n_epochs": whole(1),
    "batch": whole(),
    "n_batches": whole(),
    "with_supervised": YES_OR_NO,
    "device": TEXT,
    "message": TEXT,
    "process": or_none(MARK),
    "heartbeat": NUMBER,
}


def check_status(content: Any) -> None:
    """Hold what was read from ``status.json`` against what is written to it.

    Raises
    ------
    ValueError
        Where a value is missing or of another kind.
    """
    check_kinds(content, _KINDS, may_miss={"note": TEXT})
