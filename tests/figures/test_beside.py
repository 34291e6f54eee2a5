import numpy as np
import pytest

from timemil_core.figures.beside import beside_figure


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_own_effects_are_drawn_beside_those_of_others(theme):
    effects = {"where cut": (np.array([2.0, 3]), np.zeros(4)), "again": (np.array([1.0]), np.zeros(2))}
    figure = beside_figure(effects, "fall of <a>", own="the <b>", others="random", theme=theme)
    first_others, first_own, _, second_own = figure.data
    assert first_own.x.tolist() == [2, 3] and len(first_others.x) == 4 and second_own.x.tolist() == [1]
    assert (first_own.y < 0.5).all() and (second_own.y > 0.5).all()
    assert figure.layout.xaxis.title.text == "fall of &lt;a&gt;" and first_own.name == "the &lt;b&gt;"
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]


def test_a_single_row_needs_no_name():
    figure = beside_figure({"": (np.array([1.0]), np.zeros(2))}, "change", own="here", others="elsewhere")
    assert figure.layout.yaxis.showticklabels is False
    assert not beside_figure({}, "change", own="here", others="elsewhere").data
