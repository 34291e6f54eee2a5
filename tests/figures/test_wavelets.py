from __future__ import annotations

import numpy as np
import pytest

from tests.figures.conftest import HOSTILE
from tests.figures.texts import texts, unescaped_texts
from timemil_core.figures.style import THEMES
from timemil_core.figures.wavelets import (
    encoding_figure,
    encoding_heat_figure,
    frequency_figure,
    kernel_figure,
    kernel_grid_figure,
    scale_shift_figure,
)

POSITIONS = np.arange(-9, 10.0)


@pytest.fixture
def kernels(random) -> np.ndarray:
    return random.normal(size=(30, 19))


def traces(fig, name):
    return [trace for trace in fig.data if trace.name == name]


def test_grid_draws_learned_solid_and_initial_dashed(kernels):
    fig = kernel_grid_figure(POSITIONS, kernels[:5], ["a", "b", "c", "d", "e"], kernels[5:10])
    np.testing.assert_array_equal([trace.y for trace in traces(fig, "learned")], kernels[:5])
    np.testing.assert_array_equal([trace.y for trace in traces(fig, "before training")], kernels[5:10])
    assert {trace.line.dash for trace in traces(fig, "learned")} == {None}
    assert {trace.line.dash for trace in traces(fig, "before training")} == {"dash"}
    assert sum(trace.showlegend for trace in fig.data) == 2


def test_grid_panels_share_their_axes(kernels):
    fig = kernel_grid_figure(POSITIONS, kernels[:5], list("abcde"))
    assert fig.layout.xaxis5.matches == "x"
    assert fig.layout.yaxis5.matches == "y"


def test_grid_draws_twenty_four_at_most_and_says_so(kernels):
    fig = kernel_grid_figure(POSITIONS, kernels, [str(place) for place in range(30)])
    assert len(traces(fig, "learned")) == 24
    assert "24 of 30 kernels are drawn" in texts(fig)


def test_one_kernel_in_time_points_and_seconds(kernels):
    fig = kernel_figure(POSITIONS, kernels[0], kernels[1], sampling_rate=10)
    (learned,) = traces(fig, "learned")
    np.testing.assert_array_equal(learned.y, kernels[0])
    np.testing.assert_array_equal(learned.customdata, POSITIONS / 10)
    assert " s)" in learned.hovertemplate
    assert fig.layout.xaxis.title.text == "time points from the kernel's centre (one is 0.1 s)"
    assert "days)" in traces(kernel_figure(POSITIONS, kernels[0], sampling_rate=1 / 86400), "learned")[0].hovertemplate


def test_without_a_rate_there_are_no_seconds(kernels):
    (learned,) = traces(kernel_figure(POSITIONS, kernels[0]), "learned")
    assert " s)" not in learned.hovertemplate


def test_scatter_ids_are_layer_wavelet_and_feature(random):
    scales, shifts = random.uniform(0.5, 3, (3, 4)), random.normal(size=(3, 4))
    fig = scale_shift_figure(scales, shifts, layer=1)
    for wavelet in range(3):
        (points,) = traces(fig, f"wavelet {wavelet + 1}")
        np.testing.assert_array_equal(points.y, scales[wavelet])
        np.testing.assert_array_equal(points.x, shifts[wavelet])
        np.testing.assert_array_equal(points.customdata, [[1, wavelet, feature] for feature in range(4)])
    assert fig.layout.yaxis.type == "log"


def test_wavelets_differ_by_symbol(random):
    fig = scale_shift_figure(random.uniform(0.5, 3, (3, 4)), random.normal(size=(3, 4)))
    assert len({trace.marker.symbol for trace in fig.data}) == 3


def test_hovers_tell_seconds_where_the_rate_is_known():
    fig = scale_shift_figure(np.array([[2.0]]), np.array([[-1.0]]), sampling_rate=10)
    assert fig.data[0].text == ("feature 1<br>scale a: 2 time points (0.2 s)<br>shift b: −1 time points (−0.1 s)",)


def test_ways_lead_from_the_initial_to_the_learned():
    fig = scale_shift_figure(np.array([[2.0]]), np.array([[1.0]]), np.array([[3.0]]), np.array([[0.5]]))
    (way,) = traces(fig, "way from where it began")
    np.testing.assert_array_equal(way.x, [0.5, 1, np.nan])
    np.testing.assert_array_equal(way.y, [3, 2, np.nan])


