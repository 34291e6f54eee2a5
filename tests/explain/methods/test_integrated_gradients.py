import numpy as np
import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.errors import SettingsError
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain
from timemil_core.models.config import POOLING_NAMES


@pytest.mark.parametrize("pooling", POOLING_NAMES)
@pytest.mark.parametrize("baseline", ["series mean", "training mean", "noise"])
def test_completeness_holds(pooling, baseline):
    model, series = build_model(pooling=pooling), build_series()
    logits = examine(model, series).logits
    importance = explain(model, series, "integrated-gradients", 1, baseline=baseline, n_steps=128)
    difference = importance.total - importance.parts["baseline"]
    assert importance.total == pytest.approx(logits[1], abs=1e-4)
    assert importance.values.sum() == pytest.approx(difference, abs=0.05 * abs(difference) + 0.01)
    assert importance.values.sum() + sum(importance.parts.values()) == pytest.approx(importance.total, abs=1e-6)
    np.testing.assert_allclose(importance.per_channel.sum(axis=0), importance.values)


def test_the_error_is_told_and_falls_with_more_steps():
    model, series = build_model(), build_series()
    errors = [
        abs(explain(model, series, "integrated-gradients", 0, n_steps=n).parts["integration error"]) for n in (2, 128)
    ]
    assert errors[1] < errors[0]


def test_refuses_what_cannot_be_meant():
    with pytest.raises(SettingsError, match="0 steps"):
        explain(build_model(), build_series(), "integrated-gradients", n_steps=0)
    with pytest.raises(SettingsError, match="no baseline 'black'"):
        explain(build_model(), build_series(), "integrated-gradients", baseline="black")
    with pytest.raises(SettingsError, match="smoothing over 4"):
        explain(build_model(), build_series(), "integrated-gradients", smoothing=4)
