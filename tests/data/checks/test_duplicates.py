from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report
from timemil_core.data.checks.duplicates import find_copies


@pytest.mark.pitfall(18)
def test_copies_across_training_and_test():
    line = only_line(read("18_copies.csv"), "warning", "exact copies of training series")
    assert line.text.startswith("1 of 2 test series")
    assert "'s2' = 's7'" in line.text
    assert line.choice == "copies"


@pytest.mark.pitfall(18)
def test_copies_within_a_part_are_noted():
    line = only_line(read("18_copies.csv"), "note", "exact copy of other series in the same part")
    assert "'s3' = 's5'" in line.text


def test_copies_of_different_classes():
    base = read("18_copies.csv")
    torn = replace(base, labels=np.where(np.arange(8) == 6, 0, base.labels))
    assert "'s2' = 's7'" in only_line(torn, "warning", "Equal series of different classes").text
    unknown = replace(base, labels=np.where(np.arange(8) == 6, -1, base.labels))
    assert not any("different classes" in line.text for line in report(unknown))


def test_missing_values_and_signs_of_zero_do_not_hide_a_copy():
    base = read("00_nothing_wrong.csv").subset([0, 1, 2])
    series = (
        np.array([[0.0, np.nan, 1.0]], dtype=np.float32),
        np.array([[-0.0, np.nan, 1.0]], dtype=np.float32),
        np.array([[0.0, np.nan]], dtype=np.float32),
    )
    assert find_copies(replace(base, series=series)) == [[0, 1]]


@pytest.mark.pitfall(17)
def test_windows_that_overlap_across_training_and_test():
    line = only_line(read("17_overlapping_windows.csv"), "warning", "2 test series overlap with training series")
    assert "'3' begins at time point 8 of '2' and shares 8 time points with it" in line.text
    assert line.choice == "groups"


@pytest.mark.pitfall(17)
def test_windows_that_overlap_without_groups():
    base = read("17_overlapping_windows.csv")
    training = replace(base, split=np.full(6, "train"))
    assert "'1' and '2' share 8 time points" in only_line(training, "warning", "4 pairs of series overlap").text
    grouped = replace(training, groups=("a",) * 4 + ("b",) * 2)
    assert not any("overlap" in line.text for line in report(grouped))
