from __future__ import annotations

from typing import Any

import pytest

from app.attention.maps import Maps, drawable, opening
from tests.explain.builders import build_model, build_series
from tests.explain.rankings import build_ranking
from timemil_core.explain.examination import examine


def test_attention_stands_first_by_layer_and_every_method_once() -> None:
    model = build_model()
    maps = drawable(model, examine(model, build_series()))
    assert list(maps)[:2] == ["Attention, layer 2", "Attention, layer 1"]
    assert maps["Attention, layer 1"] == ("attention", 0)
    assert "Pooling weights" not in maps  # they are the last layer's attention
    assert {"Occlusion", "Integrated gradients", "Attention rollout"} <= set(maps)


def test_without_a_class_token_the_weights_of_the_pooling_are_offered() -> None:
    model = build_model(pooling="conjunctive")
    assert "Pooling weights" in drawable(model, examine(model, build_series()))


MAPS: Maps = {"Attention, layer 2": ("attention", 1), "Occlusion": ("occlusion", None)}


@pytest.mark.parametrize(
    ("ranked", "title"),
    [
        ([("occlusion", "strong", 0.2)], "Occlusion"),
        ([("attention", "strong", 0.2)], "Attention, layer 2"),
        ([("occlusion", "none", 0.1)], "Attention, layer 2"),
        ([("ablation", "strong", 0.3)], "Attention, layer 2"),  # not offered
        # of two, the one that is evidence for the class
        ([("ablation", "strong", 0.3, "none"), ("occlusion", "mixed", 0.2, "strong")], "Occlusion"),
    ],
)
def test_it_opens_on_the_best_that_is_evidence(ranked: list[Any], title: str) -> None:
    assert opening(MAPS, build_ranking(*ranked), "A") == title


def test_it_opens_on_attention_where_nothing_was_measured() -> None:
    assert opening(MAPS, None, "A") == "Attention, layer 2"
