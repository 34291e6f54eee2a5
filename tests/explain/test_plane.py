import numpy as np
import pytest

from timemil_core.explain import plane as module
from timemil_core.explain.plane import grid_over, instance_plane, plane_faithfulness, sampled


def flat_embeddings():
    """Two series whose embeddings lie on a plane of eight dimensions, with spreads 3 and 1."""
    generator = np.random.default_rng(0)
    axes = np.linalg.qr(generator.normal(size=(8, 2)))[0].T
    places = generator.normal(size=(70, 2)) * [3, 1]
    instances = 5 + places @ axes
    return [instances[:40], instances[40:]], axes


def test_embeddings_on_a_plane_are_given_back_whole():
    embeddings, axes = flat_embeddings()
    plane = instance_plane(embeddings)
    np.testing.assert_allclose(plane.lifted(plane.points), np.concatenate(embeddings), atol=1e-9)
    np.testing.assert_allclose(plane.components @ plane.components.T, np.eye(2), atol=1e-9)
    assert plane.explained.sum() == pytest.approx(1)
    assert plane.explained[0] > plane.explained[1]
    assert abs(plane.components[0] @ axes[0]) > 0.98
    np.testing.assert_array_equal(plane.series_index, [0] * 40 + [1] * 30)
    np.testing.assert_array_equal(plane.timepoint, [*range(40), *range(30)])


def test_explained_shares_by_hand():
    instances = np.zeros((4, 4))
    instances[:, 0], instances[:, 1], instances[:, 2] = [3, -3, 3, -3], [2, 2, -2, -2], [1, -1, -1, 1]
    np.testing.assert_allclose(instance_plane([instances]).explained, [9 / 14, 4 / 14])


@pytest.mark.parametrize("instances", [np.ones((1, 8)), np.ones((5, 8)), np.arange(16.0).reshape(2, 8)])
def test_degenerate_sets_still_have_a_plane(instances):
    plane = instance_plane([instances])
    assert np.isfinite(plane.points).all() and np.isfinite(plane.explained).all()
    np.testing.assert_allclose(plane.components @ plane.components.T, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(plane.lifted(plane.points), instances, atol=1e-9)
    assert np.isfinite(grid_over(plane).nodes).all()


def test_grid_covers_all_points_with_its_margin():
    plane = instance_plane(flat_embeddings()[0])
    grid = grid_over(plane, n=5, margin=0.1)
    low, high = plane.points.min(axis=0), plane.points.max(axis=0)
    assert grid.x[0] == pytest.approx(low[0] - 0.1 * (high[0] - low[0]))
    assert grid.y[-1] == pytest.approx(high[1] + 0.1 * (high[1] - low[1]))
    nodes = grid.nodes.reshape(5, 5, 2)
    assert np.all(nodes[2, :, 1] == grid.y[2]) and np.all(nodes[:, 3, 0] == grid.x[3])


def test_a_plane_that_hides_nothing_is_fully_faithful():
    embeddings, _ = flat_embeddings()
    faithfulness = plane_faithfulness(instance_plane(embeddings), embeddings)
    assert faithfulness.explained == pytest.approx(1)
    assert faithfulness.trustworthiness == pytest.approx(1)
    assert faithfulness.n_sampled == 70


def test_a_plane_that_hides_most_says_so():
    embeddings = [np.random.default_rng(0).normal(size=(1500, 64))]
    faithfulness = plane_faithfulness(instance_plane(embeddings), embeddings)
    assert faithfulness.explained < 0.1
    assert faithfulness.trustworthiness < 0.8
    assert faithfulness.n_sampled == 1000


def test_too_few_instances_have_no_neighbourhoods():
    embeddings = [np.eye(8)[:2]]
    assert np.isnan(plane_faithfulness(instance_plane(embeddings), embeddings).trustworthiness)


def test_samples_are_the_same_each_time():
    np.testing.assert_array_equal(sampled(5, 10), np.arange(5))
    first, second = sampled(100, 10), sampled(100, 10)
    np.testing.assert_array_equal(first, second)
    assert len(set(first)) == 10


def test_axes_of_an_even_share_of_many_instances_and_a_place_for_every_one(monkeypatch):
    embeddings, _ = flat_embeddings()
    whole = instance_plane(embeddings)
    monkeypatch.setattr(module, "MOST_FITTED", 35)
    half = instance_plane(embeddings)
    assert half.points.shape == (70, 2)
    np.testing.assert_allclose(half.lifted(half.points), np.concatenate(embeddings), atol=1e-9)
    np.testing.assert_allclose(np.abs(half.components @ whole.components.T), np.eye(2), atol=0.2)
