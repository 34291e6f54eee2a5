from __future__ import annotations

import json

import numpy as np
import pytest
from aeon.datasets import load_basic_motions

from tests.figures.conftest import HOSTILE, HOSTILE_DRAWN
from tests.figures.texts import texts, unescaped_texts
from timemil_core.figures.importance import anchored_limits, covering
from timemil_core.figures.series import series_figure
from timemil_core.figures.style import THEMES

TIMES = np.arange(100) / 10
CHANNELS = [f"channel {place}" for place in range(6)]


@pytest.fixture(scope="module")
def series() -> np.ndarray:
    return load_basic_motions(split="train")[0][0]


@pytest.fixture
def attention(random) -> np.ndarray:
    weights = random.random(100)
    return weights / weights.sum()


def named(fig, name):
    (trace,) = [trace for trace in fig.data if trace.name == name]
    return trace


def heats(fig):
    return [trace for trace in fig.data if trace.type == "heatmap"]


def test_lines_are_the_channels(series):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)")
    for values, name in zip(series, CHANNELS, strict=True):
        line = named(fig, name)
        np.testing.assert_array_equal(line.y, values)
        np.testing.assert_array_equal(line.x, TIMES)
    assert fig.layout.xaxis.title.text == "time (s)"


def test_each_channel_has_a_scale_of_its_own_and_all_share_the_time_axis(series):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)")
    lines = [named(fig, name) for name in CHANNELS]
    assert len({line.yaxis for line in lines}) == 6
    assert {line.xaxis for line in lines} == {"x"}
    low, high = fig.layout.yaxis2.range
    assert low < series[1].min() < series[1].max() < high


def test_the_map_behind_and_beneath_is_what_was_given(series, attention):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention, attention_title="attention")
    assert len(heats(fig)) == 6
    for heat in heats(fig):
        np.testing.assert_array_equal(heat.z[0], attention)
        assert len(heat.x) == 101
    np.testing.assert_array_equal(named(fig, "attention").y, attention)


def test_heats_lie_behind_lines(series, attention):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention)
    order = [trace.type for trace in fig.data if trace.yaxis == "y3"]
    assert order == ["heatmap", "scatter"]


def test_a_flat_map_looks_flat(series):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=np.full(100, 0.01))
    assert (fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) == (0, pytest.approx(0.03))
    low, high = fig.layout.yaxis7.range
    assert low == 0
    assert high > 0.03


def test_a_nearly_flat_map_is_not_stretched(series, random):
    weights = 0.01 + 1e-5 * random.random(100)
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=weights / weights.sum())
    assert (fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) == (0, pytest.approx(0.03))


def test_a_peak_sets_the_range(series):
    weights = np.full(100, 0.5 / 99)
    weights[40] = 0.5
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=weights)
    assert (fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) == (0, 0.5)


def test_the_flat_reference_is_drawn_and_named(series, attention):
    line = named(series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention), "flat map: 1/T = 0.01")
    assert line.line.dash == "dash"
    np.testing.assert_allclose(line.y, 0.01)


def test_another_flat_weight(series, attention):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention, flat_weight=0.5)
    assert fig.layout.coloraxis.cmax == 1.5
    np.testing.assert_allclose(named(fig, "flat map: 0.5").y, 0.5)


def test_a_map_that_is_no_distribution_has_no_flat_reference(series, attention):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention * 7, flat_reference=False)
    assert fig.layout.coloraxis.cmax == pytest.approx(7 * attention.max())
    assert not [trace for trace in fig.data if "flat" in (trace.name or "")]


@pytest.mark.parametrize("signed", [True, False])
def test_negative_weights_are_shown_as_such_even_where_none_are_expected(series, signed):
    weights = np.linspace(-0.2, 0.1, 100)
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=weights, signed=signed)
    axis = fig.layout.coloraxis
    assert (axis.cmin, axis.cmax) == (-0.2, 0.2)
    assert axis.colorscale == tuple(map(tuple, THEMES["light"].signed_behind))


def test_signed_maps_have_no_flat_reference(series):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=np.linspace(-1, 1, 100), signed=True)
    assert not [trace for trace in fig.data if "flat" in (trace.name or "")]


def test_maps_by_channel(series, random):
    weights = random.random((6, 100))
    fig = series_figure(
        TIMES, series, CHANNELS, "time", attention=weights.mean(0), channel_attention=weights, flat_reference=False
    )
    np.testing.assert_array_equal([heat.z[0] for heat in heats(fig)], weights)
    assert fig.layout.coloraxis.cmax == weights.max()


