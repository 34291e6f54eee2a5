from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report


@pytest.mark.pitfall(13)
def test_a_channel_that_is_constant_in_all_series():
    line = only_line(read("13_constant_channel.csv"), "warning", "It is one value throughout all series (3)")
    assert (line.where, line.choice) == ("channel 'battery'", "channels")
    assert "Leave it out" in line.remedy


def test_several_constant_channels_are_one_line():
    base = read("13_constant_channel.csv")
    flat = replace(base, series=tuple(np.stack([np.full(6, 7.0), one[1]]).astype(np.float32) for one in base.series))
    line = only_line(flat, "warning", "Each is one value throughout all series (7, 3)")
    assert line.where == "channels 'speed', 'battery'"


@pytest.mark.pitfall(13)
def test_a_channel_that_is_constant_in_many_series():
    line = only_line(read("13_silent_sensor.csv"), "warning", "It does not vary in 4 of 6 series")
    assert "'s1', 's2', 's3' and 1 more" in line.text
    assert line.where == "channel 'pulse'"


@pytest.mark.pitfall(14)
def test_channels_of_very_different_scales():
    line = only_line(read("14_scales.csv"), "note", "Channels differ in scale")
    assert "'pascal' varies by" in line.text
    assert "'volt' by" in line.text


@pytest.mark.pitfall(26)
def test_an_epoch_among_the_channels():
    line = only_line(read("26_epoch_among_channels.csv"), "warning", "held in steps of 128 (float32)")
    assert line.where == "channel 'stamp'"
    assert "seconds since 1970" in line.remedy


@pytest.mark.pitfall(26)
def test_a_large_offset_that_costs_precision():
    line = only_line(read("26_large_offset.csv"), "warning", "held in steps of 0.25 (float32)")
    assert "Subtract a constant" in line.remedy


def test_alike_channels_are_not_told_of():
    lines = report(read("13_silent_sensor.csv"))
    assert not any("differ in scale" in line.text or "float32" in line.text for line in lines)
