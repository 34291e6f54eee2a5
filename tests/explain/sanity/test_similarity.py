import numpy as np

from timemil_core.explain.sanity.similarity import mean_over_series, rank_similarity


def test_order_counts_and_size_does_not() -> None:
    values = np.array([0.0, 1.0, 2.0, 5.0])
    similarity = rank_similarity([values, values**3, -values, np.array([1.0, 0.0, 2.0, 5.0])])
    np.testing.assert_allclose(similarity[0], [1, 1, -1, 0.8])  # 1 - 6 * (1 + 1) / (4 * 15)
    np.testing.assert_allclose(similarity, similarity.T)


def test_a_flat_map_is_compared_with_nothing() -> None:
    similarity = rank_similarity([np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 1.0, 1.0, 1.0])])
    assert similarity[0, 0] == 1
    assert np.isnan([similarity[0, 1], similarity[1, 0], similarity[1, 1]]).all()


def test_the_mean_is_over_those_that_could_be_compared() -> None:
    mean = mean_over_series([np.array([0.2, np.nan, np.nan]), np.array([0.4, 0.6, np.nan])])
    np.testing.assert_allclose(mean[:2], [0.3, 0.6])
    assert np.isnan(mean[2])
