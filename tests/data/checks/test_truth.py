from dataclasses import replace

import numpy as np

from tests.data.checks.builders import only_line, read
from timemil_core.data.synthetic import pulse_set


def test_what_is_marked_is_told_by_class():
    line = only_line(pulse_set(20, 10), "note", "Instance labels mark")
    assert "0.0% in 'no pulse', 17.5% in 'pulse'" in line.text  # 21 of 120 time points


def test_marks_without_a_mark_are_a_warning():
    base = read("00_nothing_wrong.csv")
    empty = replace(base, instance_labels=tuple(np.zeros(12, dtype=bool) for _ in range(16)))
    assert only_line(empty, "warning", "no time point is marked")
