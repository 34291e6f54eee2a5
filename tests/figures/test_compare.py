"""Networks by accuracy and seconds."""

from __future__ import annotations

from timemil_core.figures.compare import accuracy_against_time_figure


def test_a_point_a_network_with_its_spread_and_none_without_seconds() -> None:
    rows = [("fast <b>", 0.9, 0.02, 1.0), ("slow", 1.0, None, 100.0), ("unknown", 0.5, None, None)]
    [points] = accuracy_against_time_figure(rows).data
    assert list(points.x) == [1.0, 100.0]
    assert list(points.y) == [0.9, 1.0]
    assert list(points.error_y.array) == [0.02, 0.0]
    assert points.text[0] == "fast &lt;b&gt;"
    assert list(points.textposition) == ["top right", "bottom left"]  # two of one height do not write over each other
    assert not len(accuracy_against_time_figure([]).data[0].x)
