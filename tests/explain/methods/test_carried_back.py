import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.explain.importance import explain
from timemil_core.explain.methods.contribution import (
    REACH,
    carried_back,
    contribution,
    contribution_carried_back,
    field_of_view,
)
from timemil_core.explain.request import Request
from timemil_core.models.config import POOLING_NAMES
from timemil_core.models.views import views_of


def test_by_hand_and_at_the_ends():
    shares = np.array([0.5, 0.25, 0.25])  # half of it to the point before, a quarter stays, a quarter goes on
    np.testing.assert_allclose(carried_back(np.array([0.0, 4, 0, 0]), shares), [2, 1, 1, 0])
    # Of the first, half would fall before the series: what is left is shared by the two that there are.
    np.testing.assert_allclose(carried_back(np.array([4.0, 0, 0, 0]), shares), [2, 2, 0, 0])
    np.testing.assert_allclose(carried_back(np.array([0.0, 0, 0, 3]), shares), [0, 0, 2, 1])


def test_where_all_would_fall_outside_it_stays():
    np.testing.assert_allclose(carried_back(np.array([2.0]), np.array([1.0, 0, 0])), [2])


@pytest.mark.parametrize("n_timepoints", [1, 2, 40])
@pytest.mark.parametrize("pooling", POOLING_NAMES)
def test_the_sum_stays_and_with_the_parts_is_the_logit(pooling, n_timepoints):
    model, series = build_model(pooling=pooling), build_series(n_timepoints=n_timepoints)
    plain, carried = (explain(model, series, key, 1) for key in ("contribution", "contribution-carried-back"))
    assert carried.values.sum() == pytest.approx(plain.values.sum(), abs=1e-6)
    assert carried.values.sum() + sum(carried.parts.values()) == pytest.approx(carried.total, abs=1e-4)
    assert carried.parts == plain.parts


def test_each_view_is_carried_back_over_what_it_saw():
    narrow = {"pooling": "conjunctive", "positional_encoding": "none", "kernel_sizes": (3, 5, 9), "n_modules": 2}
    model, series = build_model(views=(1, 4), **{**narrow, "embedding_width": 64}), build_series(n_timepoints=90)
    request = Request(model, series, 1)
    plain, carried = contribution(request), contribution_carried_back(request)
    assert carried.values.sum() == pytest.approx(plain.values.sum(), abs=1e-6)
    widths = [np.flatnonzero(field_of_view(request, np.array([45]), view) > 1e-6) for view in views_of(model.network)]
    assert np.ptp(widths[0]) < 17 < 40 < np.ptp(widths[1]) < 72
    with torch.no_grad():
        of_views = model.network.contributions(request.pooled, request.question.of).of_views.numpy()
    expected = np.zeros(90)
    for view, added in zip(views_of(model.network), of_views, strict=True):
        expected += carried_back(added, field_of_view(request, np.argsort(-np.abs(added), kind="stable")[:8], view))
    np.testing.assert_allclose(carried.values, expected, atol=1e-6)


def test_shares_are_those_of_the_gradient_of_the_whole_series():
    model, series = build_model(), build_series(n_timepoints=500)
    request = Request(model, series)
    shares = field_of_view(request, np.array([250]))
    values = torch.from_numpy(request.prepared)[None].requires_grad_()
    (slope,) = torch.autograd.grad(model.timemil.backbone(values)[0, 250].sum(), values)
    size = slope[0].abs().sum(dim=0).numpy()
    expected = size[250 - REACH : 251 + REACH]
    np.testing.assert_allclose(shares, expected / expected.sum(), atol=1e-5)
    assert expected.sum() > 0.999 * size.sum()  # nothing farther counts
    at_the_edge = field_of_view(request, np.array([0]))
    assert at_the_edge[:REACH].max() == 0 and at_the_edge.sum() == pytest.approx(1)
