"""``explain`` and ``report``, as typed in a shell."""

import csv
from pathlib import Path

import numpy as np
import pytest

from timemil_core.__main__ import main
from timemil_core.commands.predict import open_named_model
from timemil_core.data import catalogue
from timemil_core.explain.evaluation.ranking import known_ranking
from timemil_core.explain.importance import METHODS

WORDS = ["--model", "italypowerdemand", "--data", "ItalyPowerDemand", "--method", "integrated-gradients"]


def test_a_map_is_written_with_its_signal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "map.csv"
    assert main(["explain", *WORDS, "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "other places" in told
    rows = list(csv.reader(out.open(encoding="utf-8")))
    assert len(rows) == 1 + 24
    assert "importance" in rows[0]
    archive = tmp_path / "map.npz"
    assert main(["explain", *WORDS, "--out", str(archive)]) == 0
    values = np.load(archive, allow_pickle=False)["values"]
    np.testing.assert_allclose([float(row[rows[0].index("importance")]) for row in rows[1:]], values, rtol=1e-5)


def test_another_ending_is_refused_before_anything_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *WORDS, "--out", str(tmp_path / "map.pkl")]) != 0
    assert "neither .csv nor .npz" in capsys.readouterr().err


def test_a_report_is_one_file(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert main(["report", *WORDS, "--class", "cold months", "--out", str(out)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert "Integrated gradients" in out.read_text(encoding="utf-8")


def test_a_series_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *WORDS, "--series", "nobody", "--out", str(tmp_path / "report.html")]) != 0
    assert "nobody" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_a_method_it_is_the_one_that_the_page_opens_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ranking = known_ranking(open_named_model("italypowerdemand"), catalogue.load("ItalyPowerDemand"))
    assert ranking is not None
    assert main(["explain", *WORDS[:4], "--out", str(tmp_path / "map.csv")]) == 0
    assert METHODS[ranking.opening.method].title.split(" (")[0] in capsys.readouterr().out
