"""Networks by accuracy and seconds."""

from __future__ import annotations

from timemil_core.figures.compare import accuracy_against_time_figure, pairwise_figure


def test_a_point_a_network_with_its_spread_and_none_without_seconds() -> None:
    rows = [("fast <b>", 0.9, 0.02, 1.0), ("slow", 1.0, None, 100.0), ("unknown", 0.5, None, None)]
    [points] = accuracy_against_time_figure(rows).data
    assert list(points.x) == [1.0, 100.0]
    assert list(points.y) == [0.9, 1.0]
    assert list(points.error_y.array) == [0.02, 0.0]
    assert points.text[0] == "fast &lt;b&gt;"
    assert list(points.textposition) == ["top right", "bottom left"]  # two of one height do not write over each other
    assert not len(accuracy_against_time_figure([]).data[0].x)


def test_sets_that_lie_together_share_a_name_and_each_is_told_on_pointing_at_it() -> None:
    points = pairwise_figure(("a", [1.0, 0.999, 0.6]), ("b", [1.0, 1.0, 0.9]), ["one", "two", "three"]).data[1]
    assert list(points.text) == ["one and 1 more", "", "three"]
    assert list(points.customdata) == ["one", "two", "three"]
    assert list(points.textposition) == ["middle left", "middle left", "middle right"]
