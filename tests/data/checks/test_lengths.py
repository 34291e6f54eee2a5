from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report
from timemil_core.data.checks.lengths import LONGEST_KERNEL
from timemil_core.data.timestamps import Timestamps
from timemil_core.models.backbone import KERNEL_SIZES


def test_the_longest_kernel_is_the_networks():
    assert max(KERNEL_SIZES) == LONGEST_KERNEL


@pytest.mark.pitfall(12)
def test_a_series_of_one_time_point():
    line = only_line(read("12_single_point_and_empty.csv"), "warning", "Series of one time point")
    assert "1 ('s4')" in line.text
    assert "wide layout" in line.remedy


@pytest.mark.pitfall(12)
def test_series_shorter_than_the_kernels():
    short = read("13_constant_channel.csv")
    assert any("shorter than the network's longest kernel (6 of 40" in line.text for line in report(short))
    mixed = replace(short, series=(np.zeros((2, 60), dtype=np.float32), *short.series[1:]))
    assert any("5 of 6 series are shorter" in line.text and "'s2'" in line.text for line in report(mixed))


@pytest.mark.pitfall(10)
def test_unequal_lengths_are_masked_and_said_so():
    line = only_line(read("12_single_point_and_empty.csv"), "note", "Lengths are unequal (1 to 6 time points)")
    assert "the padding is masked" in line.text
    assert line.choice == "lengths"


@pytest.mark.pitfall(10)
def test_missing_values_at_the_ends_that_look_like_padding():
    line = only_line(read("10_padded_ends.csv"), "warning", "2 series end in missing values, as padding does")
    assert "'s3', 's4'" in line.text
    assert line.choice == "trim_ends"


@pytest.mark.pitfall(9)
def test_unequal_steps():
    line = only_line(read("09_unequal_steps.csv"), "warning", "Steps between time points are unequal")
    assert "0.1 to 0.4 s, in the median 0.1 s" in line.text
    assert "Resample" in line.remedy
    assert line.choice == "rate"


def test_an_unknown_unit_is_asked_for():
    base = read("00_nothing_wrong.csv")
    times = Timestamps(tuple(np.arange(12) * 0.02 for _ in range(16)))
    line = only_line(replace(base, timestamps=times), "warning", "The unit of the time column is not known")
    assert "its steps are 0.02" in line.text
    assert line.choice == "time_unit"


def test_an_unknown_sampling_rate_is_asked_for():
    base = read("00_nothing_wrong.csv")
    assert any(line.choice == "step" for line in report(base))
    assert not any(line.choice == "step" for line in report(replace(base, sampling_rate=50.0)))
