from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report


@pytest.mark.pitfall(17)
def test_no_test_part():
    line = only_line(read("16_one_class.csv"), "warning", "There is no test part")
    assert line.remedy.startswith("Split the set")
    assert line.choice == "split"


@pytest.mark.pitfall(17)
def test_one_subject_on_both_sides_by_the_ids():
    line = only_line(read("17_subject_on_both_sides.csv"), "warning", "can be told by: id before its last mark")
    assert "2 of them lie on both sides" in line.text
    assert line.choice == "groups"


@pytest.mark.pitfall(17)
def test_one_subject_on_both_sides_by_the_groups():
    base = read("17_subject_on_both_sides.csv")
    subjects = replace(base, groups=tuple(one.split("_")[0] for one in base.series_ids))
    line = only_line(subjects, "warning", "2 groups on both sides of the split ('ann', 'bob')")
    assert line.choice == "split"


def test_groups_that_stay_on_one_side_are_noted():
    base = read("17_subject_on_both_sides.csv")
    apart = replace(base, groups=tuple("ann" if part == "test" else "bob" for part in base.split))
    assert only_line(apart, "note", "splits keep a group on one side")


def test_ids_that_might_name_subjects_are_told_before_a_split():
    base = read("17_subject_on_both_sides.csv")
    assert only_line(replace(base, split=np.full(8, "train")), "warning", "a split must heed them")


def test_what_cannot_be_checked_is_said():
    assert any("cannot be checked" in line.text for line in report(read("00_nothing_wrong.csv")))
    known = replace(read("00_nothing_wrong.csv"), groups=tuple("abcdefghijklmnop"))
    assert not any("cannot be checked" in line.text for line in report(known))


def test_no_training_part():
    base = read("16_one_class.csv")
    assert only_line(replace(base, split=np.full(4, "test")), "warning", "There is no training part")


def test_a_small_test_part_tells_what_one_series_weighs():
    lines = report(read("00_nothing_wrong.csv"))
    assert any(
        "4 series: one more or less that is right changes the accuracy by 25.0 points" in one.text for one in lines
    )


@pytest.mark.pitfall(24)
def test_too_few_series_to_hold_some_out():
    assert only_line(read("24_too_few_to_hold_out.csv"), "note", "the last epoch is kept instead of the best")
