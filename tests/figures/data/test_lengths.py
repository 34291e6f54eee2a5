"""The histogram of lengths."""

from __future__ import annotations

import numpy as np
import pytest

from timemil_core.figures.data import length_histogram


def test_every_series_is_counted_once(random):
    lengths = random.integers(5, 500, 300)
    bars = length_histogram(lengths).data[0]
    assert sum(bars.y) == 300
    assert len(bars.y) <= 40
    for count, (low, high) in zip(bars.y, bars.customdata, strict=True):
        assert count == ((lengths >= low) & (lengths <= high)).sum()


def test_a_bar_of_one_length_is_told_as_that():
    bars = length_histogram(np.array([3, 4, 4])).data[0]
    assert list(bars.text) == ["3", "4"]
    assert length_histogram(np.array([1, 100])).data[0].text[0] == "1 to 3"


@pytest.mark.parametrize(
    ("lengths", "rate", "text"),
    [
        ([100] * 80, 10.0, "All 80 series have 100 time points (10 s)."),
        ([7], None, "The series has 7 time points."),
        ([1, 1], None, "All 2 series have 1 time point."),
        ([], None, "There are no series."),
    ],
)
def test_one_length_is_a_sentence(lengths, rate, text):
    assert length_histogram(np.array(lengths, dtype=int), rate).layout.annotations[0].text == text
