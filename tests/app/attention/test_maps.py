from app.attention.maps import NOTHING, USUAL, Maps, drawable, opening, second
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


def test_it_opens_on_the_best_that_is_evidence() -> None:
    maps = {"Attention, layer 2": ("attention", 1), "Occlusion": ("occlusion", None)}
    assert opening(maps, build_ranking(("occlusion", "strong", 0.2))) == "Occlusion"
    assert opening(maps, build_ranking(("attention", "strong", 0.2))) == "Attention, layer 2"
    assert opening(maps, build_ranking(("occlusion", "none", 0.1))) == "Attention, layer 2"
    assert opening(maps, build_ranking(("ablation", "strong", 0.3))) == "Attention, layer 2"  # not offered
    assert opening(maps, None) == "Attention, layer 2"


MAPS: Maps = {
    "Attention, layer 2": ("attention", 1),
    "Attention, layer 1": ("attention", 0),
    "Occlusion": ("occlusion", None),
}


def test_attention_usually_stands_beside_another_map_unless_something_is_pinned() -> None:
    assert second(USUAL, "Occlusion", MAPS, is_pinned=False) == "Attention, layer 2"
    assert second(USUAL, "Occlusion", MAPS, is_pinned=True) is None
    assert second(USUAL, "Attention, layer 1", MAPS, is_pinned=False) is None
    assert second(USUAL, "Occlusion", {"Occlusion": ("occlusion", None)}, is_pinned=False) is None


def test_any_two_maps_and_none_twice() -> None:
    assert second("Attention, layer 1", "Attention, layer 2", MAPS, is_pinned=False) == "Attention, layer 1"
    assert second("Occlusion", "Attention, layer 2", MAPS, is_pinned=True) == "Occlusion"
    assert second("Occlusion", "Occlusion", MAPS, is_pinned=False) is None
    assert second(NOTHING, "Occlusion", MAPS, is_pinned=False) is None
