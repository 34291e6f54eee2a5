import numpy as np
import pytest

from timemil_core.figures.style import ThemeName
from timemil_core.figures.trust_seeds import spread_figure


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_point_a_seed_over_the_span_of_all(theme: ThemeName) -> None:
    values = np.array([[0.2, 0.6, 0.4], [np.nan, -0.1, np.nan]])
    figure = spread_figure(
        ["a", "b"], values, ["seed 0", "seed 1", "seed <2>"], quantity="merit", chance=0, theme=theme
    )
    spans, points = figure.data[:2], figure.data[2:]
    assert list(spans[0].x) == [0.2, 0.6]
    assert list(spans[1].x) == [-0.1, -0.1]
    assert [trace.name for trace in points] == ["seed 0", "seed 1", "seed &lt;2&gt;"]
    assert list(points[1].x) == [0.6, -0.1]
    assert len({trace.marker.symbol for trace in points}) == 3  # not told apart by colour alone
    assert points[0].marker.color != points[1].marker.color
    assert figure.layout.shapes[0].x0 == 0  # chance


def test_the_axis_reaches_its_limits_and_all_values() -> None:
    values = np.array([[0.2, 1.4]])
    low, high = spread_figure(["a"], values, ["p", "q"], quantity="q", chance=0, limits=(-1, 1)).layout.xaxis.range
    assert low < -1
    assert high > 1.4


def test_pairs_are_all_alike() -> None:
    figure = spread_figure(["a"], np.array([[0.1, 0.2]]), ["0 and 1", "0 and 2"], quantity="q", chance=0, marked=None)
    assert len({trace.marker.symbol for trace in figure.data[1:]}) == 1
    assert not any(trace.showlegend for trace in figure.data)


def test_nothing_compared_is_said() -> None:
    figure = spread_figure(["a"], np.array([[np.nan]]), ["p"], quantity="q", chance=0)
    assert not figure.data
    assert figure.layout.annotations
