"""What a link names: by reference or by title, or not known here."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.common.context import resolved
from app.common.state import Selection
from timemil_core.models.shelf import ShelfEntry

TITLES = {"upload-12ab": "Pump 3", "BasicMotions": "Basic motions"}
SHIPPED = {"title": "Motions", "data": "BasicMotions"}
OWN = {"title": "My pump", "data": "upload-12ab"}
ENTRIES = [
    ShelfEntry("basicmotions", "pretrained", Path("none/basicmotions"), ("x",), SHIPPED),
    ShelfEntry("run-1", "run", Path("none/run-1/model"), ("x",), OWN),
]


@pytest.mark.parametrize(
    ("data", "model", "found"),
    [
        ("upload-12ab", "run-1", ("upload-12ab", "run-1")),
        ("pump 3", "MY PUMP", ("upload-12ab", "run-1")),
        ("Basic motions", "", ("BasicMotions", "")),
        ("", "Motions", ("", "basicmotions")),
        ("BasicMotions", "cell-0123abcd-small", ("BasicMotions", "cell-0123abcd-small")),  # of a sweep: not listed
        ("BasicMotions", "damaged", ("BasicMotions", "damaged")),  # told of where models are listed
    ],
)
def test_links_name_by_reference_or_title(data: str, model: str, found: tuple[str, str]) -> None:
    selection, problem = resolved(Selection(data, model, "test 1"), ENTRIES, TITLES, {"damaged"})
    assert (selection.data, selection.model, selection.series, problem) == (*found, "test 1", "")


def test_what_is_not_here_is_told_once_and_replaced() -> None:
    selection, problem = resolved(Selection("gone", "lost"), ENTRIES, TITLES)
    assert (selection.data, selection.model) == ("BasicMotions", "basicmotions")
    assert "the data set 'gone' and the model 'lost'" in problem
    selection, problem = resolved(Selection("upload-12ab", "lost", "s 1"), ENTRIES, TITLES)
    assert (selection.data, selection.model, selection.series) == ("upload-12ab", "", "s 1")
    assert "'lost'" in problem and "data set" not in problem
    _, problem = resolved(Selection("x" * 500), ENTRIES, TITLES)
    assert len(problem) < 200
