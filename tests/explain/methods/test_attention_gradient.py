import copy

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("changes", [{}, {"value_convolution": "all", "class_token_row_only": False}])
def test_is_weight_times_slope_by_finite_differences(layer, changes):
    model, series = build_model(**changes), build_series(n_timepoints=6)
    examination = examine(model, series)
    importance = explain(model, series, "attention-gradient", 1, layer=layer, examination=examination)
    network = copy.deepcopy(model.network).double()
    layers = network.pooling.layers
    with torch.no_grad():
        instances = torch.from_numpy(examination.instances)[None].double()
        one = list(layers.passes(instances, None))[layer]
        chosen, tokens = one.layer, one.entering
        row = torch.from_numpy(examination.class_token_rows[layer])[None].double()

        def bag_by(weights):
            after = chosen.class_token_by(weights, tokens, None)
            others = chosen(tokens, None)[:, 1:]
            return layers.class_token_from(layer + 1, torch.cat([after[:, None], others], dim=1), None)

        norm = network.normalisation
        deviation = (bag_by(row)[0].var(correction=0) + norm.eps).sqrt()  # held, as for the contribution

        def logit(weights):
            bag = bag_by(weights)
            centred = (bag - bag.mean()) / deviation * norm.weight + norm.bias
            return float(network.classifier(centred)[0, 1])

        expected = np.zeros(6)
        for point in range(6):
            for head in range(2):
                step = torch.zeros_like(row)
                step[0, head, point + 1] = 1e-4
                slope = (logit(row + step) - logit(row - step)) / 2e-4
                expected[point] += max(0.0, slope * float(row[0, head, point + 1])) / 2
    np.testing.assert_allclose(importance.values, expected, atol=1e-5, rtol=1e-3)


def test_another_class_another_map():
    model, series = build_model(), build_series()
    first, second = (explain(model, series, "attention-gradient", target).values for target in (0, 1))
    assert np.all(first >= 0) and not np.allclose(first, second)


def test_refuses_what_is_not_there():
    with pytest.raises(SettingsError, match="layer is 2"):
        explain(build_model(), build_series(), "attention-gradient", layer=2)
    with pytest.raises(ModelError, match="no class token"):
        explain(build_model(pooling="mean"), build_series(), "attention-gradient")
