from __future__ import annotations

import numpy as np
import pytest

from tests.figures.texts import texts
from timemil_core.figures.wavelets import kernel_way_figure, movement_figure

EPOCHS = np.array([0, 1, 2, 4])


def traces(fig, name):
    return [trace for trace in fig.data if trace.name == name]


def test_median_and_nine_in_ten_by_epoch():
    moves = EPOCHS[:, None] * np.linspace(0, 1, 11)  # at epoch e the quantile q is e q
    fig = movement_figure(EPOCHS, moves, "distance (s)", kept=2)
    band, line, star = fig.data
    np.testing.assert_allclose(line.x, EPOCHS)
    np.testing.assert_allclose(line.y, 0.5 * EPOCHS)
    np.testing.assert_allclose(band.y[:4], 0.9 * EPOCHS)
    assert (star.x[0], star.y[0], star.name) == (2, 1.0, "this model: epoch 2")
    assert fig.layout.yaxis.title.text == "distance (s)"
    assert fig.layout.yaxis.rangemode == "tozero"


def way(**changes):
    scales, shifts = np.array([1.0, 1.001, 1.002, 1.01]), np.array([0.5, 0.51, 0.52, 0.6])
    return kernel_way_figure(EPOCHS, scales, shifts, 2, np.array([0.5, 3.0]), np.array([-2.0, 2.0]), **changes)


def test_the_way_to_the_model_is_solid_and_what_came_later_dotted():
    fig = way()
    (to_model,), (later,) = traces(fig, "way to this model"), traces(fig, "later epochs, not kept")
    np.testing.assert_array_equal(to_model.x, [0.5, 0.51, 0.52])
    np.testing.assert_array_equal(later.y, [1.002, 1.01])
    assert later.line.dash == "dot"
    (star,) = traces(fig, "this model: epoch 2")
    assert (star.x[0], star.y[0]) == (0.52, 1.002)
    (start,) = traces(fig, "start")
    assert (start.x[0], start.y[0]) == (0.5, 1.0)


def test_it_tells_how_much_it_is_enlarged():
    # shifts: 4 against 0.1, scales: 2.5 against 0.01
    told = "<br>against all kernels, shifts are enlarged 40<br>and scales 250 times"
    assert way().layout.xaxis.title.text == f"shift b (time points){told}"
    whole = kernel_way_figure(EPOCHS[:2], np.array([0.5, 3]), np.array([-2, 2.0]), 1, np.array([0.5, 3]),
                              np.array([-2.0, 2]))  # fmt: skip
    assert not any("enlarged" in text for text in texts(whole))


def test_hovers_tell_the_unit_where_the_rate_is_known():
    assert " s)" in traces(way(sampling_rate=10.0), "way to this model")[0].hovertemplate
    np.testing.assert_allclose(traces(way(sampling_rate=10.0), "way to this model")[0].customdata[0], [0, 0.05])
    assert " s)" not in traces(way(), "way to this model")[0].hovertemplate


@pytest.mark.parametrize(
    "fig",
    [
        movement_figure(np.empty(0, int), np.empty((0, 3)), "distance", 0),
        kernel_way_figure(np.empty(0, int), *[np.empty(0)] * 2, 0, *[np.empty(0)] * 2),
    ],
)
def test_nothing_to_draw_says_so(fig):
    assert len(fig.data) == 0
    assert fig.layout.annotations[0].text == "No movement is known."
