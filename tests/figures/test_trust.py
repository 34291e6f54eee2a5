import numpy as np
import pytest

from timemil_core.figures.style import THEMES, ThemeName
from timemil_core.figures.trust import agreement_figure, merits_figure, sensitivity_figure


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bars_stand_in_the_order_given_and_tell_the_share(theme: ThemeName) -> None:
    figure = merits_figure(["a", "<b>"], np.array([0.4, -0.1]), np.array([0.75, 0.1]), theme=theme)
    bar = figure.data[0]
    assert list(bar.x) == [0.4, -0.1]
    assert list(bar.text) == ["75% of curves", "10% of curves"]
    assert list(figure.layout.yaxis.ticktext) == ["a", "&lt;b&gt;"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first on top


def test_the_best_is_marked_only_where_it_is_better_than_chance() -> None:
    better = merits_figure(["a", "b"], np.array([0.4, 0.1]), np.zeros(2)).data[0].marker.color
    chance = merits_figure(["a", "b"], np.array([-0.1, -0.2]), np.zeros(2)).data[0].marker.color
    assert better[0] != better[1]
    assert chance[0] == chance[1]


def test_agreement_is_coloured_from_minus_one_to_one_and_empty_where_unknown() -> None:
    heat = agreement_figure(["a", "b"], np.array([[1.0, np.nan], [np.nan, 1.0]])).data[0]
    assert (heat.zmin, heat.zmax) == (-1, 1)
    assert [list(row) for row in heat.text] == [["1.0", ""], ["", "1.0"]]
    assert heat.textfont.color == THEMES["light"].text


def test_lines_start_at_the_trained_model() -> None:
    figure = sensitivity_figure(["a"], ["classifier", "pooling"], np.array([[0.9, -0.8]]))
    assert list(figure.data[0].x) == ["nothing", "classifier", "pooling"]
    assert list(figure.data[0].y) == [1.0, 0.9, -0.8]
    assert figure.layout.yaxis.range[0] < -0.8


def test_without_methods_each_says_so() -> None:
    empty = [
        merits_figure([], np.empty(0), np.empty(0)),
        agreement_figure(["a"], np.ones((1, 1))),
        sensitivity_figure([], [], np.empty((0, 0))),
    ]
    assert all(len(figure.data) == 0 and figure.layout.annotations for figure in empty)
