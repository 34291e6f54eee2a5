import numpy as np

from timemil_core.figures.confusion import MOST_TOLD, confusion_figure

COUNTS = np.array([[3, 1], [0, 4]])


def test_cells_are_shares_of_the_true_class_and_can_be_picked():
    heat, points = confusion_figure(COUNTS, ["a", "<b>"]).data
    np.testing.assert_allclose(heat.z, [[0.75, 0.25], [0, 1]])
    assert list(zip(points.y, points.x, points.text, strict=True)) == [
        (0, 0, "3"),
        (0, 1, "1"),
        (1, 0, ""),
        (1, 1, "4"),
    ]
    assert [tuple(one) for one in points.customdata] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert points.hovertext[1] == "1 series of a called &lt;b&gt;"


def test_the_first_class_is_the_top_row_and_a_class_without_series_is_empty():
    fig = confusion_figure(np.array([[0, 0], [1, 1]]), ["a", "b"])
    assert list(fig.layout.yaxis.range) == [1.5, -0.5]
    np.testing.assert_allclose(fig.data[0].z, [[0, 0], [0.5, 0.5]])


def test_of_many_classes_the_colours_alone_are_drawn():
    n = MOST_TOLD + 1
    fig = confusion_figure(np.eye(n, dtype=np.int64), [str(one) for one in range(n)])
    assert set(fig.data[1].text) == {""}
