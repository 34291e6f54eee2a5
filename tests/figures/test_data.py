from __future__ import annotations

import numpy as np
import pytest
from aeon.datasets import load_basic_motions, load_japanese_vowels

from tests.figures.conftest import HOSTILE
from tests.figures.texts import texts, unescaped_texts
from timemil_core.figures.data import (
    channel_scales_figure,
    class_counts_figure,
    length_histogram,
    preview_figure,
)

CHANNELS = [f"channel {place}" for place in range(6)]


@pytest.fixture(scope="module")
def motions():
    values, labels = load_basic_motions(split="train")
    names, indices = np.unique(labels, return_inverse=True)
    return list(values), indices, list(names)


def test_a_column_a_class_and_a_row_a_channel(motions):
    series, labels, names = motions
    fig = preview_figure(series, labels, names, CHANNELS, sampling_rate=10, n_examples=2)
    assert len(fig.data) == 4 * 6 * 2
    first = np.flatnonzero(labels == 1)[0]
    drawn = [trace for trace in fig.data if trace.name == names[1] and trace.yaxis == "y6"]
    np.testing.assert_array_equal(drawn[0].y, series[first][1])
    np.testing.assert_array_equal(drawn[0].x, np.arange(100) / 10)
    assert "time (s)" in texts(fig)


def test_a_channel_has_one_scale_in_all_columns(motions):
    fig = preview_figure(*motions, CHANNELS)
    ranges = {fig.layout[f"yaxis{place}"].range for place in (5, 6, 7, 8)}
    assert len(ranges) == 1


def test_more_classes_and_channels_than_are_drawn_are_counted():
    values, labels = load_japanese_vowels(split="train")
    names, indices = np.unique(labels, return_inverse=True)
    fig = preview_figure([np.asarray(one) for one in values], indices, list(names), [f"c{i}" for i in range(12)])
    assert "6 of 9 classes and 6 of 12 channels are drawn" in texts(fig)


def test_unknown_classes_have_a_column_of_their_own():
    fig = preview_figure([np.ones((1, 5))], np.array([-1]), [], ["a"])
    assert "<b>class unknown</b>" in texts(fig)


def test_long_examples_are_thinned(random):
    fig = preview_figure([random.normal(size=(1, 100_000))], np.array([0]), ["a"], ["c"])
    assert len(fig.data[0].x) <= 400


def test_histogram_counts_every_series_once(random):
    lengths = random.integers(5, 500, 300)
    bars = length_histogram(lengths).data[0]
    assert sum(bars.y) == 300
    assert len(bars.y) <= 40
    for count, (low, high) in zip(bars.y, bars.customdata, strict=True):
        assert count == ((lengths >= low) & (lengths <= high)).sum()


def test_one_length_is_a_sentence():
    fig = length_histogram(np.full(80, 100), 10.0)
    assert fig.layout.annotations[0].text == "All 80 series have 100 time points (10 s)."


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


def test_channel_scales_by_hand():
    series = [np.array([[0, 1, 2.0], [7, 7, np.nan]]), np.array([[3, 4.0], [7, 7]])]
    box = channel_scales_figure(series, ["a", "b"]).data[0]
    np.testing.assert_array_equal(
        [box.lowerfence, box.q1, box.median, box.q3, box.upperfence], [[0, 7], [1, 7], [2, 7], [3, 7], [4, 7]]
    )


def test_a_channel_without_values_is_missing_not_an_error():
    box = channel_scales_figure([np.array([[np.nan], [1.0]])], ["a", "b"]).data[0]
    assert np.isnan(box.median[0])


def test_names_that_are_markup_are_drawn_letter_for_letter():
    series, labels = [np.ones((1, 5))], np.array([0])
    figures = [
        preview_figure(series, labels, [HOSTILE], [HOSTILE], title=HOSTILE),
        class_counts_figure({HOSTILE: labels}, [HOSTILE]),
        channel_scales_figure(series, [HOSTILE]),
    ]
    for fig in figures:
        assert unescaped_texts(fig) == []


@pytest.mark.parametrize(
    "fig",
    [
        preview_figure([], np.empty(0, int), [], ["a"]),
        length_histogram(np.empty(0, int)),
        class_counts_figure({}, []),
        channel_scales_figure([], ["a"]),
    ],
)
def test_nothing_to_draw_says_so(fig):
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1