def test_the_chosen_kernel_is_ringed_in_its_own_layer_only(random):
    scales, shifts = random.uniform(0.5, 3, (3, 4)), random.normal(size=(3, 4))
    (ring,) = traces(scale_shift_figure(scales, shifts, layer=1, selected=(1, 2, 3)), "chosen kernel")
    assert (ring.x[0], ring.y[0]) == (shifts[2, 3], scales[2, 3])
    assert not traces(scale_shift_figure(scales, shifts, layer=0, selected=(1, 2, 3)), "chosen kernel")


def test_frequency_response_and_band():
    frequencies, magnitude = np.linspace(0, 50, 11), np.arange(11.0)
    fig = frequency_figure(frequencies, magnitude, magnitude / 2, "Hz", (10.0, 20.0))
    np.testing.assert_array_equal(traces(fig, "learned")[0].y, magnitude)
    np.testing.assert_array_equal(traces(fig, "before training")[0].y, magnitude / 2)
    (band,) = fig.layout.shapes
    assert (band.x0, band.x1) == (10, 20)
    assert "passed at half power and more" in texts(fig)
    assert fig.layout.xaxis.title.text == "frequency (Hz)"


def test_encoding_shares_one_scale():
    before, added = np.linspace(0, 4, 50), np.linspace(-2, 2, 50)
    fig = encoding_figure(np.arange(50), before, added)
    assert fig.layout.yaxis.range == fig.layout.yaxis2.range
    np.testing.assert_array_equal(traces(fig, "before the encoding")[0].y, before)
    np.testing.assert_array_equal(traces(fig, "what the encoding adds")[0].y, added)


def test_a_small_addition_is_enlarged_and_says_so():
    before = np.linspace(0, 1, 50)
    fig = encoding_figure(np.arange(50), before, before / 10)
    assert fig.layout.yaxis2.range[1] < fig.layout.yaxis.range[1]
    assert any("enlarged 10 times" in text for text in texts(fig))


def test_encoding_heat_is_signed_about_zero(random):
    added = random.normal(size=(100, 8))
    heat = encoding_heat_figure(np.arange(100), added).data[0]
    np.testing.assert_array_equal(heat.z, added.T)
    assert heat.zmax == -heat.zmin == np.abs(added).max()
    assert heat.colorscale == tuple(map(tuple, THEMES["light"].signed))


def test_encoding_heat_of_long_series_is_thinned(random):
    fig = encoding_heat_figure(np.arange(20_000), random.normal(size=(20_000, 128)).astype(np.float32))
    assert fig.data[0].z.shape == (128, 500)
    assert "mean of what is added" in texts(fig)
    assert len(fig.to_json()) < 1_500_000


def test_names_that_are_markup_are_drawn_letter_for_letter(kernels):
    figures = [
        kernel_grid_figure(POSITIONS, kernels[:2], [HOSTILE] * 2, title=HOSTILE),
        frequency_figure(np.arange(3.0), np.arange(3.0), unit=HOSTILE, band=(0, 1)),
        encoding_figure(np.arange(3), np.arange(3.0), np.arange(3.0), HOSTILE),
        encoding_heat_figure(np.arange(3), np.ones((3, 2)), HOSTILE),
    ]
    for fig in figures:
        assert unescaped_texts(fig) == []


@pytest.mark.parametrize(
    "fig",
    [
        kernel_grid_figure(POSITIONS, np.empty((0, 19)), []),
        scale_shift_figure(np.empty((0, 4)), np.empty((0, 4))),
        encoding_figure(np.empty(0), np.empty(0), np.empty(0)),
        encoding_heat_figure(np.empty(0), np.empty((0, 128))),
    ],
)
def test_nothing_to_draw_says_so(fig):
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1


def test_kernels_that_are_not_drawn_do_not_stretch_the_axis(kernels):
    kernels[29] = 1000
    fig = kernel_grid_figure(POSITIONS, kernels, [str(place) for place in range(30)])
    assert fig.layout.yaxis.range[1] < 10


def test_a_visible_span_of_the_encoding_shows_every_point_on_the_scale_of_the_whole(random):
    times, before, added = np.arange(20_000.0), random.normal(size=20_000), random.normal(size=20_000)
    fig = encoding_figure(times, before, added, visible_span=(5000, 5100))
    np.testing.assert_array_equal(fig.data[0].y, before[4999:5102])
    np.testing.assert_array_equal(fig.data[1].x, times[4999:5102])
    assert fig.layout.yaxis.range == encoding_figure(times, before, added).layout.yaxis.range


def test_a_visible_span_of_the_encodings_map_shows_every_point(random):
    added = random.normal(size=(20_000, 3))
    fig = encoding_heat_figure(np.arange(20_000.0), added, visible_span=(5000, 5100))
    np.testing.assert_array_equal(fig.data[0].z, added[4999:5102].T)
    assert len(fig.data[0].x) == 104
