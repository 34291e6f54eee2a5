import numpy as np

from timemil_core.data.runs import runs


def test_runs_by_hand():
    flags = np.array([True, False, True, True, False, False, True])
    np.testing.assert_array_equal(runs(flags), [[0, 1], [2, 4], [6, 7]])


def test_no_run():
    assert runs(np.zeros(3, bool)).shape == (0, 2)
