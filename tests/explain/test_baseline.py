import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.explain.baseline import control_scores, signal_magnitude, untrained_copy
from timemil_core.explain.evaluation.scoring import prepared_series
from timemil_core.explain.evaluation.truth import ground_truth_scores
from timemil_core.explain.importance import explain


def test_an_untrained_copy_has_the_same_architecture_and_other_weights():
    model = build_model()
    copy = untrained_copy(model, seed=3)
    assert copy.network.config == model.network.config
    assert copy.preparation is model.preparation and copy.class_names == model.class_names
    assert copy.fingerprint != model.fingerprint
    assert not copy.network.training
    assert copy.facts["untrained"] is True
    for module in copy.network.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            assert torch.all(module.running_mean == 0) and torch.all(module.running_var == 1)


def test_the_seed_decides_and_the_global_generator_is_left_alone():
    model = build_model()
    state = torch.get_rng_state()
    first, again, other = (untrained_copy(model, seed=seed).fingerprint for seed in (1, 1, 2))
    assert first == again != other
    assert torch.equal(torch.get_rng_state(), state)


def test_signal_magnitude_is_the_norm_over_channels():
    np.testing.assert_allclose(signal_magnitude(np.array([[3.0, -1.0], [4.0, 0.0]])), [5, 1])


def test_controls_are_scored_as_the_map_is():
    untrained, series = untrained_copy(build_model()), build_series()
    truth = np.arange(40) < 8
    of_network, of_signal = control_scores(untrained, series, truth, "attention", layer=0)
    assert of_network == ground_truth_scores(explain(untrained, series, layer=0).values, truth)
    magnitude = np.linalg.norm(prepared_series(untrained, series), axis=0)
    assert of_signal.auroc == pytest.approx(ground_truth_scores(magnitude, truth).auroc)
    assert control_scores(untrained, series, np.zeros(40, dtype=bool), "attention") is None
