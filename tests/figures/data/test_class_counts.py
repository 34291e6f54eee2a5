"""Bars of class counts."""

from __future__ import annotations

import numpy as np

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.data import class_counts_figure


def test_class_counts_by_part():
    fig = class_counts_figure({"train": np.array([0, 0, 1]), "test": np.array([1, -1])}, ["a", "b"])
    np.testing.assert_array_equal([bars.x for bars in fig.data], [[2, 1, 0], [0, 1, 1]])
    assert fig.layout.yaxis.ticktext == ("a", "b", "class unknown")
    assert [bars.name for bars in fig.data] == ["training (3)", "test (2)"]


def test_parts_differ_by_hatching_too():
    fig = class_counts_figure({"train": np.array([0]), "test": np.array([0])}, ["a"])
    assert fig.data[0].marker.pattern.shape != fig.data[1].marker.pattern.shape


def test_an_empty_part_has_bars_of_length_nought():
    fig = class_counts_figure({"train": np.array([0]), "test": np.empty(0, int)}, ["a"])
    np.testing.assert_array_equal(fig.data[1].x, [0])


def test_many_classes_stand_upright_in_the_same_room():
    names = [f"class number {index}" for index in range(60)]
    labels = np.repeat(np.arange(60), np.arange(60))
    fig = class_counts_figure({"train": labels}, names)
    np.testing.assert_array_equal(fig.data[0].y, np.arange(60))
    np.testing.assert_array_equal(fig.data[0].customdata, names)
    assert fig.data[0].orientation == "v"
    few = class_counts_figure({"train": np.array([0])}, ["a"])
    assert fig.layout.height == few.layout.height
    assert fig.layout.xaxis.title.text == "60 classes"


def test_names_that_are_markup_are_drawn_letter_for_letter():
    assert unescaped_texts(class_counts_figure({HOSTILE: np.array([0])}, [HOSTILE])) == []
    assert unescaped_texts(class_counts_figure({"train": np.array([0])}, [HOSTILE] * 12)) == []


def test_no_class_says_so():
    fig = class_counts_figure({}, [])
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1
