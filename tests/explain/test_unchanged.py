"""A model is shared between sessions: nothing here may change it, leave a hook on it, or take it out of eval mode."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series, build_set, keys_for
from timemil_core.explain.baseline import untrained_copy
from timemil_core.explain.boundary import embeddings, grid_over, head_regions, instance_plane, paper_pair
from timemil_core.explain.class_means import class_mean_attention
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.verdict import series_verdict
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain
from timemil_core.explain.padding import mass_on_padding
from timemil_core.explain.sanity.uniform import uniform_attention_check
from timemil_core.explain.wavelets import Removal, encoding_of_series, learned_wavelets, removal_effects, without
from timemil_core.models.fingerprint import weights_fingerprint
from timemil_core.models.trained import TrainedModel


def regions(model: TrainedModel) -> None:
    plane = instance_plane(embeddings(model, build_set(), [0, 1], supervised=True))
    head_regions(model.supervised, plane, grid_over(plane, n=4), 0)
    head_regions(model, plane, grid_over(plane, n=4), 0)


USES: dict[str, Callable[[TrainedModel], object]] = {
    "examine": lambda model: examine(model, build_series()),
    **{name: lambda model, name=name: explain(model, build_series(), name) for name in keys_for()},
    "verdict": lambda model: series_verdict(model, build_series(), np.arange(40.0), 0, n_places=5),
    "ranking": lambda model: rank_methods(model, build_set(), n_series=1),
    "padding": lambda model: mass_on_padding(model, build_series()),
    "uniform": lambda model: uniform_attention_check(model, build_set()),
    "class means": lambda model: class_mean_attention(model, build_set()),
    "wavelets": learned_wavelets,
    "encoding": lambda model: encoding_of_series(model, build_series()),
    "removal": lambda model: without(model, Removal()).predict([build_series()]),
    "effects of removal": lambda model: removal_effects(model, build_set(), [Removal(0, 1, 2)]),
    "pair": lambda model: paper_pair(build_set(), model),
    "regions": regions,
    "untrained": untrained_copy,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("grad", [True, False])
def test_the_model_is_left_as_it_was(use, grad):
    model = build_model()
    networks = [model.network, model.supervised]
    before = [weights_fingerprint(network) for network in networks]
    with torch.set_grad_enabled(grad):
        USES[use](model)
        assert torch.is_grad_enabled() == grad
    assert [weights_fingerprint(network) for network in networks] == before
    for network in networks:
        assert not any(module.training for module in network.modules())
        assert all(not m._forward_hooks and not m._forward_pre_hooks for m in network.modules())
        assert all(p.requires_grad and p.grad is None and not p.is_inference() for p in network.parameters())
