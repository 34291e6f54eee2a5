"""The section on the whole model, by what shipped models carry and by numbers counted by hand."""

from __future__ import annotations

import re

import numpy as np

from tests.explain.builders import build_model, build_set
from timemil_core.data.bundled import load_bundled
from timemil_core.explain.answer import Answer
from timemil_core.models.shelf import open_model
from timemil_core.reports.whole_model import _confusion, whole_model


def test_a_shipped_model_tells_its_score_and_what_its_methods_are_worth() -> None:
    parts = "\n".join(whole_model(open_model("basicmotions"), load_bundled("BasicMotions"), "basicmotions"))
    assert "40 of 40 test series right (accuracy 1.000)" in parts
    assert "evidence strong" in parts
    assert '<th scope="row">Occlusion</th>' in parts


def test_a_model_that_nobody_measured_has_no_section() -> None:
    assert whole_model(build_model(), build_set(), "no-such-model") == []


def test_the_confusion_counts_true_classes_in_rows() -> None:
    true, predicted = np.array([0, 0, 0, 1, -1]), np.array([0, 1, 1, 1, 0])
    grid = _confusion(("a<b", "c"), Answer((), "test", np.arange(5), true, predicted, "time (s)", ("x",)))
    assert "Of 4 test series" in grid
    assert "a&lt;b" in grid and "a<b" not in grid
    assert re.findall(r'class="number">(\d+)<', grid) == ["1", "2", "0", "1"]
