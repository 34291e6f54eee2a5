from __future__ import annotations

import numpy as np
import pytest

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.attention import class_mean_figure, deletion_figure, head_figure, probabilities_figure
from timemil_core.figures.style import THEMES, class_style

SHARES = np.linspace(0, 0.5, 11)


def curves(n_classes: int) -> dict:
    mean = np.linspace(0.5, 1.5, 50)
    return {f"class {place}": (mean + place, mean + place - 0.1, mean + place + 0.1) for place in range(n_classes)}


def means(fig):
    return [trace for trace in fig.data if (trace.name or "").startswith("class") and trace.fill is None]


@pytest.mark.parametrize("n_classes", [1, 4, 5, 26])
def test_each_class_has_its_mean_and_band(n_classes):
    fig = class_mean_figure(curves(n_classes))
    assert len(means(fig)) == n_classes
    for place, trace in enumerate(means(fig)):
        np.testing.assert_array_equal(trace.y, curves(n_classes)[f"class {place}"][0])
        np.testing.assert_array_equal(trace.x, np.linspace(0, 1, 50))
        assert trace.line.color == class_style(place).colour
    bands = [trace for trace in fig.data if trace.fill == "toself"]
    np.testing.assert_array_equal(bands[0].y[:50], curves(1)["class 0"][2])
    np.testing.assert_array_equal(bands[0].y[50:][::-1], curves(1)["class 0"][1])


def test_few_classes_share_a_panel_and_many_have_one_each():
    assert len({trace.yaxis for trace in means(class_mean_figure(curves(4)))}) == 1
    assert len({trace.yaxis for trace in means(class_mean_figure(curves(5)))}) == 5


def test_every_panel_has_the_flat_reference():
    fig = class_mean_figure(curves(6))
    flats = [trace for trace in fig.data if trace.name == "flat map: 1"]
    assert {trace.yaxis for trace in flats} == {trace.yaxis for trace in means(fig)}
    assert sum(trace.showlegend for trace in flats) == 1


def test_the_axis_begins_at_nothing_and_shows_the_reference():
    low, high = class_mean_figure({"a": (np.full(3, 0.1),) * 3}).layout.yaxis.range
    assert low == 0
    assert high >= 1.5


def test_no_class_says_so():
    assert "no series of any class" in class_mean_figure({}).layout.annotations[0].text


def test_heads_are_drawn_as_they_are_with_the_class_token_apart(random):
    rows = random.random((8, 101))
    rows /= rows.sum(1, keepdims=True)
    fig = head_figure(rows, np.arange(100) / 10, "time (s)")
    maps = [trace for trace in fig.data if trace.type == "heatmap"]
    np.testing.assert_array_equal([trace.z[0] for trace in maps], rows[:, 1:])
    (bars,) = [trace for trace in fig.data if trace.type == "bar"]
    np.testing.assert_array_equal(bars.x, rows[:, 0])
    assert bars.xaxis == "x2"
    assert fig.layout.coloraxis.cmin == 0
    assert fig.layout.coloraxis.cmax == pytest.approx(max(rows[:, 1:].max(), 3 / 101))


def test_flat_heads_look_flat():
    fig = head_figure(np.full((2, 11), 1 / 11), np.arange(10))
    assert fig.layout.coloraxis.cmax == pytest.approx(3 / 11)


def test_negative_weights_of_heads_are_shown():
    rows = np.array([[0.5, 0.7, -0.2]])
    fig = head_figure(rows, np.arange(2))
    assert (fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) == (-1, 1)
    assert fig.layout.coloraxis.colorscale == tuple(map(tuple, THEMES["light"].signed))


def test_long_heads_are_thinned():
    fig = head_figure(np.full((2, 20_001), 1 / 20_001), np.arange(20_000))
    assert fig.data[0].z.shape == (1, 1000)
    assert "mean weight" in fig.data[0].hovertemplate


