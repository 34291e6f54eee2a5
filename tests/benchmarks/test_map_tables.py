"""The README's tables hold the benchmark's numbers, and name the control that stands beside each."""

from typing import Any

from benchmarks.map_tables import faithfulness_table, localisation_table, merits_table, verdicts_table
from timemil_core.explain.choice import Choice, Merit


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


def test_faithfulness_is_the_mean_over_fillers_with_the_random_map_last() -> None:
    def removed(label: str, filler: str, deletion: float, share: float) -> dict[str, Any]:
        scores = {"deletion": deletion, "deletion beats": share, "insertion": 0 - deletion, "insertion beats": 0.0}
        return {"model": "m", "map": label, "filler": filler, "series": 8, **scores}

    rows = [
        removed("random", "noise", 0.0, 0.1),
        removed("rollout", "noise", 0.5, 0.25),
        removed("occlusion", "noise", 1.0, 0.5),
        removed("occlusion", "masked out", 2.0, 1.0),
    ]
    head, _, *lines = faithfulness_table(rows)
    assert head == "| map | m (8 series): deletion | m (8 series): insertion |"
    assert lines == [
        "| Occlusion | +1.50 (75%) | -1.50 (0%) |",
        "| Attention rollout | +0.50 (25%) | -0.50 (0%) |",
        "| *random* | +0.00 (10%) | +0.00 (0%) |",
    ]


def test_verdicts_have_strong_and_weak_of_each_model_with_the_random_map_last() -> None:
    def judged(model: str, label: str, strong: float, weak: float) -> dict[str, Any]:
        return {"model": model, "map": label, "series": 30, "strong": strong, "weak": weak, "none": 1 - strong - weak}

    rows = [
        judged("one", "random", 0.01, 0.15),
        judged("one", "rollout", 0.1, 0.2),
        judged("one", "occlusion", 0.1, 0.3),
        judged("other", "occlusion", 0.1, 0.5),
    ]
    assert verdicts_table(rows) == [
        "| map | one (30 series) | other (30 series) |",
        "|---|---|---|",
        "| Occlusion | 10% / 30% | 10% / 50% |",
        "| Attention rollout | 10% / 20% | – |",
        "| *random* | 1% / 15% | – |",
    ]


def test_merits_of_the_shipped_models_with_the_opening_method_marked() -> None:
    def of(*merits: tuple[str, float, float]) -> Choice:
        found = tuple(Merit(key, merit, beats, 0.1) for key, merit, beats in merits)
        return Choice(found, "validation", 6, ("noise",), "m", "d")

    one = of(("rollout", 0.5, 0.75), ("occlusion", 0.4, 0.5))
    other = of(("channel-occlusion", 0.3, 0.2), ("occlusion", 0.2, 0.25))
    assert merits_table({"one": one, "other": other}) == [
        "| map | one (6 series) | other (6 series) |",
        "|---|---|---|",
        "| Attention rollout | +0.50 (75%) | – |",
        "| Occlusion | **+0.40 (50%)** | +0.20 (25%) |",
        "| Occlusion by channel | – | **+0.30 (20%)** |",
    ]
