from __future__ import annotations

import plotly.graph_objects as go
import pytest

from timemil_core.figures.grid import Grid


def drawn(n_panels: int, labelled: bool = True) -> tuple[Grid, go.Figure]:
    grid = Grid(n_panels, most_columns=4, row_height=100)
    for panel in range(n_panels):
        grid.draw(panel, go.Scatter(x=[0], y=[0]))
        if labelled:
            grid.label(panel, str(panel))
    return grid, grid.figure("light", x_title="x", y_title="y", title=None)


def test_panels_fill_from_the_left_and_the_top():
    grid, fig = drawn(6)
    assert (grid.n_columns, grid.n_rows) == (4, 2)
    assert fig.layout.xaxis2.domain[0] > fig.layout.xaxis.domain[1]
    assert fig.layout.xaxis5.domain == fig.layout.xaxis.domain
    assert fig.layout.yaxis5.domain[1] < fig.layout.yaxis.domain[0]


def test_tick_labels_stand_at_the_left_and_beneath_each_column():
    _, fig = drawn(6)
    assert [fig.layout[f"yaxis{place}"].showticklabels for place in ("", 2, 5, 6)] == [True, False, True, False]
    assert [fig.layout[f"xaxis{place}"].showticklabels for place in ("", 3, 4, 5)] == [False, True, True, True]


@pytest.mark.parametrize("labelled", [True, False])
def test_panels_have_the_pixels_that_were_asked_for(labelled):
    grid, fig = drawn(6, labelled)
    low, high = fig.layout.yaxis6.domain
    assert (high - low) * grid.inner_height == pytest.approx(100)
