from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.checks import report


@pytest.mark.pitfall(16)
def test_one_class_only():
    line = only_line(read("16_one_class.csv"), "warning", "All series are of one class, 'rest'")
    assert "another label column" in line.remedy


@pytest.mark.pitfall(16)
def test_a_class_of_one_series():
    line = only_line(read("16_class_of_one.csv"), "warning", "One training series alone: 'jump'")
    assert "Add series of it" in line.remedy


@pytest.mark.pitfall(16)
def test_a_class_that_is_only_in_the_test_part():
    line = only_line(read("16_class_only_in_test.csv"), "warning", "Only in the test part")
    assert "'jump'" in line.text
    assert line.choice == "split"


def test_a_class_that_is_only_in_the_training_part_is_noted():
    assert "'rest', 'walk'" in only_line(read("16_class_only_in_test.csv"), "note", "Only in the training part").text


@pytest.mark.pitfall(15)
def test_numbers_to_predict_are_told_from_classes():
    line = only_line(read("15_number_to_predict.csv"), "warning", "a class of its own")
    assert "looks like an id or a number to predict" in line.text
    halves = read("15_number_to_predict.csv")
    shared = replace(halves, labels=np.where(halves.labels > 21, 0, halves.labels))
    assert "22 different numbers are classes of 24 series" in only_line(shared, "warning", "different numbers").text


@pytest.mark.pitfall(15)
def test_ids_in_the_place_of_labels():
    line = only_line(read("15_ids_as_labels.csv"), "warning", "a class of its own")
    assert line.text.endswith("looks like an id.")


def test_a_class_of_few_series_and_a_frequent_class():
    base = read("00_nothing_wrong.csv")
    skewed = replace(base, labels=np.array([0, 0, *[1] * 14]))
    assert "'rest'" in only_line(skewed, "warning", "Fewer than 5 training series").text
    assert "100% of the test series are of the class 'walk'" in only_line(skewed, "note", "balanced accuracy").text


def test_series_without_a_class_are_counted():
    base = read("00_nothing_wrong.csv")
    assert (
        "3 of 16 series have no class"
        in only_line(replace(base, labels=np.array([-1] * 3 + [0, 1] * 6 + [0])), "note", "have no class").text
    )
    nothing_known = report(replace(base, labels=np.full(16, -1)))
    assert any("not learned from" in line.text for line in nothing_known)
