"""The README's tables hold the benchmark's numbers, and name the control that stands beside each."""

from typing import Any

from benchmarks.map_tables import localisation_table, models_table, rankings_table, verdicts_table
from tests.explain.rankings import build_ranking


def localised(name: str, label: str, auroc: float, untrained: float | str = 0.5) -> dict[str, Any]:
    return {
        "set": name, "seeds": 5, "series": 12, "accuracy": 1.0, "map": label,
        "AUROC": auroc, "lowest AUROC": auroc - 0.1, "AUROC untrained": untrained,
        "NDCG@n": auroc / 2, "lowest NDCG@n": auroc / 4, "NDCG@n untrained": untrained,
    }  # fmt: skip


def test_localisation_opens_with_the_opening_map_then_the_best_and_ends_with_controls() -> None:
    rows = [
        localised("a", "rollout", 0.6),
        localised("a", "occlusion", 0.9),
        localised("a", "random", 0.5, "–"),
        localised("a", "opens on: occlusion / rollout", 0.8, 0.7),
        localised("WebTraffic", "occlusion", 0.8),
    ]
    head, _, *lines = localisation_table(rows)
    assert "a (5 seeds, accuracy 1.00): AUROC" in head and "WebTraffic (5 seeds, accuracy 1.00): NDCG@n" in head
    assert lines[0] == "| **the map that the app opens on** | 0.800 (0.700) | 0.70 | – | – |"
    assert lines[1] == "| Occlusion | 0.900 (0.800) | 0.50 | 0.400 (0.200) | 0.50 |"
    assert lines[2].startswith("| Attention rollout | 0.600 (0.500)")
    assert lines[3] == "| *random* | 0.500 (0.400) | – | – | – |"


def test_verdicts_tell_level_and_rank_of_each_model_the_best_first() -> None:
    def judged(model: str, label: str, level: str, rank: float) -> dict[str, Any]:
        return {
            "model": model,
            "map": label,
            "series": 8,
            "level": level,
            "mean rank": rank,
            "former": 0.1,
            "single": 0.5,
        }

    rows = [
        judged("one", "centre", "none", 0.4),
        judged("one", "occlusion", "strong", 0.9),
        judged("other", "occlusion", "mixed", 0.8),
    ]
    assert verdicts_table(rows) == [
        "| map | one (8 series) | other (8 series) |",
        "|---|---|---|",
        "| Occlusion | strong, rank 0.90 (former 10%, single 50%) | mixed, rank 0.80 (former 10%, single 50%) |",
        "| centre | none, rank 0.40 (former 10%, single 50%) | – |",
    ]


def test_models_tell_what_they_use_themselves_beside_what_is_shown_first() -> None:
    ranking = build_ranking(("occlusion", "strong", 0.4), ("attention", "none", -0.1))
    assert models_table({"one": ranking}, {"one": 0.9}) == [
        "| model | test accuracy | what it uses itself | what the app opens on | series |",
        "|---|---|---|---|---|",
        "| one | 0.900 | attention: none (-10%) | Occlusion: strong (+40%) | 8 |",
    ]


def test_rankings_of_the_shipped_models_with_the_opening_method_marked() -> None:
    one = build_ranking(("rollout", "strong", 0.5), ("occlusion", "strong", 0.4))
    other = build_ranking(("channel-occlusion", "mixed", 0.3), ("occlusion", "none", 0.2))
    assert rankings_table({"one": one, "other": other}) == [
        "| map | one (8 series) | other (8 series) |",
        "|---|---|---|",
        "| Attention rollout | strong (+50%) | – |",
        "| Occlusion | **strong (+40%)** | none (+20%) |",
        "| Occlusion by channel | – | **mixed (+30%)** |",
    ]
