from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import only_line, read
from timemil_core.data.bundled import load_bundled
from timemil_core.data.checks import report


@pytest.mark.pitfall(14)
def test_a_test_part_that_was_normalised_with_its_own_mean():
    line = only_line(read("14_test_normalised_by_itself.csv"), "warning", "normalised with its own mean")
    assert "as they were measured" in line.remedy


@pytest.mark.pitfall(14)
def test_parts_that_were_normalised_together():
    line = only_line(read("14_normalised_with_the_test_set.csv"), "warning", "with the test series' values among them")
    assert "scores may be too good" in line.text


@pytest.mark.pitfall(14)
def test_series_that_were_normalised_one_by_one():
    line = only_line(read("14_each_series_z_normalised.csv"), "note", "z-normalised by itself")
    assert "Levels and amplitudes are gone" in line.text


def test_a_set_normalised_with_its_training_part_is_as_it_should_be():
    base = read("14_test_normalised_by_itself.csv")
    shifted = tuple(one + (0.5 if part == "test" else 0.0) for one, part in zip(base.series, base.split, strict=True))
    assert not any("normalised" in line.text for line in report(replace(base, series=shifted)))


def test_a_channel_that_is_never_observed_does_not_matter():
    base = read("14_test_normalised_by_itself.csv")
    padded = tuple(np.stack([one[0], np.full_like(one[0], np.nan)]) for one in base.series)
    lines = report(replace(base, series=padded, channel_names=("value", "empty")))
    assert any("normalised with its own mean" in line.text for line in lines)


def test_the_archives_own_sets():
    assert any("z-normalised by itself" in line.text for line in report(load_bundled("GunPoint")))
    assert not any("normalised" in line.text for line in report(load_bundled("BasicMotions")))
