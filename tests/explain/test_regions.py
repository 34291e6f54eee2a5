import numpy as np
import pytest
import torch

from tests.explain.builders import build_model
from timemil_core.explain.plane import grid_over, instance_plane
from timemil_core.explain.regions import agreement, head_regions, neighbour_regions


def two_clouds():
    """Two series, each with half of its instances left and half right; the right ones are positive."""
    generator = np.random.default_rng(0)
    right = np.arange(80) % 2 == 1
    places = np.column_stack([np.where(right, 5.0, -5.0), np.zeros(80)]) + generator.normal(size=(80, 2)) * 0.5
    instances = np.zeros((80, 8))
    instances[:, 2], instances[:, 6] = places[:, 0], places[:, 1]
    return instance_plane([instances[:40], instances[40:]]), right


def test_separable_labels_give_two_clean_regions():
    plane, labels = two_clouds()
    grid = grid_over(plane, n=21)
    regions = neighbour_regions(plane, labels, grid)
    assert regions.shape == (21, 21)
    positive_is_right = plane.points[labels, 0].mean() > 0
    right, left = regions[:, -5:], regions[:, :5]
    np.testing.assert_array_equal(right, float(positive_is_right))
    np.testing.assert_array_equal(left, float(not positive_is_right))


def test_share_of_three_neighbours_by_hand():
    plane = instance_plane([np.array([[0.0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [10, 0, 0, 0], [11, 0, 0, 0]])])
    labels = np.array([True, False, True, False, False])
    grid = grid_over(plane, n=2, margin=0.0)
    regions = neighbour_regions(plane, labels, grid, n_neighbours=3)
    shares = {round(float(value), 6) for value in regions.ravel()}
    assert shares == {round(2 / 3, 6), round(1 / 3, 6)}  # 0, 1, 2 at one end; 2, 10, 11 at the other


@pytest.mark.parametrize("label", [True, False])
def test_one_label_alone_fills_the_plane(label):
    plane, _ = two_clouds()
    assert np.all(neighbour_regions(plane, np.full(80, label), grid_over(plane, n=4)) == label)


def test_agreement_of_clear_and_of_meaningless_labels():
    plane, labels = two_clouds()
    clear = agreement(plane, labels)
    assert clear.accuracy == 1.0 and clear.majority == 0.5
    chance = agreement(plane, np.random.default_rng(1).random(80) < 0.25)
    assert chance.accuracy < 0.85
    assert chance.majority == pytest.approx(0.75, abs=0.1)
    assert agreement(plane, np.ones(80, dtype=bool)) is None


def test_agreement_does_not_profit_from_neighbours_in_time():
    """Labels that follow slow time alone are learned from the next time point; held-out stretches undo that."""
    time = np.arange(200)
    walk = np.cumsum(np.random.default_rng(3).normal(size=(200, 8)), axis=0)
    labels = (time // 20) % 2 == 0
    assert agreement(instance_plane([walk]), labels).accuracy < 0.8


@pytest.mark.parametrize("pooling", ["mean", "max", "attention", "conjunctive", "time-aware"])
def test_head_regions_are_the_network_s_word_on_a_bag_of_one_instance(pooling):
    model, (plane, _) = build_model(pooling=pooling), two_clouds()
    grid = grid_over(plane, n=6)
    regions = head_regions(model, plane, grid, 1)
    assert regions.shape == (6, 6)
    place = np.array([[grid.x[4], grid.y[2]]])
    with torch.inference_mode():
        instance = torch.from_numpy((plane.mean + place @ plane.components).astype(np.float32))[None]
        logit = model.timemil.classify(model.timemil.pooling(instance)[0])[0, 1]
    assert regions[2, 4] == pytest.approx(float(logit.sigmoid()), abs=1e-5)


def test_the_supervised_network_has_regions_of_the_same_kind():
    model, (plane, _) = build_model(), two_clouds()
    grid = grid_over(plane, n=3)
    linear = model.supervised.classifier
    expected = torch.from_numpy(plane.lifted(grid.nodes)).float() @ linear.weight[2] + linear.bias[2]
    np.testing.assert_allclose(
        head_regions(model.supervised, plane, grid, 2).ravel(), expected.sigmoid().detach().numpy(), atol=1e-5
    )
