from typing import Any

import pytest

from timemil_core.training.status import (
    DIED_AT_START,
    NOT_STARTED,
    SCORING_STAGE,
    STARTING,
    SUPERVISED_STAGE,
    TIMEMIL_STAGE,
    derive_status,
)

NOW = 1000.0


def content(**changes: Any) -> dict[str, Any]:
    base = {
        "state": "running", "stage": TIMEMIL_STAGE, "epoch": 10, "n_epochs": 100, "batch": 2, "n_batches": 4,
        "with_supervised": True, "device": "CPU (2 threads)", "message": "", "process": None, "heartbeat": NOW - 1,
        "launched": None, "stop_requested": False,
    }  # fmt: skip
    return {**base, **changes}


LATER, EARLIER = NOW - 0.5, NOW - 2  # than the last sign of life


@pytest.mark.parametrize(
    ("says", "alive", "state"),
    [
        ({"state": "waiting"}, False, "waiting"),
        ({"state": "waiting", "launched": LATER}, True, "waiting"),
        ({"state": "waiting", "launched": LATER}, False, "failed"),  # died before its first word
        ({"launched": EARLIER}, True, "running"),
        ({}, True, "running"),
        ({"stop_requested": True}, True, "stopping"),
        ({}, False, "interrupted"),
        ({"launched": EARLIER}, False, "interrupted"),
        ({"stop_requested": True}, False, "interrupted"),
        ({"state": "stopped"}, False, "stopped"),
        ({"state": "stopped"}, True, "stopped"),  # the process is about to end
        ({"state": "stopped", "launched": LATER}, True, "waiting"),  # resumed, not yet at work
        ({"launched": LATER}, True, "waiting"),  # killed, then resumed
        ({"launched": LATER}, False, "interrupted"),
        ({"state": "finished", "launched": EARLIER}, False, "finished"),
        ({"state": "failed", "message": "No such data."}, False, "failed"),
    ],
)
def test_the_state(says: dict[str, Any], alive: bool, state: str) -> None:
    status = derive_status(content(**says), [], alive, NOW)
    assert status.state == state
    assert status.is_active == (alive and state in ("waiting", "running", "stopping"))
    assert status.can_resume == (not status.is_active and state in ("waiting", "stopped", "failed", "interrupted"))


def test_messages() -> None:
    def message(alive: bool, **changes: Any) -> str:
        return derive_status(content(**changes), [], alive, NOW).message

    assert message(True) == "Training TimeMIL: epoch 11 of 100."
    assert message(True, note="It saves memory.") == "Training TimeMIL: epoch 11 of 100. It saves memory."
    assert message(True, stage=SCORING_STAGE, epoch=100) == "Scoring the test set."
    assert message(True, heartbeat=NOW - 90).endswith("No sign of life for 90 s.")
    assert message(False, state="failed", message="No such data.") == "No such data."
    assert message(False, state="waiting") == NOT_STARTED
    assert message(True, state="waiting", launched=LATER) == STARTING
    assert message(False, state="waiting", launched=LATER) == DIED_AT_START
    assert "resumed" in message(False)


def seconds(*values: float) -> list[dict[str, Any]]:
    return [{"seconds": value} for value in values]


def test_the_time_left_of_both_networks() -> None:
    # 89.5 epochs of 2 s are left of TimeMIL; the counterpart's 100 are taken to cost 0.6 as much: 179 + 120.
    status = derive_status(content(), seconds(2, 2, 50), True, NOW)
    assert status.seconds_per_epoch == 2
    assert status.seconds_left == pytest.approx(299)
    alone = derive_status(content(with_supervised=False), seconds(2), True, NOW)
    assert alone.seconds_left == pytest.approx(179)
    second = derive_status(content(stage=SUPERVISED_STAGE), seconds(1), True, NOW)
    assert second.seconds_left == pytest.approx(89.5)


def test_no_estimate_where_nothing_is_known_or_left() -> None:
    assert derive_status(content(), [], True, NOW).seconds_left is None
    assert derive_status(content(), seconds(1), False, NOW).seconds_left is None
    assert derive_status(content(state="finished"), seconds(1), False, NOW).seconds_left is None
    assert derive_status(content(stage=SCORING_STAGE), seconds(1), True, NOW).seconds_left is None


@pytest.mark.parametrize(
    ("says", "share"),
    [
        ({}, 10.5 / 200),
        ({"with_supervised": False}, 10.5 / 100),
        ({"stage": SUPERVISED_STAGE}, 110.5 / 200),
        ({"stage": SCORING_STAGE, "epoch": 100, "batch": 0}, 1.0),
        ({"state": "finished"}, 1.0),
        ({"epoch": 0, "batch": 0, "n_batches": 0}, 0.0),
    ],
)
def test_the_share_done(says: dict[str, Any], share: float) -> None:
    assert derive_status(content(**says), [], True, NOW).share_done == pytest.approx(share)
