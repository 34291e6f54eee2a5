from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.spans import mark_times, truth_bars, truth_spans


def test_spans_reach_half_a_step_to_either_side():
    spans = truth_spans(np.arange(5) / 10, np.array([False, True, True, False, True]))
    np.testing.assert_allclose(spans, [[0.05, 0.25], [0.35, 0.45]])


def test_runs_less_than_a_pixel_apart_are_joined():
    truth = np.zeros(10_000, bool)
    truth[100:200] = truth[205:300] = truth[500:600] = True
    np.testing.assert_allclose(truth_spans(np.arange(10_000.0), truth), [[99.5, 299.5], [499.5, 599.5]])


def test_truth_is_told_by_hatching_outline_and_legend_not_by_colour_alone():
    bars = truth_bars(np.array([[1.0, 3.0]]), "#00785a", "time (s)")
    assert bars.marker.pattern.shape == "/"
    assert bars.marker.line.width > 0
    assert bars.showlegend
    assert "ground truth" in bars.name
    assert (bars.base[0], bars.x[0]) == (1, 2)


def test_a_series_without_relevant_time_points_says_so():
    assert "no time point" in truth_bars(np.empty((0, 2)), "#00785a", "time").name


def test_any_number_of_marks_is_one_shape():
    fig = go.Figure()
    mark_times(fig, np.arange(3.0), [(0, 0.4), (0.6, 1)], "#000000")
    assert len(fig.layout.shapes) == 1
    assert fig.layout.shapes[0].path.count("M") == 6
