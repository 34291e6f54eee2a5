"""One filler alone flatters some maps: the verdict rests on two, and says where they disagree."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.explain.builders import build_model, build_series
from tests.models.authors.builders import checkpoint
from timemil_core.explain.evaluation.fillers import FILLERS, FillerName, fillers_for, second_filler
from timemil_core.explain.faithfulness import deletion_test
from timemil_core.explain.removal_verdict import removal_verdict
from timemil_core.explain.verdicts import IN_PLACE, Level, level_of_both, second_sentence
from timemil_core.models.authors.importing import as_model, import_network
from timemil_core.models.trained import TrainedModel


@pytest.fixture
def imported(tmp_path: Path) -> TrainedModel:
    checkpoint(tmp_path / "best_model.pth", n_channels=2, n_classes=3)
    return as_model(import_network(tmp_path / "best_model.pth"), class_names=("a", "b", "c"))


@pytest.mark.parametrize("filler", ["noise", "masked out"])
def test_both_tests_are_those_of_their_fillers(filler: FillerName) -> None:
    model, series = build_model(), build_series()
    found = removal_verdict(model, series, series[0], 0, filler=filler, n_steps=3)
    other: FillerName = "masked out" if filler == "noise" else "noise"
    for one, name in ((found.test, filler), (found.second, other)):
        alone = deletion_test(model, series, series[0], 0, filler=name, n_steps=3)
        assert (one.filler, one.curve.tolist(), one.level) == (name, alone.curve.tolist(), alone.level)
    assert found.level == level_of_both(found.test.level, found.second.level)
    assert found.sentence.startswith(found.test.sentence)
    assert f"{IN_PLACE[other]} instead of {IN_PLACE[filler]}" in found.sentence


def test_progress_runs_through_both_tests_once() -> None:
    model, series = build_model(), build_series()
    told: list[float] = []
    removal_verdict(model, series, series[0], 0, n_steps=2, progress=lambda done, of: told.append(done / of))
    assert told == sorted(told)
    assert 0 < told[0] <= 0.5 < told[-1] == 1.0


@pytest.mark.parametrize(
    ("first", "second", "both", "told"),
    [
        ("strong", "strong", "strong", "20 as well."),
        ("strong", "weak", "weak", "weak evidence, taken together"),
        ("weak", "strong", "weak", "weak evidence, taken together"),
        ("strong", "none", "weak", "depends on what stands in their place"),
        ("none", "strong", "weak", "depends on what stands in their place"),
        ("weak", "weak", "weak", "weak evidence as well"),
        ("weak", "none", "none", "no evidence, taken together"),
        ("none", "weak", "none", "no evidence, taken together"),
        ("none", "none", "none", "no evidence either"),
    ],
)
def test_only_what_both_tests_say_is_strong_and_one_weak_test_is_nothing(
    first: Level, second: Level, both: str, told: str
) -> None:
    assert level_of_both(first, second) == both
    sentence = second_sentence(first, second, ("noise", "masked out"), "it beats 9 of 20")
    assert sentence.startswith("With removed points masked out instead of replaced by noise, it beats 9 of 20")
    assert told in sentence


def test_a_second_test_that_lowers_nothing_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from timemil_core.explain import removal_verdict as module

    genuine = module.deletion_test
    monkeypatch.setattr(
        module, "deletion_test", lambda *args, **kwargs: replace(genuine(*args, **kwargs), area_over_random=-1e9)
    )
    model, series = build_model(), build_series()
    assert "does not fall" in removal_verdict(model, series, series[0], 0, n_steps=2).sentence


def test_a_network_without_a_mask_masks_nothing_out(imported: TrainedModel) -> None:
    assert "masked out" not in fillers_for(imported)
    assert fillers_for(build_model()) == list(FILLERS)
    assert second_filler(imported, "noise") == "local mean"
    assert second_filler(imported, "local mean") == "noise"
    assert [second_filler(build_model(), name) for name in FILLERS] == ["masked out", "noise", "noise", "noise"]
    series = build_series()
    found = removal_verdict(imported, series, series[0], 0, n_steps=2, n_random=5)
    assert (found.test.filler, found.second.filler) == ("noise", "local mean")
