import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.lengths import to_one_length
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

TWO = {
    "series": (np.array([[0, 2, 4, 6]], dtype=np.float32), np.array([[5, 7]], dtype=np.float32)),
    "labels": np.array([0, 1]),
    "series_ids": ("a", "b"),
    "channel_names": ("left",),
    "split": np.array(["train", "test"]),
    "instance_labels": (np.array([False, False, False, True]), np.array([False, False])),
}


@pytest.mark.pitfall(10)
def test_lengths_are_kept_cut_or_stretched():
    series_set = small_set(**TWO)
    assert to_one_length(series_set, "keep") is series_set
    cut = to_one_length(series_set, "truncate")
    assert [one.tolist() for one in cut.series] == [[[0, 2]], [[5, 7]]]
    assert cut.sampling_rate == 12.5
    assert cut.provenance[-1] == "1 series were cut to 2 time points; 2 time points behind were left out."
    stretched = to_one_length(series_set, "stretch")
    assert stretched.series[0][0] == pytest.approx([0, 3, 6], abs=1e-6)
    assert stretched.series[1][0].tolist() == [5, 6, 7]
    assert stretched.sampling_rate is None
    assert stretched.instance_labels is not None
    assert stretched.instance_labels[0].tolist() == [False, False, True]
    assert "2 to 4 time points were stretched to 3" in stretched.provenance[-1]


def test_times_are_cut_too_and_one_point_is_held():
    times = Timestamps((np.array([0.0, 1.0, 5.0, 6.0]), np.array([0.0, 3.0])))
    cut = to_one_length(small_set(**TWO, timestamps=times, sampling_rate=None), "truncate")
    assert cut.timestamps is not None
    assert [one.tolist() for one in cut.timestamps.values] == [[0.0, 1.0], [0.0, 3.0]]
    held = to_one_length(small_set(), "stretch", 4)
    assert held.series[1].tolist() == [[np.float32(0.1)] * 4, [np.float32(-7e30)] * 4]


def test_a_length_that_cannot_be_is_refused():
    with pytest.raises(DataError, match="shortest has 1"):
        to_one_length(small_set(), "truncate")
    with pytest.raises(DataError, match="Choose another length"):
        to_one_length(small_set(**TWO), "truncate", 3)
