import numpy as np

from tests.explain.builders import build_model, build_series
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain


def test_is_the_mean_over_features_and_names_the_paper():
    model, series = build_model(), build_series()
    importance = explain(model, series, "activation")
    np.testing.assert_allclose(importance.values, examine(model, series).instances.mean(axis=1), atol=1e-6)
    assert "APBA" in importance.name and "untrained" in importance.note
