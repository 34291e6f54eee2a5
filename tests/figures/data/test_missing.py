"""Pictures of missing values."""

from __future__ import annotations

import numpy as np

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.data import missing_by_channel_figure, missing_map_figure

SHARES = np.array([[0.0, 0.5], [1.0, np.nan]])
ROWS = np.array([[3, 3], [5, 8]])
IDS = [f"series {index}" for index in range(9)]


def test_a_row_a_series_or_group():
    fig = missing_map_figure(SHARES, ROWS, np.array([0, 1, 2.0]), IDS)
    heat = fig.data[0]
    np.testing.assert_array_equal(heat.z, SHARES)
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert [row[0] for row in heat.customdata] == ["series 3", "series 5 to series 8"]
    assert fig.layout.yaxis.ticktext == ("series 3", "series 5")
    assert fig.layout.xaxis.title.text == "time point"


def test_channels_by_how_much_they_miss():
    fig = missing_by_channel_figure(np.array([0.0, 0.0001, 0.25]), ["a", "b", "c"])
    np.testing.assert_array_equal(fig.data[0].x, [0.25, 0.0001])
    assert fig.layout.yaxis.ticktext == ("c", "b")
    assert list(fig.data[0].text) == ["25.0%", "< 0.1%"]


def test_channels_that_find_no_room_are_counted():
    fig = missing_by_channel_figure(np.linspace(0.1, 0.2, 50), [str(index) for index in range(50)])
    assert len(fig.data[0].x) == 20
    assert "30 more channels" in fig.layout.xaxis.title.text


def test_names_that_are_markup_are_drawn_letter_for_letter():
    assert unescaped_texts(missing_map_figure(SHARES, ROWS, np.arange(3.0), [HOSTILE] * 9)) == []
    assert unescaped_texts(missing_by_channel_figure(np.array([0.5]), [HOSTILE])) == []


def test_nothing_missing_says_so():
    empty = missing_map_figure(np.empty((0, 2)), np.empty((0, 2), int), np.arange(3.0), [])
    for fig in (empty, missing_by_channel_figure(np.zeros(2), ["a", "b"])):
        assert len(fig.data) == 0
        assert fig.layout.annotations[0].text == "No value is missing."
