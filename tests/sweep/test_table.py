import math
from pathlib import Path

import pandas as pd
import pytest

from timemil_core.sweep.table import result_table, score_names, write_table

NAN = float("nan")


def cells() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "data": ["A", "A", "A", "A", "B"],
            "preset": ["default"] * 5,
            "setting pooling": ["mean", "mean", "max", "max", "mean"],
            "seed": [0, 1, 0, 1, 0],
            "selection": ["validation"] * 3 + ["", ""],
            "validation_accuracy": [0.5, 0.7, 0.9, NAN, NAN],
            "test_accuracy": [0.8, 0.6, 1.0, NAN, NAN],
            "state": ["finished", "finished", "finished", "failed", "stopped"],
            "error": ["", "", "", "no memory", ""],
            "folder": list("vwxyz"),
        }
    )


def test_mean_and_deviation_over_the_seeds_that_finished() -> None:
    table = result_table(cells())
    assert table[["data", "setting pooling", "seeds", "finished"]].values.tolist() == [
        ["A", "mean", 2, 2],
        ["A", "max", 2, 1],
        ["B", "mean", 1, 0],
    ]
    both, one, none = (row for _, row in table.iterrows())
    assert both["test_accuracy mean"] == pytest.approx(0.7)
    assert both["test_accuracy deviation"] == pytest.approx(math.sqrt(0.02))  # (0.1² + 0.1²) / (2 − 1)
    assert (one["test_accuracy mean"], one["validation_accuracy mean"]) == (1.0, 0.9)
    assert math.isnan(one["test_accuracy deviation"])
    assert math.isnan(none["test_accuracy mean"])


def test_the_scores_are_what_stands_between_selection_and_state() -> None:
    assert score_names(cells()) == ["validation_accuracy", "test_accuracy"]


def test_a_table_is_read_back_as_it_was(tmp_path: Path) -> None:
    table = result_table(cells())
    write_table(table, tmp_path / "results.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "results.csv"), table, check_dtype=False)