def test_the_curve_tells_the_place_of_each_time_point(series, attention):
    curve = named(series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention), "attention")
    np.testing.assert_array_equal(curve.customdata, np.arange(100))
    assert "(time point %{customdata})" in curve.hovertemplate
    assert curve.mode == "lines"


def test_without_a_map_the_first_channel_tells_it(series):
    first, second = (named(series_figure(TIMES, series, CHANNELS, "time (s)"), name) for name in CHANNELS[:2])
    np.testing.assert_array_equal(first.customdata, np.arange(100))
    assert second.customdata is None


def test_truth_span_and_marks_are_drawn_and_told(series, attention):
    truth = np.zeros(100, bool)
    truth[20:30] = True
    fig = series_figure(
        TIMES, series, CHANNELS, "time (s)", attention=attention, truth=truth,
        selected_span=(4, 6.5), marked_times=np.array([1.2, 3.3]),
    )  # fmt: skip
    bars = named(fig, "ground truth: relevant time points")
    assert (bars.base[0], bars.x[0]) == (pytest.approx(1.95), pytest.approx(1.0))
    told = {trace.name for trace in fig.data if trace.showlegend}
    assert {"selected span", "marked time points (2)"} <= told
    (bracket,) = [shape for shape in fig.layout.shapes if shape.type == "rect"]
    assert (bracket.x0, bracket.x1) == (4, 6.5)


def test_the_selected_span_lays_no_colour_over_the_map(series, attention):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention, selected_span=(4, 6.5))
    (bracket,) = [shape for shape in fig.layout.shapes if shape.type == "rect"]
    assert bracket.y0 > fig.layout.yaxis.domain[1]


def test_too_many_channels_are_counted_not_dropped_in_silence(series):
    fig = series_figure(TIMES, np.tile(series, (5, 1)), [f"c{i}" for i in range(30)], "time", max_channels=12)
    assert "12 of 30 channels are drawn" in texts(fig)
    assert len([trace for trace in fig.data if trace.mode == "lines"]) == 12


def test_long_series_are_thinned_and_say_so(random):
    values, times = random.normal(size=(6, 20_000)).astype(np.float32), np.arange(20_000) / 100
    weights = random.random(20_000)
    weights /= weights.sum()
    fig = series_figure(times, values, CHANNELS, "time (s)", attention=weights)
    assert max(len(trace.x) for trace in fig.data) <= 2000
    assert heats(fig)[0].z.shape == (1, 1000)
    np.testing.assert_allclose(heats(fig)[0].z[0], weights.reshape(1000, 20).mean(1))
    assert "colour: mean over 20 time points" in texts(fig)
    assert named(fig, CHANNELS[2]).y.max() == values[2].max()
    curve = named(fig, "attention")
    np.testing.assert_array_equal(weights[curve.customdata], curve.y)
    assert len(fig.to_json()) < 1_500_000


def test_a_visible_span_shows_every_point_of_it_against_the_same_reference(random):
    values, times = random.normal(size=(1, 20_000)), np.arange(20_000.0)
    weights = np.full(20_000, 1 / 20_000)
    fig = series_figure(times, values, ["a"], "time point", attention=weights, visible_span=(5000, 5100))
    line = named(fig, "a")
    np.testing.assert_array_equal(line.x, np.arange(4999, 5102))
    np.testing.assert_array_equal(line.y, values[0, 4999:5102])
    np.testing.assert_array_equal(named(fig, "attention").customdata, np.arange(4999, 5102))
    assert fig.layout.coloraxis.cmax == pytest.approx(3 / 20_000)


def test_truth_in_a_visible_span_is_as_fine_as_the_span(random):
    values, times, truth = random.normal(size=(1, 20_000)), np.arange(20_000.0), np.zeros(20_000, bool)
    truth[5010:5020] = truth[5022:5030] = True
    whole, near, beside = (
        series_figure(times, values, ["a"], "time point", truth=truth, visible_span=span)
        for span in (None, (5000, 5100), (9000, 9100))
    )
    assert list(named(whole, "ground truth: relevant time points").base) == [5009.5]
    assert list(named(near, "ground truth: relevant time points").base) == [5009.5, 5021.5]
    none = named(beside, "ground truth: no relevant time point in this span")
    assert none.showlegend
    assert [value for value in none.base if value is not None and value == value] == []


