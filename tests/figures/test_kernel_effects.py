from __future__ import annotations

import numpy as np
import pytest

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.wavelets import kernel_effects_figure, part_effects_figure

LEARNED, CONTROL = "the learned ones removed", "random wavelets in its place, as much taken away"


def traces(fig, name):
    return [trace for trace in fig.data if trace.name == name]


def test_a_row_a_part_with_its_controls():
    sizes, controls = np.array([2.0, 0.1]), np.array([[1.0, 1.5, 0.5], [0.2, 0.3, 0.1]])
    fig = part_effects_figure(["all", "layer 1"], sizes, controls, ["accuracy 0.5", "accuracy 0.9"])
    (own,), (random,) = traces(fig, LEARNED), traces(fig, CONTROL)
    np.testing.assert_array_equal(own.x, sizes)
    np.testing.assert_array_equal(own.y, [0, 1])
    np.testing.assert_array_equal(random.x, controls.ravel())
    np.testing.assert_array_equal(random.y, [0, 0, 0, 1, 1, 1])
    assert list(fig.layout.yaxis.ticktext) == ["all", "layer 1"]
    assert [note.text for note in fig.layout.annotations] == ["accuracy 0.5", "accuracy 0.9"]
    assert fig.layout.xaxis.range[0] <= 0 and fig.layout.xaxis.range[1] > 2


def test_each_kernel_against_how_much_it_takes_away():
    energy, sizes, controls = np.array([[0.01, 0.1]]), np.array([[0.5, 0.0]]), np.array([[0.2, 0.3]])
    fig = kernel_effects_figure(energy, sizes, controls, layer=1, selected=(1, 0, 0))
    (points,) = traces(fig, "wavelet 1")
    np.testing.assert_allclose(points.x, [1, 10])
    assert points.y[0] == 0.5 and 0 < points.y[1] < 1e-6  # nothing changes: drawn at the lower end
    assert points.customdata == ([1, 0, 0], [1, 0, 1])
    assert "change of the logit: 0.5<br>by a random kernel: 0.2<br>takes away 1 % of the encoding" in points.text[0]
    (random,) = traces(fig, "a random kernel, as much taken away")
    np.testing.assert_allclose(random.y, [0.2, 0.3])
    assert len(traces(fig, "chosen kernel")) == 1
    assert fig.layout.xaxis.type == fig.layout.yaxis.type == "log"


def test_names_are_drawn_letter_for_letter():
    assert unescaped_texts(part_effects_figure([HOSTILE], np.ones(1), np.ones((1, 2)), [HOSTILE], title=HOSTILE)) == []


@pytest.mark.parametrize(
    "fig",
    [
        part_effects_figure([], np.empty(0), np.empty((0, 3))),
        kernel_effects_figure(*[np.empty((0, 4))] * 3),
    ],
)
def test_nothing_to_draw_says_so(fig):
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1
