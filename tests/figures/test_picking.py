from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.picking import as_ids


def test_ids_are_a_list_a_point():
    assert as_ids(np.array([3, 5])) == [[3], [5]]
    assert as_ids(np.array([[0, 3], [1, 5]])) == [[0, 3], [1, 5]]


def test_no_ids():
    assert as_ids(np.empty((0, 2), int)) == []


def test_ids_reach_the_browser_as_lists_not_as_binary():
    fig = go.Figure(go.Scatter(x=[1, 2], y=[1, 2], customdata=as_ids(np.array([[0, 3], [1, 5]]))))
    assert json.loads(fig.to_json())["data"][0]["customdata"] == [[0, 3], [1, 5]]
