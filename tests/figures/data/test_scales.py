"""Ranges of channels side by side."""

from __future__ import annotations

import numpy as np

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.data import channel_scales_figure

PLAIN = np.array([[0, 1, 2, 3, 4], [-7, -7, -7, -7, -7]], dtype=float)


def marks(fig):
    return {trace.name: trace for trace in fig.data}


def test_line_bar_and_point_by_hand():
    drawn = marks(channel_scales_figure(PLAIN, ["a", "b"]))
    np.testing.assert_array_equal(drawn["smallest to largest"].x[[0, 1, 3, 4]], [0, 4, -7, -7])
    np.testing.assert_array_equal(drawn["middle half"].base, [1, -7])
    np.testing.assert_array_equal(drawn["middle half"].x, [2, 0])
    np.testing.assert_array_equal(drawn["median"].x, [2, -7])
    assert list(drawn["median"].customdata[1]) == ["b", "−7", "−7", "−7", "−7", "−7"]


def test_very_different_scales_are_drawn_on_a_logarithmic_axis_and_told_as_they_are():
    scales = np.array([[-0.01, 0, 0.005, 0.01, 0.02], [-5e4, -1e4, 0, 2e4, 1e5]])
    fig = channel_scales_figure(scales, ["small", "large"])
    line = marks(fig)["smallest to largest"]
    small, large = line.x[1] - line.x[0], line.x[4] - line.x[3]
    assert 0.1 < small / large < 1
    assert "logarithmic" in fig.layout.xaxis.title.text
    shown = dict(zip(fig.layout.xaxis.ticktext, fig.layout.xaxis.tickvals, strict=True))
    assert shown["0"] == 0
    assert shown["1×10⁵"] == line.x[4]
    assert marks(fig)["median"].customdata[1][5] == "1×10⁵"


def test_alike_scales_keep_a_plain_axis():
    for fig in (channel_scales_figure(PLAIN, ["a", "b"]), channel_scales_figure(np.zeros((1, 5)), ["a"])):
        assert "logarithmic" not in fig.layout.xaxis.title.text


def test_a_channel_without_values_leaves_its_row_empty():
    fig = channel_scales_figure(np.vstack([PLAIN[:1], np.full((1, 5), np.nan)]), ["a", "empty"])
    assert np.isnan(marks(fig)["median"].x[1])
    assert fig.layout.yaxis.ticktext == ("a", "empty")


def test_channels_left_out_are_counted():
    fig = channel_scales_figure(PLAIN, ["a", "b"], n_channels=1345)
    assert "(2 of 1345 channels)" in fig.layout.xaxis.title.text


def test_names_that_are_markup_are_drawn_letter_for_letter():
    assert unescaped_texts(channel_scales_figure(PLAIN, [HOSTILE, HOSTILE])) == []


def test_no_channel_says_so():
    fig = channel_scales_figure(np.empty((0, 5)), [])
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1