def test_a_visible_span_of_heads_shows_every_point_in_the_colours_of_the_whole(random):
    rows = random.random((2, 20_001))
    fig = head_figure(rows, np.arange(20_000.0), visible_span=(5000, 5100))
    np.testing.assert_array_equal(fig.data[0].z[0], rows[0, 5000:5103])
    np.testing.assert_allclose(np.array(fig.data[0].x)[[0, -1]], [4998.5, 5101.5])
    assert fig.layout.coloraxis.cmax == head_figure(rows, np.arange(20_000.0)).layout.coloraxis.cmax
    assert "mean weight" not in fig.data[0].hovertemplate


def test_the_true_and_the_predicted_class_are_told_in_words():
    fig = probabilities_figure(np.array([0.1, 0.7, 0.2]), ["a", "b", "c"], true_class=2, predicted=1)
    np.testing.assert_array_equal(fig.data[0].x, [0.1, 0.7, 0.2])
    first, second, third = fig.layout.yaxis.ticktext
    assert first == "a"
    assert "b" in second and "predicted" in second and "true" not in second
    assert "c" in third and "true" in third and "predicted" not in third


def test_classes_may_be_given_by_name():
    by_index, by_name = (
        probabilities_figure(np.array([0.1, 0.9]), ["a", "b"], *which).to_json() for which in ((0, 1), ("a", "b"))
    )
    assert by_index == by_name


def test_a_true_class_that_the_model_does_not_know_is_not_marked():
    fig = probabilities_figure(np.array([0.1, 0.9]), ["a", "b"], "z", None)
    assert fig.layout.yaxis.ticktext == ("a", "b")


def test_twenty_six_classes_all_have_a_name_and_room():
    names = [chr(97 + place) for place in range(26)]
    fig = probabilities_figure(np.full(26, 1 / 26), names)
    assert fig.layout.yaxis.ticktext == tuple(names)
    assert fig.layout.height >= 26 * 18


def test_deletion_curve_random_orders_and_filler():
    curve, random_mean = 1 - SHARES, 1 - SHARES / 2
    fig = deletion_figure(SHARES, curve, random_mean, random_mean - 0.1, random_mean + 0.1, "probability", "local mean")
    lines = {trace.name: trace for trace in fig.data if trace.fill is None}
    np.testing.assert_array_equal(lines["most relevant first"].y, curve)
    np.testing.assert_array_equal(lines["random places: mean and 5 to 95 %"].y, random_mean)
    assert "removed" in fig.layout.xaxis.title.text
    assert "local mean" in fig.layout.xaxis.title.text
    assert fig.layout.yaxis.title.text == "probability"


def test_insertion_is_named_so():
    fig = deletion_figure(SHARES, SHARES, SHARES, SHARES, SHARES, "p", "noise", mode="insertion")
    assert "restored" in fig.layout.xaxis.title.text


def test_names_that_are_markup_are_drawn_letter_for_letter():
    mean = np.ones(3)
    figures = [
        class_mean_figure({HOSTILE: (mean, mean, mean)}, quantity=HOSTILE, band=HOSTILE, title=HOSTILE),
        class_mean_figure({f"{HOSTILE}{place}": (mean, mean, mean) for place in range(6)}),
        head_figure(np.ones((1, 3)), np.arange(2), HOSTILE, row_names=[HOSTILE]),
        probabilities_figure(np.array([0.5, 0.5]), [HOSTILE, HOSTILE], 0, 1, quantity=HOSTILE),
        deletion_figure(SHARES, SHARES, SHARES, SHARES, SHARES, HOSTILE, HOSTILE, method_name=HOSTILE),
    ]
    for fig in figures:
        assert unescaped_texts(fig) == []


@pytest.mark.parametrize(
    "fig",
    [
        head_figure(np.empty((0, 0)), np.empty(0)),
        probabilities_figure(np.empty(0), []),
        deletion_figure(*[np.empty(0)] * 5, "p", "f"),
        class_mean_figure({}),
    ],
)
def test_nothing_to_draw_says_so(fig):
    assert len(fig.data) == 0
    assert len(fig.layout.annotations) == 1
