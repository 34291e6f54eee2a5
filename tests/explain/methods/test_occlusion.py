import numpy as np

from timemil_core.explain.evaluation.fillers import interpolation
from timemil_core.explain.methods.occlusion import occlusion_values


def first(logits):
    return logits[:, 0]


def test_single_point_windows_give_the_fall_of_a_linear_score():
    weights = np.array([0.0, 2.0, -1.0, 0.0, 1.0])
    series = np.array([[0.0, 1.0, 0.0, 4.0, 0.0]], dtype=np.float32)

    def score(copies):
        return (copies[:, 0] @ weights)[:, None]

    values = occlusion_values(score, series, first, 1, interpolation)
    # Each point becomes the mean of its neighbours: 1, 0, 2.5, 0 and 4; the fall is weight · (value − that).
    np.testing.assert_allclose(values, [0, 2 * (1 - 0), -1 * (0 - 2.5), 0, 1 * (0 - 4)], atol=1e-6)


def test_values_are_the_mean_over_covering_windows():
    series = np.array([[0.0, 0.0, 6.0, 0.0]], dtype=np.float32)

    def score(copies):
        return copies[:, 0].sum(axis=1, keepdims=True)

    # Windows [0, 1], [1, 2], [2, 3] become 6 6, 0 0 and 0 0: falls −12, 6, 6.
    np.testing.assert_allclose(occlusion_values(score, series, first, 2, interpolation), [-12, -3, 6, 6], atol=1e-6)


def test_one_channel_alone():
    series = np.array([[0.0, 0.0, 6.0, 0.0], [1.0, 1.0, 1.0, 5.0]], dtype=np.float32)

    def score(copies):
        return copies.sum(axis=(1, 2))[:, None]

    # The last value of the second channel becomes its neighbour's 1; all others stay what they are.
    values = occlusion_values(score, series, first, 1, interpolation, channel=1)
    np.testing.assert_allclose(values, [0, 0, 1 - 3, 5 - 1], atol=1e-6)
