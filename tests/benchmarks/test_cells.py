"""A benchmark's cell: several networks as one, and a training of which nothing is chosen on what judges it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.accuracy import ASKED, FOUND, table, together
from benchmarks.cells import Cell, Recipe, accuracy_of, log_loss_of, on_test_part
from benchmarks.lines import Lines
from benchmarks.pieces import Pieces
from tests.training.builders import small_set

SURE = Cell([0, 1], [[4.0, -4.0], [4.0, -4.0]], 1.0)
RIGHT = Cell([0, 1], [[1.0, -1.0], [-1.0, 1.0]], 1.0)


def test_several_as_one_are_the_mean_of_their_logits() -> None:
    assert (SURE.accuracy, RIGHT.accuracy) == (0.5, 1.0)
    assert accuracy_of([SURE, RIGHT], [0.5, 0.5]) == 0.5
    assert accuracy_of([SURE, RIGHT], [0.1, 0.9]) == 1.0
    assert log_loss_of([RIGHT], [1.0]) < log_loss_of([SURE], [1.0])


def test_a_table_has_a_row_a_set_and_the_mean_of_those_that_all_have() -> None:
    right, half = {"honest": 1.0, "best_test_epoch": 1.0}, {"honest": 0.5}
    found = {("ERing", "a"): [right, half], ("ERing", "b"): [half], ("GunPoint", "a"): [right]}
    rows = table(found, ["ERing", "GunPoint"], ["a", "b"])
    assert [row["set"] for row in rows] == ["ERing", "GunPoint", "mean of 1 sets"]
    assert rows[0]["a"] == rows[-1]["a"] == 0.75
    assert rows[0]["a, best test epoch"] == 1.0
    assert rows[0]["paper"] == pytest.approx(0.956)
    assert np.isnan(rows[1]["b"])


def test_several_as_one_are_scored_with_all_their_seeds_and_kept_as_a_line(tmp_path: Path) -> None:
    lines, pieces = Lines(tmp_path / "lines.csv", ASKED, FOUND), Pieces(tmp_path, 1)
    found = together(lines, pieces, "GunPoint", "ed-1nn*0.25+minirocket*0.75", [0, 1], 1)
    assert found is not None and found["honest"] > 0.95
    late = Pieces(tmp_path / "elsewhere", 0)
    assert together(lines, late, "GunPoint", "ed-1nn*0.25+minirocket*0.75", [0, 1], 1) == found
    assert together(lines, late, "GunPoint", "ed-1nn*0.25+minirocket*0.75", [0], 1) is None


def test_all_training_series_are_learned_from_and_the_last_epoch_counts() -> None:
    recipe = Recipe("default", {"embedding_width": 16, "n_heads": 2, "head_size": 8, "batch_size": 6})
    cell = on_test_part(small_set(), recipe, seed=0, n_epochs=2, watched=True)
    again = on_test_part(small_set(), recipe, seed=0, n_epochs=2, watched=False)
    assert (len(cell.by_epoch), again.by_epoch) == (2, [])
    assert cell.logits == again.logits  # looking on changes nothing
    assert cell.accuracy == pytest.approx(cell.by_epoch[-1])
    fitted = on_test_part(small_set(), Recipe("ed-1nn"), seed=0, n_epochs=2, watched=False)
    assert 0.5 <= fitted.accuracy <= 1.0
