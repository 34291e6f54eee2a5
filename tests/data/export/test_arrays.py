import io

import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.export import write_npz
from timemil_core.data.timestamps import Timestamps


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return dict(file)


def test_everything_that_the_set_knows_is_in_the_arrays():
    arrays = arrays_of(write_npz(small_set(groups=("ann", "bob", "ann"))))
    nan = np.nan
    assert arrays["X"].dtype == np.float32
    np.testing.assert_array_equal(arrays["X"][0], np.array([[1, 2, 3], [4, nan, 6]]))
    np.testing.assert_array_equal(arrays["X"][2], np.array([[0, 0, nan], [1, 1, nan]]))
    assert arrays["lengths"].tolist() == [3, 1, 2]
    assert arrays["y"].tolist() == ["walk", "rest", ""]
    assert arrays["class_names"].tolist() == ["rest", "walk"]
    assert arrays["series_ids"].tolist() == ["a", "b, quoted", "ü"]
    assert arrays["split"].tolist() == ["train", "test", "train"]
    assert arrays["channel_names"].tolist() == ["left", "right hand"]
    assert arrays["sampling_rate"] == 12.5
    assert arrays["groups"].tolist() == ["ann", "bob", "ann"]
    assert arrays["instance_labels"].tolist() == [[True, False, True], [False] * 3, [False, True, False]]


def test_what_is_not_known_is_absent():
    arrays = arrays_of(write_npz(small_set(sampling_rate=None, instance_labels=None)))
    assert set(arrays) == {"X", "lengths", "y", "class_names", "series_ids", "split", "channel_names"}


def test_times_keep_their_unit():
    times = Timestamps((np.array([0.0, 1.0, 5.0]), np.array([2.0]), np.array([1.0, 2.0])), unit=60.0)
    arrays = arrays_of(write_npz(small_set(timestamps=times, sampling_rate=None)))
    np.testing.assert_array_equal(arrays["timestamps"], [[0, 1, 5], [2, np.nan, np.nan], [1, 2, np.nan]])
    assert arrays["timestamp_unit"] == 60.0


@pytest.mark.pitfall(25)
def test_no_array_is_pickled():
    content = write_npz(small_set(series_ids=("=1", "<b>", "../x")))
    assert all(array.dtype != object for array in arrays_of(content).values())
