"""Examples of each class."""

from __future__ import annotations

import numpy as np
import pytest
from aeon.datasets import load_basic_motions

from tests.figures.conftest import HOSTILE
from tests.figures.texts import texts, unescaped_texts
from timemil_core.figures.data import examples_figure

CHANNELS = [f"channel {place}" for place in range(6)]


@pytest.fixture(scope="module")
def motions():
    values, labels = load_basic_motions(split="train")
    names, indices = np.unique(labels, return_inverse=True)
    chosen = {label: np.flatnonzero(indices == label)[:2] for label in range(4)}
    return {label: [(f"train {i}", values[i]) for i in few] for label, few in chosen.items()}, list(names)


def test_a_column_a_class_and_a_row_a_channel(motions):
    examples, names = motions
    fig = examples_figure(examples, range(6), names, CHANNELS, sampling_rate=10)
    assert len(fig.data) == 4 * 6 * 2
    drawn = [trace for trace in fig.data if trace.name.startswith(names[1]) and trace.yaxis == "y6"]
    np.testing.assert_array_equal(drawn[0].y, examples[1][0][1][1])
    np.testing.assert_array_equal(drawn[0].x, np.arange(100) / 10)
    assert "time (s)" in texts(fig)


def test_a_channel_has_one_scale_in_all_columns(motions):
    examples, names = motions
    fig = examples_figure(examples, range(6), names, CHANNELS)
    assert len({fig.layout[f"yaxis{place}"].range for place in (5, 6, 7, 8)}) == 1


def test_only_the_classes_and_channels_asked_for(motions):
    examples, names = motions
    fig = examples_figure({2: examples[2]}, [5, 1], names, CHANNELS)
    assert len(fig.data) == 2 * 2
    np.testing.assert_array_equal(fig.data[0].y, examples[2][0][1][5])
    assert [text for text in texts(fig) if text in CHANNELS] == ["channel 5", "channel 1"]


def test_a_class_keeps_its_colour_whichever_are_drawn(motions):
    examples, names = motions
    alone = examples_figure({2: examples[2]}, [0], names, CHANNELS)
    together = examples_figure(examples, [0], names, CHANNELS)
    [drawn] = {trace.line.color for trace in together.data if trace.name.startswith(names[2])}
    assert alone.data[0].line.color == drawn


def test_unknown_classes_have_a_column_of_their_own():
    fig = examples_figure({-1: [("a", np.ones((1, 5)))]}, [0], [], ["x"])
    assert "<b>class unknown</b>" in texts(fig)


def test_long_examples_are_thinned(random):
    fig = examples_figure({0: [("a", random.normal(size=(1, 100_000)))]}, [0], ["a"], ["c"])
    assert len(fig.data[0].x) <= 400


def test_a_series_of_one_point_is_a_point():
    fig = examples_figure({0: [("a", np.ones((1, 1)))]}, [0], ["a"], ["c"])
    assert "markers" in fig.data[0].mode


def test_names_that_are_markup_are_drawn_letter_for_letter():
    fig = examples_figure({0: [(HOSTILE, np.ones((1, 5)))]}, [0], [HOSTILE], [HOSTILE], title=HOSTILE)
    assert unescaped_texts(fig) == []


def test_nothing_to_draw_says_so():
    fig = examples_figure({}, [0], [], ["a"])
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1
