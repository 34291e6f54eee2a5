import numpy as np
import pytest

from timemil_core.figures.motifs import presence_figure, shape_figure, when_figure

TIMES = np.linspace(0, 2, 5)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_shape_has_a_band_and_the_span_is_marked(theme):
    mean = np.array([[0, 1, 2, 1, 0.0]])
    figure = shape_figure(TIMES, mean, mean - 1, mean + 1, ("<x>",), "time (s)", (0.5, 1.5), theme=theme)
    band, line = figure.data
    assert line.y.tolist() == mean[0].tolist() and band.y.max() == 3 and band.y.min() == -1
    assert [shape.x0 for shape in figure.layout.shapes] == [0.5, 1.5]
    assert figure.layout.annotations[0].text == "<b>&lt;x&gt;</b>"


def test_the_channels_that_vary_most_against_their_band_are_drawn():
    mean = np.zeros((6, 5))
    mean[4] = [0, 5, 0, 5, 0]
    figure = shape_figure(TIMES, mean, mean - 1, mean + 1, list("abcdef"), "time", (0, 2), max_channels=1)
    assert [one.text for one in figure.layout.annotations] == ["<b>e</b>", "1 of 6 channels are drawn"]
    assert not shape_figure(TIMES, mean * np.nan, mean, mean, list("abcdef"), "time", (0, 2)).data


def test_where_in_time_is_counted():
    bars = when_figure(np.array([0.5, 0.6, 19.9]), 20.0, "time").data[0]
    assert bars.y.tolist() == [2] + [0] * 18 + [1]
    assert not when_figure(np.array([]), 20.0, "time").data


def test_presence_is_a_share_with_its_counts():
    bars = presence_figure({"a": (3, 4), "b": (0, 2)}, [0, 1]).data[0]
    assert list(bars.x) == [0.75, 0.0] and list(bars.text) == ["3 of 4", "0 of 2"]
    assert not presence_figure({}, []).data
