from __future__ import annotations

import numpy as np
import pytest

from timemil_core.figures.kernel_bands import band_text
from timemil_core.figures.wavelets import band_scatter_figure, coverage_figure

LOW, PEAK, HIGH = np.array([[0.1, 0.2]]), np.array([[0.15, 0.25]]), np.array([[0.2, 0.5]])
FIRST, LAST, SHIFTS = np.array([[-2, 0]]), np.array([[1, 0]]), np.array([[-0.5, 0.1]])


def traces(fig, name):
    return [trace for trace in fig.data if trace.name == name]


def scatter(**changes):
    return band_scatter_figure(LOW, PEAK, HIGH, FIRST, LAST, SHIFTS, **changes)


@pytest.mark.parametrize(
    ("rate", "x", "y", "x_title", "y_title"),
    [
        (None, [-0.5, 0.1], [0.15, 0.25], "in time points", "cycles per time point"),
        (100.0, [-0.005, 0.001], [15, 25], "in s", "Hz"),
        (1 / 86400, [-0.5, 0.1], [0.15, 0.25], "in days", "cycles per day"),
        (1 / 900, [-7.5, 1.5], [0.01, 0.25 / 15], "in min", "cycles per minute"),
    ],
)
def test_frequency_and_time_are_in_the_axis_s_unit(rate, x, y, x_title, y_title):
    fig = scatter(sampling_rate=rate)
    (points,) = traces(fig, "wavelet 1")
    np.testing.assert_allclose(points.x, x)
    np.testing.assert_allclose(points.y, y)
    assert x_title in fig.layout.xaxis.title.text
    assert y_title in fig.layout.yaxis.title.text
    assert fig.layout.yaxis.type == "log"


def test_points_are_picked_by_layer_wavelet_and_feature_and_the_chosen_one_is_ringed():
    fig = scatter(layer=1, selected=(1, 0, 1))
    assert traces(fig, "wavelet 1")[0].customdata == ([1, 0, 0], [1, 0, 1])
    (ring,) = traces(fig, "chosen kernel")
    assert (ring.x[0], ring.y[0]) == (0.1, 0.25)
    assert not traces(scatter(layer=0, selected=(1, 0, 1)), "chosen kernel")


def test_a_band_in_words():
    assert band_text(0.1, 0.15, 0.2, -2, 1, sampling_rate=100.0) == (
        "passes 10 to 20, most at 15 Hz<br>looks at −2 to 1 (4 time points, 0.04 s)"
    )
    assert band_text(0.1, 0.15, 0.2, 0, 0, sampling_rate=None) == (
        "passes 0.1 to 0.2, most at 0.15 cycles per time point<br>looks at 0 to 0 (1 time point)"
    )


def test_coverage_counts_the_kernels_that_pass():
    fig = coverage_figure(LOW, HIGH, LOW - 0.1, HIGH, sampling_rate=10.0)
    (learned,) = traces(fig, "learned")
    shares = dict(zip(np.round(learned.x, 3), learned.y, strict=True))
    assert [shares[frequency] for frequency in (0, 1, 1.5, 2, 2.5, 5)] == [0, 50, 50, 100, 50, 50]
    (before,) = traces(fig, "before training")
    assert before.y[0] == 50 and before.line.dash == "dash"
    assert fig.layout.xaxis.title.text == "frequency (Hz)"
    assert fig.layout.xaxis.range == (0, 5)


def test_a_start_that_is_not_known_is_not_drawn():
    assert len(coverage_figure(LOW, HIGH).data) == 1


@pytest.mark.parametrize(
    "fig", [band_scatter_figure(*[np.empty((0, 4))] * 6), coverage_figure(np.empty((0, 4)), np.empty((0, 4)))]
)
def test_nothing_to_draw_says_so(fig):
    assert len(fig.data) == 0
    assert fig.layout.annotations[0].text == "This layer has no wavelets."
