from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from tests.figures.conftest import HOSTILE, HOSTILE_DRAWN
from tests.figures.texts import unescaped_texts
from timemil_core.figures.boundary import MOST_POINTS, boundary_figure


def figure(n: int = 40, names: tuple[str, str] = ("irrelevant", "relevant"), **settings) -> go.Figure:
    points = np.random.default_rng(0).normal(size=(n, 2))
    half = n // 2
    return boundary_figure(
        points,
        (np.arange(n) % 4 == 0).astype(int),
        names,
        np.repeat([0, 1], [half, n - half]),
        np.concatenate([np.arange(half), np.arange(n - half)]),
        settings.pop("series_names", ("first", "second")),
        np.concatenate([np.arange(half), np.arange(n - half)]) / 10,
        np.linspace(0, 1, 12).reshape(3, 4),
        np.linspace(-3, 3, 4),
        np.linspace(-2, 2, 3),
        np.array([0.412, 0.13]),
        settings.pop("region_title", "share of neighbours"),
        time_unit="time (s)",
        **settings,
    )


def points_of(fig: go.Figure) -> list:
    return [trace for trace in fig.data if trace.customdata is not None]


def test_points_carry_their_series_and_time_point():
    irrelevant, relevant = points_of(figure())
    assert list(relevant.customdata[:2]) == [[0, 0], [0, 4]]
    assert relevant.customdata[-1] == [1, 16]
    assert len(irrelevant.customdata) == 30
    assert irrelevant.name == "irrelevant (30)"
    points = np.random.default_rng(0).normal(size=(40, 2))
    np.testing.assert_array_equal(relevant.x, points[::4, 0])
    np.testing.assert_array_equal(relevant.y, points[::4, 1])


def test_hovers_name_series_and_time():
    _, relevant = points_of(figure())
    assert relevant.hovertext[:1] + relevant.hovertext[-1:] == ("first", "second")
    np.testing.assert_array_equal(relevant.text, np.array(relevant.customdata)[:, 1] / 10)
    assert "time (s)" in relevant.hovertemplate


def test_classes_differ_by_symbol_as_well_as_colour():
    first, second = points_of(figure())
    assert first.marker.symbol != second.marker.symbol
    assert first.marker.color != second.marker.color


def test_axes_tell_the_variance():
    fig = figure()
    assert fig.layout.xaxis.title.text == "principal component 1 (41 % of variance)"
    assert fig.layout.yaxis.title.text == "principal component 2 (13 % of variance)"


def test_the_region_lies_beneath_on_a_fixed_scale_and_its_border_is_named():
    fig = figure()
    region, border = fig.data[:2]
    assert region.type == "heatmap"
    assert (region.zmin, region.zmax) == (0, 1)
    np.testing.assert_array_equal(region.z, np.linspace(0, 1, 12).reshape(3, 4))
    assert region.colorbar.title.text == "share of neighbours"
    assert border.contours.value == 0.5
    assert border.contours.showlabels
    assert border.name == "border (0.5)"


def test_picked_points_are_ringed():
    fig = figure(selected_ids=[(1, 3), (0, 4), (9, 9)])
    (rings,) = [trace for trace in fig.data if trace.name == "picked (2)"]
    points = np.random.default_rng(0).normal(size=(40, 2))
    np.testing.assert_array_equal(rings.x, points[[4, 23], 0])


def test_many_points_are_thinned_and_say_so():
    fig = figure(2 * MOST_POINTS + 1)
    assert sum(len(trace.x) for trace in points_of(fig)) <= MOST_POINTS
    assert [trace.name for trace in points_of(fig)] == [
        "irrelevant (3,000 of 9,000 drawn)",
        "relevant (1,001 of 3,001 drawn)",
    ]
    assert len(fig.to_json()) < 2_000_000


def test_names_that_are_markup_are_drawn_letter_for_letter():
    fig = figure(names=(HOSTILE, "b"), series_names=(HOSTILE, "s"), region_title=HOSTILE, title=HOSTILE)
    assert unescaped_texts(fig) == []
    assert fig.data[2].name == f"{HOSTILE_DRAWN} (30)"


def test_no_instances_say_so():
    fig = figure(0)
    assert not fig.data
    assert "no instances" in fig.layout.annotations[0].text


def test_ringed_instances_are_counted_under_their_title():
    rings = figure(selected_ids=[(0, 3), (1, 4), (5, 5)], selected_title="in <the> span").data[-1]
    assert rings.name == "in &lt;the&gt; span (2)"
    points = np.random.default_rng(0).normal(size=(40, 2))
    np.testing.assert_array_equal(rings.x, points[[3, 24], 0])
