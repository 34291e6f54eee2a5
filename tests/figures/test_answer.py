import dataclasses

import numpy as np

from timemil_core.explain.answer import ClassAnswer, Example
from timemil_core.explain.where import Where
from timemil_core.figures.answer import examples_figure, mean_figure

NAMES = ("<b>x</b>", "y")
TIMES = np.arange(10) / 10
SIGNAL = np.arange(20.0).reshape(2, 10)
MAP = np.where(np.arange(10) == 4, 1.0, 0.0)[None, :] * np.array([[0.5], [1.0]])
EXAMPLE = Example(3, "s3", "a", True, TIMES, SIGNAL, MAP, np.arange(10) == 4)
TOLD = ClassAnswer(
    0, "a", "channel-occlusion", "strong", True, 3, Where("same", ((0.3, 0.5),), 0.2), "y", (0.0, 1.0), "own", TIMES,
    SIGNAL, MAP, np.zeros(0), (EXAMPLE,), 1, 1, "s", 2,
)  # fmt: skip


def heats(fig):
    return [trace for trace in fig.data if trace.type == "heatmap"]


def lines(fig):
    return [trace for trace in fig.data if trace.type == "scatter"]


def test_the_mean_has_a_row_a_channel_shaded_by_its_own_map():
    fig = mean_figure(TOLD, NAMES, "time (s)", (-2.0, 2.0))
    np.testing.assert_allclose([heat.z[0] for heat in heats(fig)], MAP)
    np.testing.assert_allclose([line.y for line in lines(fig)], SIGNAL)
    assert (fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) == (-2, 2)
    assert "&lt;b&gt;x" in fig.layout.annotations[0].text
    assert fig.layout.xaxis.title.text == "time (s)"
    assert fig.layout.shapes[0].x0 == 0.3


def test_a_map_over_time_alone_shades_all_channels():
    fig = mean_figure(dataclasses.replace(TOLD, importance=MAP[:1], shares=()), NAMES, "time (s)", (0.0, 1.0))
    np.testing.assert_allclose([heat.z[0] for heat in heats(fig)], [MAP[0], MAP[0]])


def test_of_many_channels_those_are_drawn_that_hold_most():
    n = 9
    many = dataclasses.replace(
        TOLD, n_channels=n, shares=tuple(np.arange(n) / 36), signal=np.tile(SIGNAL[0], (n, 1)),
        importance=np.tile(MAP[0], (n, 1)),
    )  # fmt: skip
    fig = mean_figure(many, [f"c{index}" for index in range(n)], "time (s)", (0.0, 1.0))
    assert next(text.text for text in fig.layout.annotations if "<b>" in text.text) == "<b>c3</b>"
    assert "6 of 9 channels" in fig.layout.xaxis.title.text


def test_an_example_is_a_row_in_the_channel_that_holds_most_with_its_truth():
    wrong = dataclasses.replace(EXAMPLE, index=4, series_id="s4", is_right=False, true_class="<b>", truth=None)
    fig = examples_figure(dataclasses.replace(TOLD, examples=(EXAMPLE, wrong)), NAMES, "time (s)", (0.0, 1.0))
    np.testing.assert_allclose([line.y for line in lines(fig)], [SIGNAL[1]] * 2)
    assert [one.text for one in fig.layout.annotations] == [
        "<b>s3, y</b>",
        "right",
        "<b>s4, y</b>",
        "wrong: it is &lt;b&gt;",
    ]
    (truth,) = fig.layout.shapes  # of the first row alone
    assert truth.path.startswith("M 0.35") and truth.path.count("L") == 2


def test_a_series_that_is_called_so_wrongly_is_drawn_in_the_channel_that_tells_its_true_class():
    wrong = dataclasses.replace(EXAMPLE, is_right=False, true_class="other", truth=None)
    fig = examples_figure(
        dataclasses.replace(TOLD, examples=(EXAMPLE, wrong)), NAMES, "time (s)", (0.0, 1.0), telling={"other": NAMES[0]}
    )
    np.testing.assert_allclose([line.y for line in lines(fig)], [SIGNAL[1], SIGNAL[0]])


def test_the_truth_over_the_mean_is_where_it_lies_in_half_of_the_series():
    told = dataclasses.replace(TOLD, truth=np.array([0, 0, 0.4, 0.5, 1, 1, 0.4, 0, 0, 0]))
    fig = mean_figure(told, NAMES, "time (s)", (0.0, 1.0))
    assert fig.layout.shapes[-1].path.startswith("M 0.25")
    assert fig.layout.annotations[-1].text == "known truth"
    assert len(mean_figure(TOLD, NAMES, "time (s)", (0.0, 1.0)).layout.shapes) == len(fig.layout.shapes) - 1


def test_without_examples_the_figure_says_so():
    fig = examples_figure(dataclasses.replace(TOLD, examples=()), NAMES, "time (s)", (0.0, 1.0))
    assert fig.layout.annotations[0].text == "No series to show."
