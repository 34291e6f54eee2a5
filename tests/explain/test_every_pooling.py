"""A pooling explains itself: whichever is registered, every method and every measurement works with it.

One of them stands for a pooling that somebody adds: it has a ``forward``, two names, and nothing else.
"""

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from tests.explain.test_unchanged import USES
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain, methods_for
from timemil_core.models import config
from timemil_core.models.encodings import ENCODINGS
from timemil_core.models.poolings.contract import Pooling, PoolingWeights
from timemil_core.models.poolings.listing import POOLINGS
from timemil_core.setting_checks import one_of

ADDED = "added"


class AddedPooling(Pooling):
    """The root mean square of each feature, plus 1: neither a sum nor a choice of instances."""

    def forward(self, instances, mask=None, return_attention=False):
        encoded = self.encoding(instances, mask)
        observed = encoded.new_ones(encoded.shape[:2]) if mask is None else mask.to(encoded.dtype)
        shares = observed / observed.sum(dim=1, keepdim=True)
        bag = (shares[..., None] * encoded.square()).sum(dim=1).add(1e-6).sqrt() + 1
        return bag, PoolingWeights(shares) if return_attention else None


@pytest.fixture(autouse=True)
def added(monkeypatch):
    monkeypatch.setitem(POOLINGS, ADDED, AddedPooling)
    monkeypatch.setitem(config._CHECKS, "pooling", one_of((*config.POOLING_NAMES, ADDED)))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("pooling", [*POOLINGS, ADDED])
def test_every_method_works_with_every_pooling_and_encoding(pooling, encoding):
    model, series = build_model(pooling=pooling, positional_encoding=encoding), build_series(n_timepoints=25)
    for method in methods_for(model):
        importance = explain(model, series, method.key)
        assert importance.values.shape == (25,) and np.isfinite(importance.values).all()
        assert importance.name and importance.reference and importance.note.endswith(".")
        if importance.total is not None:
            whole = importance.values.sum() + sum(importance.parts.values())
            assert whole == pytest.approx(importance.total, abs=1e-4)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("pooling", [*POOLINGS, ADDED])
def test_the_parts_of_a_bag_are_the_model_s_own_bag(pooling, encoding):
    model = build_model(pooling=pooling, positional_encoding=encoding)
    instances = torch.from_numpy(examine(model, build_series()).instances)[None]
    with torch.no_grad():
        bag, _ = model.timemil.pooling(instances, None)
        parts = model.timemil.pooling.parts(instances)
    torch.testing.assert_close(parts.bag, bag[0], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("use", USES)
def test_every_measurement_works_with_a_pooling_that_was_added(use):
    model = build_model(pooling=ADDED)
    if use in {method.key for method in methods_for(build_model())} - {method.key for method in methods_for(model)}:
        pytest.skip("needs a class token")
    USES[use](model)


@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_a_pooling_that_says_nothing_of_its_parts_has_them_from_its_slope(pooling):
    model = build_model(pooling=pooling)
    instances = torch.from_numpy(examine(model, build_series()).instances)[None]
    own, by_slope = model.timemil.pooling.parts(instances), Pooling.parts(model.timemil.pooling, instances)
    torch.testing.assert_close(by_slope.bag, own.bag, atol=1e-5, rtol=1e-4)
    if pooling == "mean":  # a mean of encoded instances: each also speaks through its neighbours' encodings
        return
    model = build_model(pooling=pooling, positional_encoding="none")
    own, by_slope = model.timemil.pooling.parts(instances), Pooling.parts(model.timemil.pooling, instances)
    torch.testing.assert_close(by_slope.instances, own.instances)
    assert next(iter(by_slope.rest.values())).abs().max() < 1e-5
