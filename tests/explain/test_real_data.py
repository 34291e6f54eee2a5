"""The whole way on BasicMotions, which comes inside aeon: 6 channels, 100 time points, 4 classes."""

import numpy as np
import pytest

from tests.explain.builders import SMALL
from timemil_core.data.bundled import load_bundled
from timemil_core.data.preparation import Preparation
from timemil_core.explain.boundary import agreement, embeddings, instance_plane, paper_pair
from timemil_core.explain.class_means import class_mean_attention
from timemil_core.explain.evaluation.verdict import series_verdict
from timemil_core.explain.importance import explain
from timemil_core.explain.sanity.uniform import uniform_attention_check
from timemil_core.models.config import preset
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel


@pytest.fixture(scope="module")
def basic_motions():
    return load_bundled("BasicMotions")


@pytest.fixture(scope="module")
def model(basic_motions):
    train = basic_motions.part("train")
    config = preset("default", n_channels=6, n_classes=4, **SMALL)
    return TrainedModel(
        network=TimeMIL(config).eval(),
        preparation=Preparation.fit(train.series),
        class_names=train.class_names,
        channel_names=train.channel_names,
    )


@pytest.mark.parametrize("method", ["attention", "rollout", "occlusion"])
def test_a_map_and_its_test(model, basic_motions, method):
    importance = explain(model, basic_motions.series[0], method)
    assert importance.values.shape == (100,)
    if importance.class_token_mass is not None:
        assert importance.values.sum() + importance.class_token_mass == pytest.approx(1, abs=1e-5)
    target = importance.target_class or 0
    verdict = series_verdict(model, basic_motions.series[0], importance.values, target, n_places=5)
    assert repr(model.class_names[target]) in verdict.question.quantity
    assert 0 < verdict.rank < 1


def test_a_set_as_a_whole(model, basic_motions):
    means = class_mean_attention(model, basic_motions, by="true", max_series=20)
    assert list(means) == list(model.class_names)
    for mean, _, _ in means.values():
        assert mean.mean() == pytest.approx(1)
    check = uniform_attention_check(model, basic_motions.part("test"))
    predicted = model.predict(basic_motions.part("test").series).labels
    assert check.accuracy == pytest.approx((predicted == basic_motions.part("test").labels).mean())


def test_the_paper_s_picture(model, basic_motions):
    pair = paper_pair(basic_motions, model)
    assert basic_motions.labels[pair[0]] == 3 != basic_motions.labels[pair[1]]
    plane = instance_plane(embeddings(model, basic_motions, pair))
    assert plane.points.shape == (200, 2)
    assert agreement(plane, np.repeat([True, False], 100)).majority == 0.5
