import numpy as np
import pytest

from timemil_core.figures.style import THEMES, ThemeName
from timemil_core.figures.trust import agreement_figure, ranking_figure, sensitivity_figure


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bars_stand_in_the_order_given_and_tell_the_level(theme: ThemeName) -> None:
    figure = ranking_figure(["a", "<b>"], np.array([0.4, -0.1]), ["strong", "none"], theme=theme)
    bar = figure.data[0]
    assert list(bar.x) == [0.4, -0.1]
    assert list(bar.text) == ["strong", "none"]
    assert list(figure.layout.yaxis.ticktext) == ["a", "&lt;b&gt;"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first on top


def test_each_level_has_its_own_fill_and_what_is_no_evidence_is_grey() -> None:
    levels = ["strong", "mixed", "none", "cannot be tested"]
    fills = ranking_figure(list("abcd"), np.zeros(4), levels).data[0].marker.color
    assert len(set(fills)) == 3 and fills[2] == fills[3]


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
        ranking_figure([], np.empty(0), []),
        agreement_figure(["a"], np.ones((1, 1))),
        sensitivity_figure([], [], np.empty((0, 0))),
    ]
    assert all(len(figure.data) == 0 and figure.layout.annotations for figure in empty)