def test_many_marks_are_one_a_pixel_and_all_are_counted(random):
    values, times = random.normal(size=(1, 20_000)), np.arange(20_000.0)
    fig = series_figure(times, values, ["a"], "time point", marked_times=times[:15_000])
    assert fig.layout.shapes[-1].path.count("M") <= 1001
    assert "marked time points (15000)" in [trace.name for trace in fig.data]


def test_hovers_in_all_rows_tell_the_weight_once(series, attention):
    fig = series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention, attention_unit="weight")
    assert fig.layout.hoversubplots == "axis"
    assert [trace.name for trace in fig.data if "weight" in (trace.hovertemplate or "")] == ["attention"]


def test_a_map_by_channel_tells_each_channels_weight_with_its_value(series, random):
    weights = random.random((6, 100))
    fig = series_figure(TIMES, series, CHANNELS, "time", attention=weights.mean(0), channel_attention=weights)
    line = named(fig, CHANNELS[2])
    np.testing.assert_array_equal(line.customdata, weights[2])
    assert "weight: %{customdata" in line.hovertemplate


def test_missing_values_leave_a_gap(series):
    holed = series.copy()
    holed[0, 10:20] = np.nan
    line = named(series_figure(TIMES, holed, CHANNELS, "time (s)"), CHANNELS[0])
    assert np.isnan(line.y[10:20]).all()


def test_a_channel_without_any_value_is_still_a_row(series):
    holed = series.copy()
    holed[3] = np.nan
    fig = series_figure(TIMES, holed, CHANNELS, "time (s)", attention=np.full(100, 0.01))
    assert fig.layout.yaxis4.range == (-1, 1)


@pytest.mark.parametrize("n_timepoints", [1, 2])
def test_very_short_series(n_timepoints):
    values = np.ones((1, n_timepoints))
    fig = series_figure(
        np.arange(n_timepoints), values, ["a"], "time point", attention=np.full(n_timepoints, 1 / n_timepoints),
        truth=np.ones(n_timepoints, bool),
    )  # fmt: skip
    assert len(named(fig, "attention").x) == n_timepoints


def test_an_empty_series_says_so():
    fig = series_figure(np.empty(0), np.empty((1, 0)), ["a"], "time point")
    assert "no time points" in fig.layout.annotations[0].text


def test_names_that_are_markup_are_drawn_letter_for_letter(series, attention):
    fig = series_figure(
        TIMES, series, [HOSTILE] * 6, HOSTILE, attention=attention, attention_title=HOSTILE, attention_unit=HOSTILE,
        truth=np.ones(100, bool), title=HOSTILE,
    )  # fmt: skip
    assert unescaped_texts(fig) == []
    assert f"<b>{HOSTILE_DRAWN}</b>" in [annotation.text for annotation in fig.layout.annotations]


@pytest.mark.parametrize("theme", THEMES)
def test_the_same_input_gives_the_same_figure(series, attention, theme):
    # Streamlit takes a chart for a new one, and forgets its selection, where a single byte differs
    first, second = (
        series_figure(TIMES, series, CHANNELS, "time (s)", attention=attention, theme=theme).to_json() for _ in "ab"
    )
    assert first == second
    assert json.loads(first)["layout"]["height"] > 600


def test_pictures_that_are_compared_have_the_same_scales() -> None:
    times, loud, quiet = np.arange(4.0), np.array([[0.0, 8.0, -8.0, 0.0]]), np.array([[0.0, 1.0, -1.0, 0.0]])
    maps = [np.array([0.0, 4.0, 1.0, 0.0]), np.array([0.5, -1.0, 0.0, 0.0])]
    limits = [anchored_limits(one, None) for one in maps]
    figures = [
        series_figure(times, own, ["x"], "s", attention=heat, signed=True, map_limits=least, beside=other)
        for own, heat, other, least in ((loud, maps[0], quiet, limits[1]), (quiet, maps[1], loud, limits[0]))
    ]
    assert [(fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) for fig in figures] == [(-4, 4), (-4, 4)]
    assert figures[0].layout.yaxis.range == figures[1].layout.yaxis.range
    assert figures[0].layout.yaxis2.range == figures[1].layout.yaxis2.range


def test_a_range_that_covers_others_is_about_zero_where_one_goes_below() -> None:
    assert covering((0, 2), (0, 5)) == (0, 5)
    assert covering((0, 2), (-3, 3)) == (-3, 3)
    assert covering((-1, 1)) == (-1, 1)
