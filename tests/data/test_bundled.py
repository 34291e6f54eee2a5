import numpy as np
import pytest

from timemil_core.data.bundled import load_bundled
from timemil_core.errors import DataError


def test_basic_motions():
    made = load_bundled("BasicMotions")
    assert (len(made.indices("train")), len(made.indices("test"))) == (40, 40)
    assert made.class_names == ("Badminton", "Running", "Standing", "Walking")
    assert made.channel_names[:3] == ("accelerometer x", "accelerometer y", "accelerometer z")
    assert (made.n_channels, made.sampling_rate) == (6, 10.0)
    assert set(made.lengths.tolist()) == {100}
    assert made.series[0][0, 0] == np.float32(0.079106)
    assert made.label_name(0) == "Standing"


def test_japanese_vowels_has_the_official_split_and_unequal_lengths():
    made = load_bundled("JapaneseVowels")
    assert (len(made.indices("train")), len(made.indices("test"))) == (270, 370)
    assert (made.lengths.min(), made.lengths.max()) == (7, 29)
    assert (made.n_channels, made.n_classes) == (12, 9)
    assert np.bincount(made.part("train").labels).tolist() == [30] * 9
    assert not any(np.isnan(values).any() for values in made.series)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("GunPoint", (50, 150, 150, 2)),
        ("ItalyPowerDemand", (67, 1029, 24, 2)),
        ("ArrowHead", (36, 175, 251, 3)),
        ("OSULeaf", (200, 242, 427, 6)),
        ("ACSF1", (100, 100, 1460, 10)),
        ("PickupGestureWiimoteZ", (50, 50, 361, 10)),
    ],
)
def test_univariate_sets(name, sizes):
    made = load_bundled(name)
    assert (len(made.indices("train")), len(made.indices("test")), made.lengths.max(), made.n_classes) == sizes
    assert made.n_channels == 1


def test_another_name_is_refused():
    with pytest.raises(DataError, match="BasicMotions, JapaneseVowels"):
        load_bundled("Coffee")
