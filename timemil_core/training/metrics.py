"""``metrics.jsonl``: a line an epoch, appended whole, read while it is being written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from timemil_core.atomic import append, parse_json, read_bytes, replacing_file, set_aside
from timemil_core.errors import RunError
from timemil_core.kinds import NUMBER, YES_OR_NO, check_kinds, one_of, or_none, whole

JudgedOn = Literal["validation", "test"]
NetworkName = Literal["timemil", "supervised"]
LEARNED = 0.9
"""Of the training series, right while they are masked: below it, more epochs are likely to help."""


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


_KINDS = {
    "epoch": whole(1),
    "train_loss": NUMBER,
    "train_accuracy": NUMBER,
    "validation_loss": or_none(NUMBER),
    "validation_accuracy": or_none(NUMBER),
    "judged_on": or_none(one_of(get_args(JudgedOn))),
    "seconds": NUMBER,
    "learning_rate": NUMBER,
    "warm_up": YES_OR_NO,
}


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines; the last one may be half-written and is then left out.

    Raises
    ------
    RunError
        Where a line is damaged; it is named.
    """
    lines = []
    for number, line in enumerate(_whole_lines(path), start=1):
        if isinstance(read := _read(line), ValueError):
            raise RunError(
                f"line {number} of {path.name} is damaged: {read}.",
                where=str(path.parent),
                remedy="Resume the run: it needs its checkpoint alone, and leaves the line out.",
            )
        lines.append(read)
    return lines


def append_line(path: Path, record: EpochRecord) -> None:
    """Append one whole line in one write."""
    append(path, json.dumps(record.to_json(), allow_nan=False).encode() + b"\n")


def keep_lines(path: Path, n_epochs: int) -> int:
    """Drop what was written after epoch ``n_epochs``, and damaged lines, before going on from there.

    Returns how many whole lines were damaged.
    """
    if not os.path.lexists(path):
        return 0
    try:
        read = [_read(line) for line in _whole_lines(path)]
    except RunError:  # all of it is damaged
        set_aside(path)
        return 1
    kept = [line for line in read if isinstance(line, dict) and line["epoch"] <= n_epochs]
    n_damaged = sum(isinstance(line, ValueError) for line in read)
    if n_damaged:
        set_aside(path)
    with replacing_file(path) as beside:
        beside.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
    return n_damaged


def count_lines(path: Path) -> int:
    """Return how many epochs can be read."""
    try:
        return sum(isinstance(_read(line), dict) for line in _whole_lines(path))
    except RunError:
        return 0


def unlearned(lines: Sequence[dict[str, Any]]) -> str:
    """Say so where the last epochs (a tenth) had many of their own training series wrong; "" where they had not."""
    last = [line["train_accuracy"] for line in lines[-max(len(lines) // 10, 1) :]]
    share = sum(last) / len(last) if last else 1.0
    if share >= LEARNED:
        return ""
    return (
        f"At the end {share:.0%} of the training series were right while it learned from them: it may be far from "
        "done. More epochs may help."
    )


def _whole_lines(path: Path) -> Iterator[bytes]:
    if not os.path.lexists(path):
        return iter(())
    try:
        *whole_lines, _ = read_bytes(path).split(b"\n")
    except OSError as error:
        raise RunError(f"{path.name} cannot be read: {error.strerror}.", where=str(path.parent)) from error
    return iter(whole_lines)


def _read(line: bytes) -> dict[str, Any] | ValueError:
    try:
        content = parse_json(line.decode("utf-8"))
        check_kinds(content, _KINDS)
    except ValueError as error:  # of JSON and of UTF-8, too
        return error
    return cast("dict[str, Any]", content)
