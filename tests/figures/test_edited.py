import numpy as np
import pytest

from timemil_core.figures.edited import before_after_figure, edited_figure
from timemil_core.figures.style import THEMES

TIMES = np.arange(5.0)
ORIGINAL = np.array([[0, 1, 2, 3, 4], [5, 5, 5, 5, 5]], dtype=np.float32)


def lines(figure, name):
    return [trace for trace in figure.data if trace.name == name and trace.mode == "lines"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_only_what_differs_is_drawn_twice(theme):
    edited = ORIGINAL.copy()
    edited[0, 2:3] = 9
    maps = (np.arange(5.0), -np.arange(5.0))
    figure = edited_figure(
        TIMES, ORIGINAL, edited, ("x", "<b>y"), "time point", maps=maps, selected_span=(1, 2), theme=theme
    )
    before, after = lines(figure, "original"), lines(figure, "edited")
    # the changed time point and its neighbours, and the map of each
    np.testing.assert_array_equal(before[0].y, [np.nan, 1, 2, 3, np.nan])
    np.testing.assert_array_equal(after[0].y, [np.nan, 1, 9, 3, np.nan])
    assert [before[1].y.tolist(), after[1].y.tolist()] == [one.tolist() for one in maps]
    assert after[0].line.color == THEMES[theme].selection
    np.testing.assert_array_equal(lines(figure, "x")[0].y, [0, 1, np.nan, 3, 4])
    np.testing.assert_array_equal(lines(figure, "&lt;b&gt;y")[0].y, ORIGINAL[1])
    assert any("&lt;b&gt;y" in (one.text or "") for one in figure.layout.annotations)
    assert any(trace.name == "span to edit" for trace in figure.data)


def test_an_original_is_drawn_once_and_its_truth_above_it():
    truth = np.array([0, 1, 1, 0, 0], dtype=bool)
    figure = edited_figure(
        TIMES, ORIGINAL, ORIGINAL, ("x", "y"), "time point", maps=(np.arange(5.0), None), map_unit="weight", truth=truth
    )
    assert not lines(figure, "edited") and [one.y.tolist() for one in lines(figure, "original")] == [[0, 1, 2, 3, 4]]
    assert figure.layout.yaxis4.title.text == "weight"
    assert figure.data[0].base.tolist() == [0.5] and figure.data[0].x.tolist() == [2.0]
    assert figure.layout.meta["channels"] == {"y2": 0, "y3": 1}


def test_missing_values_leave_a_gap_and_an_all_missing_channel_is_drawn():
    edited = ORIGINAL.copy()
    edited[:, 1:3] = np.nan
    figure = edited_figure(TIMES, ORIGINAL, edited, ("x", "y"), "time point")
    assert np.isnan(lines(figure, "edited")[0].y[1])
    assert lines(figure, "original")[0].y[1] == 1
    edited_figure(TIMES, np.full((1, 5), np.nan), np.full((1, 5), np.nan), ("x",), "time point")


def test_changed_channels_are_drawn_first_where_there_are_too_many():
    many = np.zeros((20, 5), dtype=np.float32)
    edited = many.copy()
    edited[17, 2] = 1
    figure = edited_figure(TIMES, many, edited, [f"c{i}" for i in range(20)], "time point", max_channels=3)
    texts = [one.text for one in figure.layout.annotations]
    assert "3 of 20 channels are drawn" in texts and "<b>c17</b>" in texts


def test_probabilities_are_joined_class_by_class():
    figure = before_after_figure(np.array([0.9, 0.1]), np.array([0.2, 0.8]), ("a", "<i>"))
    joins, before, after = figure.data
    assert joins.x[:2].tolist() == [0.9, 0.2]
    assert before.x.tolist() == [0.9, 0.1] and after.x.tolist() == [0.2, 0.8]
    assert figure.layout.yaxis.ticktext == ("a", "&lt;i&gt;")
    assert not before_after_figure(np.array([]), np.array([]), ()).data
    assert [trace.name for trace in before_after_figure(np.array([0.9, 0.1]), None, ("a", "b")).data[1:]] == [
        "original"
    ]
