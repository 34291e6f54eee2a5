import numpy as np
import pytest

from timemil_core.figures.style import ThemeName
from timemil_core.figures.trust_classes import class_scores_figure


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_centred_on_chance_and_numbers_are_told(theme: ThemeName) -> None:
    scores = np.array([[0.9, np.nan], [0.2, 0.5]])
    figure = class_scores_figure(["a", "<b>"], ["x", "y"], scores, [3, 4], quantity="AUROC", chance=0.5, theme=theme)
    heat = figure.data[0]
    assert (heat.zmin, heat.zmax) == pytest.approx((0.1, 0.9))
    assert [list(row) for row in heat.text] == [["0.90", ""], ["0.20", "0.50"]]
    assert list(figure.layout.xaxis.ticktext) == ["x<br>3 series", "y<br>4 series"]
    assert list(figure.layout.yaxis.ticktext) == ["a", "&lt;b&gt;"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first on top


def test_of_many_classes_the_numbers_stand_in_the_hover_alone() -> None:
    scores = np.zeros((1, 20))
    figure = class_scores_figure(["a"], [str(k) for k in range(20)], scores, [1] * 20, quantity="merit", chance=0)
    assert figure.data[0].texttemplate is None
    assert figure.data[0].zmax == 1  # all chance: no colour is made up


def test_nothing_measured_is_said() -> None:
    figure = class_scores_figure([], [], np.empty((0, 0)), [], quantity="merit", chance=0)
    assert not figure.data
    assert figure.layout.annotations
