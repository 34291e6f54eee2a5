"""A series in a table's cell."""

from __future__ import annotations

import base64
import re

import numpy as np

from timemil_core.figures.thumbnail import HEIGHT, WIDTH, thumbnail


def svg_of(address: str) -> str:
    kind, content = address.split(",")
    assert kind == "data:image/svg+xml;base64"
    return base64.b64decode(content).decode()


def test_each_channel_is_a_line_within_the_picture_and_a_gap_stays_open() -> None:
    svg = svg_of(thumbnail(np.array([[0.0, 1.0, np.nan, 0.5], [5.0, 5.0, 5.0, 5.0]])))
    first, second = re.findall(r'd="([^"]*)"', svg)
    assert first.count("M") == 2 and second.count("M") == 1
    points = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", first + second), dtype=float)
    assert (points >= 0).all() and (points <= [WIDTH, HEIGHT]).all()
    assert points[0].tolist() == [1, HEIGHT / 2 - 1.5] and points[1][1] == 1.5  # lowest and highest, in the upper half


def test_the_shade_is_as_strong_as_the_map_and_tells_its_sign() -> None:
    svg = svg_of(thumbnail(np.zeros((1, 4)), np.array([0.0, 2.0, -1.0, 9.0]), (-2.0, 2.0)))
    shades = re.findall(r'fill="(#e67e22|#3182ce)" opacity="([\d.]+)"', svg)
    assert shades == [("#e67e22", "0.85"), ("#3182ce", "0.42"), ("#e67e22", "0.85")]


def test_a_series_without_a_value_and_many_channels_are_drawn() -> None:
    assert 'd=""' in svg_of(thumbnail(np.full((1, 5), np.nan)))
    assert svg_of(thumbnail(np.zeros((40, 9)))).count("<path") == 6
