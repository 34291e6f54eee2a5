"""``metrics.jsonl``: a line an epoch, appended whole, read while it is being written."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from timemil_core.atomic import replacing_file

JudgedOn = Literal["validation", "test"]
NetworkName = Literal["timemil", "supervised"]


@dataclass(frozen=True)
class EpochRecord:
    """What one epoch came to; every field is a key of its line.

    Attributes
    ----------
    epoch
        From 1.
    train_loss, train_accuracy
        Means over the epoch as it went: with dropout and masking, while the weights changed.
    validation_loss, validation_accuracy
        Of the weights after the epoch, on the series that choose the epoch; None where there are none.
    judged_on
        Which series these are; ``"test"`` only where the run asked for the epoch to be chosen on the test set.
    seconds
        For training and judging.
    learning_rate
        Of AdamW.
    warm_up
        Whether the classifier was fed mostly the mean instance (paper, appendix).
    """

    epoch: int
    train_loss: float
    train_accuracy: float
    validation_loss: float | None
    validation_accuracy: float | None
    judged_on: JudgedOn | None
    seconds: float
    learning_rate: float
    warm_up: bool

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        return asdict(self)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines; the last one may be half-written and is then left out."""
    if not path.is_file():
        return []
    *whole, _ = path.read_bytes().split(b"\n")
    return [json.loads(line) for line in whole]


def append_line(path: Path, record: EpochRecord) -> None:
    """Append one whole line in one write."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(json.dumps(record.to_json(), allow_nan=False).encode() + b"\n")


def keep_lines(path: Path, n_epochs: int) -> None:
    """Drop what was written after epoch ``n_epochs``, a half-written line included, before going on from there."""
    if not path.is_file():
        return
    kept = [line for line in read_lines(path) if line["epoch"] <= n_epochs]
    with replacing_file(path) as beside:
        beside.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
