"""Class means over their bands."""

from __future__ import annotations

import numpy as np

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.data import class_curves_figure

TIMES = np.arange(5.0)


def curve(start: float, n_channels: int = 1) -> np.ndarray:
    mean = np.tile(start + TIMES, (n_channels, 1))
    return np.stack([mean, mean - 1, mean + 1])


def test_a_line_and_a_band_a_class_and_channel():
    fig = class_curves_figure({0: curve(0, 2), 3: curve(9, 2)}, TIMES, list("abcd"), ["x", "y"])
    lines = [trace for trace in fig.data if trace.mode == "lines" and trace.fill is None]
    assert [(trace.name, trace.yaxis) for trace in lines] == [("a", "y"), ("d", "y"), ("a", "y2"), ("d", "y2")]
    np.testing.assert_array_equal(lines[1].y, 9 + TIMES)
    bands = [trace for trace in fig.data if trace.fill == "toself"]
    assert len(bands) == 4
    np.testing.assert_array_equal(bands[0].y, [*(TIMES + 1), *(TIMES - 1)[::-1]])
    assert lines[0].line.color != lines[1].line.color
    assert lines[0].line.dash == "solid"


def test_each_class_and_the_band_stand_in_the_legend_once():
    fig = class_curves_figure({0: curve(0, 3), -1: curve(1, 3)}, TIMES, ["a"], ["x", "y", "z"])
    assert [trace.name for trace in fig.data if trace.showlegend] == [
        "a",
        "class unknown",
        "band: middle half of the series",
    ]


def test_a_gap_breaks_line_and_band():
    broken = curve(0)
    broken[:, 0, 2] = np.nan
    fig = class_curves_figure({0: broken}, TIMES, ["a"], ["x"])
    lines = [trace for trace in fig.data if trace.fill is None and trace.name == "a"]
    assert [list(trace.x) for trace in lines] == [[0, 1], [3, 4]]
    assert [trace.showlegend for trace in lines] == [True, False]


def test_a_single_moment_is_a_point():
    fig = class_curves_figure({0: curve(0)[..., :1]}, TIMES[:1], ["a"], ["x"])
    [point] = [trace for trace in fig.data if trace.mode == "markers" and trace.name == "a"]
    assert point.x[0] == 0


def test_every_channel_has_its_own_scale():
    far = np.concatenate([curve(0), curve(1000)], axis=1)
    fig = class_curves_figure({0: far}, TIMES, ["a"], ["x", "y"])
    assert fig.layout.yaxis.range[1] < 10
    assert fig.layout.yaxis2.range[0] > 900


def test_a_class_that_has_no_values_draws_nothing():
    fig = class_curves_figure({0: np.full((3, 1, 5), np.nan)}, TIMES, ["a"], ["x"])
    assert [trace.name for trace in fig.data] == ["band: middle half of the series"]


def test_names_that_are_markup_are_drawn_letter_for_letter():
    fig = class_curves_figure({0: curve(0)}, TIMES, [HOSTILE], [HOSTILE], title=HOSTILE)
    assert unescaped_texts(fig) == []


def test_nothing_to_draw_says_so():
    for fig in (class_curves_figure({}, TIMES, [], ["x"]), class_curves_figure({0: curve(0)}, TIMES, ["a"], [])):
        assert len(fig.data) == 0
        assert len(fig.layout.annotations) == 1
