"""The memory benchmark's own arithmetic: the power with which memory grows."""

from __future__ import annotations

import pytest

from benchmarks.memory import growth


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_power_is_found_whatever_a_process_takes_by_itself(power: float) -> None:
    """300 MB, and 0.02 MB times T to a power: the power comes back."""
    lengths = [1, 1_000, 10_000, 100_000]
    peaks = [300.0, *(300.0 + 0.02 * n**power for n in lengths[1:])]
    assert growth(lengths, peaks) == pytest.approx(power, abs=1e-9)


def test_lengths_that_add_nothing_or_hardly_anything_are_left_out() -> None:
    """Below 1,000 time points a process's own megabytes hide what the series adds."""
    assert growth([1, 10, 1_000, 2_000], [300.0, 310.0, 320.0, 340.0]) == pytest.approx(1.0)
    assert growth([1, 1_000], [300.0, 320.0]) is None
    assert growth([1, 1_000, 2_000], [300.0, 299.0, 320.0]) is None
