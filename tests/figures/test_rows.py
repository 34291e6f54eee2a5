from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timemil_core.figures.rows import Rows, padded_range, round_ticks, row_height


def test_ranges_by_hand():
    assert padded_range(np.array([0.0, 10.0, np.nan]), 0.1) == [-1, 11]
    assert padded_range(np.array([2.0, 2.0])) == [1.5, 2.5]
    assert padded_range(np.array([np.nan])) == [-1, 1]


def test_ticks_by_hand():
    assert round_ticks(-1.7, 1.5, 4) == [-1, 0, 1]
    assert round_ticks(0, 0.0735, 4) == [0, 0.02, 0.04, 0.06]


@settings(deadline=None, max_examples=60)
@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(4, 6))
def test_there_are_always_two_ticks_or_more_inside(low, width, most):
    ticks = round_ticks(low, low + width, most)
    assert 2 <= len(ticks) <= most
    slack = 1e-6 * max(abs(low), width)
    assert ticks[0] >= low - slack
    assert ticks[-1] <= low + width + slack


def test_more_rows_are_lower():
    heights = [row_height(n) for n in (1, 4, 8, 12)]
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == 4


def test_rows_share_the_time_axis_and_do_not_overlap():
    rows = Rows()
    axes = [rows.add(50, f"row {place}", range=[0, 1]) for place in range(3)]
    for axis in axes:
        rows.draw(axis, go.Scatter(x=[0], y=[0]))
    fig = rows.figure("light", {}, title=None, right=16)
    assert axes == ["y", "y2", "y3"]
    assert {trace.xaxis for trace in fig.data} == {"x"}
    assert fig.layout.xaxis.anchor == "y3"
    domains = [fig.layout[name].domain for name in ("yaxis", "yaxis2", "yaxis3")]
    assert domains[0][0] > domains[1][1] > domains[1][0] > domains[2][1]
    assert fig.layout.height == rows.inner_height + fig.layout.margin.t + fig.layout.margin.b


def test_rows_have_the_pixels_that_were_asked_for():
    rows = Rows()
    rows.add(50, range=[0, 1])
    rows.add(200, "label", range=[0, 1])
    (low, high), (low2, high2) = rows.domains()
    assert (high - low) * rows.inner_height == pytest.approx(50)
    assert (high2 - low2) * rows.inner_height == pytest.approx(200)
