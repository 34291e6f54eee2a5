from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report

ONE_VALUE = "one value throughout each series"


@pytest.mark.pitfall(19)
def test_a_label_left_among_the_channels():
    line = only_line(read("19_label_left_in.csv"), "warning", ONE_VALUE)
    assert "tells the class: it looks like the label" in line.text
    assert (line.where, line.choice) == ("channel 'code'", "channels")
    assert "Leave the channel out" in line.remedy


@pytest.mark.pitfall(19)
def test_an_id_left_among_the_channels():
    line = only_line(read("19_id_left_in.csv"), "warning", ONE_VALUE)
    assert "no two series share it: it looks like an id" in line.text
    assert line.where == "channel 'number'"


@pytest.mark.pitfall(19)
def test_a_time_left_among_the_channels():
    line = only_line(read("19_time_left_in.csv"), "warning", "counts up in equal steps")
    assert line.where == "channel 'row'"


def test_a_subjects_number_is_offered_as_the_group():
    series_set = read("19_id_left_in.csv")
    subjects = [7, 7, 7, 9, 9, 9]  # each with both classes
    series = tuple(
        np.stack([one[0], np.full_like(one[0], subject)])
        for one, subject in zip(series_set.series, subjects, strict=True)
    )
    line = only_line(replace(series_set, series=series), "warning", ONE_VALUE)
    assert "2 different ones in all: it looks like a subject" in line.text
    assert line.choice == "groups"


def test_a_counter_of_unequal_steps_is_noted_only():
    series_set = read("19_time_left_in.csv")
    series = tuple(np.stack([one[0], np.cumsum(np.abs(one[0]) + 1)]).astype(np.float32) for one in series_set.series)
    assert only_line(replace(series_set, series=series), "note", "only ever rises").where == "channel 'row'"


def test_a_rise_that_one_series_does_not_share_is_a_signal():
    series_set = read("19_time_left_in.csv")
    reversed_one = series_set.series[0][:, ::-1].copy()
    changed = replace(series_set, series=(reversed_one, *series_set.series[1:]))
    assert not any("rises" in line.text or "counts up" in line.text for line in report(changed))
