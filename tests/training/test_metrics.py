import dataclasses
import math
from pathlib import Path

import pytest

from tests.training.test_trainer import PLAIN
from timemil_core.training.metrics import append_line, keep_lines, read_lines, unlearned


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "metrics.jsonl"
    for number in (1, 2, 3):
        append_line(path, dataclasses.replace(PLAIN, epoch=number))
    return path


def test_what_is_appended_is_read(path: Path) -> None:
    assert [line["epoch"] for line in read_lines(path)] == [1, 2, 3]
    assert read_lines(path)[0] == PLAIN.to_json()


@pytest.mark.parametrize("half", [b"{", b'{"epoch": 4, "train_lo', b'{"epoch": 4}', "ä".encode()[:1]])
def test_a_half_written_last_line_is_left_out(path: Path, half: bytes) -> None:
    with path.open("ab") as file:
        file.write(half)
    assert [line["epoch"] for line in read_lines(path)] == [1, 2, 3]


def test_lines_after_the_checkpoint_are_dropped(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"epoch": 4, "tr')
    keep_lines(path, 2)
    append_line(path, dataclasses.replace(PLAIN, epoch=3))
    assert [line["epoch"] for line in read_lines(path)] == [1, 2, 3]


def test_no_file_no_lines(tmp_path: Path) -> None:
    assert read_lines(tmp_path / "metrics.jsonl") == []


def test_what_is_no_number_is_never_written(path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        append_line(path, dataclasses.replace(PLAIN, train_loss=math.nan))


def test_what_is_not_learned_yet_is_told_by_the_last_tenth_of_the_epochs():
    def went(*accuracies: float) -> list[dict[str, float]]:
        return [{"train_accuracy": one} for one in accuracies]

    assert unlearned(went(*[0.4] * 18, 1.0, 0.9)) == ""
    assert unlearned([]) == ""
    assert unlearned(went(*[1.0] * 18, 0.9, 0.8)).startswith("At the end 85% of the training series were right")
