import numpy as np
import pytest

from timemil_core.explain.fillers import interpolation
from timemil_core.explain.occlusion import occlusion_values, windows


def test_single_point_windows_give_the_fall_of_a_linear_score():
    weights = np.array([0.0, 2.0, -1.0, 0.0, 1.0])
    series = np.array([[0.0, 1.0, 0.0, 4.0, 0.0]], dtype=np.float32)

    def score(copies):
        return (copies[:, 0] @ weights)[:, None]

    values = occlusion_values(score, series, 0, 1, interpolation)
    # Each point becomes the mean of its neighbours: 1, 0, 2.5, 0 and 4; the fall is weight · (value − that).
    np.testing.assert_allclose(values, [0, 2 * (1 - 0), -1 * (0 - 2.5), 0, 1 * (0 - 4)], atol=1e-6)


def test_values_are_the_mean_over_covering_windows():
    series = np.array([[0.0, 0.0, 6.0, 0.0]], dtype=np.float32)

    def score(copies):
        return copies[:, 0].sum(axis=1, keepdims=True)

    # Windows [0, 1], [1, 2], [2, 3] become 6 6, 0 0 and 0 0: falls −12, 6, 6.
    np.testing.assert_allclose(occlusion_values(score, series, 0, 2, interpolation), [-12, -3, 6, 6], atol=1e-6)


@pytest.mark.parametrize("n_timepoints, window", [(1, 1), (5, 5), (120, 12), (5000, 500), (5000, 3)])
def test_windows_cover_every_time_point(n_timepoints, window):
    covered = windows(n_timepoints, window)
    assert covered.any(axis=0).all()
    assert np.all(covered.sum(axis=1) == window)
    assert len(covered) <= max(128, np.ceil(n_timepoints / window))
