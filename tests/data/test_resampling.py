import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.resampling import own_rate, resample
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError


def observed_at(times: list[list[float]], unit: float | None = 1.0, **changes: object) -> SeriesSet:
    """One channel whose value is its time; the last point of each series is marked."""
    n = len(times)
    content: dict[str, object] = {
        "series": tuple(np.array([one], dtype=np.float32) for one in times),
        "labels": np.arange(n) % 2,
        "series_ids": tuple("abc"[:n]),
        "channel_names": ("clock",),
        "split": np.full(n, "train"),
        "instance_labels": tuple(np.arange(len(one)) == len(one) - 1 for one in times),
        "sampling_rate": None,
        "timestamps": Timestamps(tuple(np.array(one) for one in times), unit),
    }
    return small_set(**{**content, **changes})


@pytest.mark.pitfall(9)
def test_unequal_steps_are_brought_to_a_grid():
    made = resample(observed_at([[0.0, 1.0, 4.0], [10.0, 12.0]]), 1.0)
    assert [values[0].tolist() for values in made.series] == [[0, 1, 2, 3, 4], [10, 11, 12]]
    assert made.sampling_rate == 1.0
    assert made.timestamps is None
    assert made.instance_labels is not None
    assert made.instance_labels[1].tolist() == [False, False, True]  # the middle is as near to either: the earlier wins
    assert any("Steps between time points were 1 to 3 s, in the median 2 s" in one for one in made.provenance)


def test_series_of_different_rates_get_one():
    made = resample(observed_at([[0.0, 0.5, 1.0, 1.5, 2.0], [0.0, 0.25, 0.5]]), 2.0)
    assert made.series[0][0] == pytest.approx([0, 0.5, 1, 1.5, 2])
    assert made.series[1][0] == pytest.approx([0, 0.5], abs=1e-9)


def test_the_unit_of_the_times_counts():
    made = resample(observed_at([[0.0, 1000.0, 3000.0]], unit=1e-3), 1.0)
    assert made.series[0][0].tolist() == [0, 1000, 2000, 3000]


def test_what_becomes_of_the_highest_frequency_is_told():
    regular = observed_at([list(np.arange(100) / 100)], timestamps=None, sampling_rate=100.0)
    down = " ".join(resample(regular, 25.0).provenance)
    assert "The highest frequency that is left is 12.5 Hz, of about 50 Hz before" in down
    up = " ".join(resample(regular, 200.0).provenance)
    assert "Nothing faster than about 50 Hz was recorded; finer steps add no detail." in up


def test_resampling_to_the_own_rate_changes_no_value():
    regular = observed_at([list(np.arange(100) / 128)], timestamps=None, sampling_rate=128.0)
    np.testing.assert_array_equal(resample(regular, 128.0).series[0], regular.series[0])


def test_the_own_rate_of_unequal_steps_is_their_medians():
    assert own_rate(observed_at([[0.0, 1.0, 2.0, 9.0]], unit=1e-3)) == pytest.approx(1000.0)
    assert own_rate(observed_at([[0.0, 1.0]], unit=None)) is None


@pytest.mark.parametrize(
    ("series_set", "rate", "message"),
    [
        (observed_at([[0.0, 1.0]]), 0.0, "impossible"),
        (observed_at([[0.0, 1.0]]), float("inf"), "impossible"),
        (observed_at([[0.0, 1.0]], unit=None), 1.0, "Choose its unit first"),
        (observed_at([[0.0, 1.0]], timestamps=None), 1.0, "Give the sampling rate first"),
        (observed_at([[0.0, 1e9]]), 10.0, "lower sampling rate"),
    ],
)
def test_what_cannot_be_resampled_says_why(series_set, rate, message):
    with pytest.raises(DataError, match=message):
        resample(series_set, rate)
