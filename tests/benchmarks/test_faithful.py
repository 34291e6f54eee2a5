from dataclasses import fields

import numpy as np
import pytest
import torch

from benchmarks.faithful import (
    MAPS,
    SEEN,
    VARIANTS,
    flat_accuracy,
    kept_under_random_weights,
    settings_of,
    table,
    told_of,
)
from benchmarks.localisation import by_method
from tests.explain.builders import build_model, build_set
from timemil_core.models.config import ModelConfig, preset
from timemil_core.training.config import TrainingConfig, training_preset

NARROW = {"pooling": "conjunctive", "positional_encoding": "none", "kernel_sizes": (3, 5, 9), "n_modules": 2}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["synthetic-pulse", "WebTraffic"])
def test_every_variant_can_be_trained(variant, name):
    settings = settings_of(variant, name)
    of_training = {key: value for key, value in settings.items() if hasattr(TrainingConfig(), key)}
    TrainingConfig(**of_training)
    others = {key: value for key, value in settings.items() if key not in of_training}
    assert isinstance(preset("default", n_channels=1, n_classes=2, **others), ModelConfig)


def test_the_variant_is_the_preset():
    settings = {key: value for key, value in settings_of("faithful", "ERing").items() if key != "n_epochs"}
    network, training = preset("faithful", n_channels=1, n_classes=2), training_preset("faithful")
    for key, value in settings.items():
        assert getattr(training if hasattr(training, key) else network, key) == value
    changed = {one.name for one in fields(network) if getattr(network, one.name) != getattr(usual(), one.name)}
    assert changed - {"evidence"} <= set(settings)  # of which the harness tells both


def usual():
    return preset("default", n_channels=1, n_classes=2)


@pytest.mark.parametrize("views", [(1,), (1, 2)])
def test_the_sum_stays_where_a_contribution_is_spread_over_what_was_seen(views):
    model, series_set = build_model(views=views, **NARROW), build_set(2)
    plain, spread = (by_method(one, series_set, "contribution", {}) for one in (model, told_of(model, "sight")))
    for index in range(len(series_set.series)):
        assert spread(index).shape == plain(index).shape
        assert spread(index).sum() == pytest.approx(plain(index).sum(), abs=1e-6)


@pytest.mark.parametrize("views", [(1,), (1, 2)])
def test_where_attention_is_flat_already_nothing_changes(views):
    model, series_set = build_model(views=views, **NARROW), build_set(6)
    with torch.no_grad():
        for name, weight in model.network.pooling.named_parameters():
            if name.endswith(("2.weight", "2.bias")):  # the last layer of a gate
                weight.zero_()
    own = model.predict(series_set.series).labels
    assert flat_accuracy(model, series_set) == np.mean(own == series_set.labels)


def test_a_random_network_keeps_its_own_map_alone():
    model, series_set = build_model(**NARROW), build_set(2)
    assert abs(kept_under_random_weights(model, series_set)) < 0.9


def test_a_map_has_a_row_with_the_lowest_seed():
    scored = {"auroc": 0.9, "average_precision": 0.8, "ndcg": 0.7, "pointing_game": 1.0}
    one = {"accuracy": 1.0, "flat_accuracy": None, "randomised": 0.1, "seconds": 3.0}
    other = {**one, "maps": {"contribution": {**scored, "auroc": 0.7}}, "randomised": 0.3}
    rows = table("a", "set", [{**one, "maps": {"contribution": scored}}, other])
    assert [row["map"] for row in rows] == [*MAPS, SEEN]
    row = rows[1]
    assert row["AUROC"] == "0.800 (0.700)" and row["random weights"] == "0.200 (0.300)"
    assert row["flat attention"] == "–" and rows[0]["AUROC"] == "–" and row["levels"] == "–"
