"""Published accuracies are quoted as they are printed, each with its source."""

from __future__ import annotations

import csv
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from timemil_core.data.known_sets import KNOWN
from timemil_core.data.published import best_other, of_timemil, published

PAPER = Path(os.environ.get("TIMEMIL_DATA_DIR", "nowhere")).parent / "paper"
TABLES = {"table1_group1.csv": "TimeMIL paper, table 1", "table2_group2.csv": "TimeMIL paper, table 2"}
AEON_FILES = {"HC2": "HIVE-COTE 2", "InceptionTime": "InceptionTime", "WEASEL-2.0": "WEASEL 2.0"}


def test_figures_of_one_set_by_hand() -> None:
    listed = published("ERing")
    assert (listed[0].method, listed[0].accuracy) == ("TimeMIL", 0.956)
    assert {one.accuracy for one in listed if one.method in ("MOS-CNN", "TodyNet")} == {0.915}
    assert "ICML 2024" in listed[0].source.citation
    assert "test series" in listed[0].source.note


def test_the_lower_figure_is_timemils_where_the_papers_tables_differ() -> None:
    assert [one.accuracy for one in published("Handwriting") if one.method == "TimeMIL"] == [0.487, 0.482]
    assert of_timemil("Handwriting") == 0.482
    assert of_timemil("GunPoint") is None


def test_the_best_other_method_is_never_timemil() -> None:
    best = best_other("AtrialFibrillation")
    assert best is not None
    assert (best.method, best.accuracy) == ("TodyNet", 0.467)
    assert best_other("WebTraffic") is None


def test_every_figure_belongs_to_a_known_set_and_is_a_share() -> None:
    for name in KNOWN:
        accuracies = [one.accuracy for one in published(name)]
        assert accuracies == sorted(accuracies, reverse=True)
        assert all(0 <= accuracy <= 1 for accuracy in accuracies)
    assert published("no such set") == ()


@pytest.mark.skipif(not PAPER.is_dir(), reason="the paper's tables are not here")
@pytest.mark.parametrize("file", TABLES)
def test_every_figure_of_the_paper_is_quoted_as_printed(file: str) -> None:
    with (PAPER / file).open(encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    for row in rows:
        printed = {key: float(value) for key, value in row.items() if key != "dataset" and value}
        quoted = published(row["dataset"])
        assert {one.method: one.accuracy for one in quoted if one.source.title == TABLES[file]} == printed


@pytest.mark.parametrize("file", AEON_FILES)
def test_every_figure_of_aeon_is_that_of_the_archives_own_split(file: str) -> None:
    spec = find_spec("aeon")
    assert spec is not None
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "testing" / "example_results_files" / "classification"
    path = folder / "accuracy" / f"{file}_accuracy.csv"
    if not path.is_file():
        pytest.skip("this version of aeon brings no such results")
    with path.open(encoding="utf-8") as opened:
        first_of = {row[0]: float(row[1]) for row in list(csv.reader(opened))[1:]}
    quoted = {
        name: one.accuracy for name in KNOWN for one in published(name) if one.method == AEON_FILES[file]
    }  # fmt: skip
    assert len(quoted) == 112
    assert all(abs(first_of[name] - accuracy) < 5e-5 for name, accuracy in quoted.items())
