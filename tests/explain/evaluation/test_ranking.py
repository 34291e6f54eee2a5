import dataclasses
import json

import numpy as np
import pytest

from tests.explain.builders import build_model, build_series, build_set
from tests.explain.rankings import build_ranking
from timemil_core.atomic import write_json
from timemil_core.errors import SettingsError
from timemil_core.explain.answering import method_for
from timemil_core.explain.evaluation import measuring, verdict
from timemil_core.explain.evaluation.measuring import GREEDY, rank_methods, series_to_rank_on
from timemil_core.explain.evaluation.ranking import (
    FACT,
    FORMAT,
    Ranking,
    keep_ranking,
    known_ranking,
    opening_method,
    stored_ranking,
)
from timemil_core.explain.importance import explain, methods_for
from timemil_core.models.trained import Prediction


@pytest.fixture(scope="module")
def model():
    return build_model()


@pytest.fixture
def few_places(monkeypatch):
    monkeypatch.setattr(measuring, "N_PLACES", 5)


@pytest.mark.usefixtures("few_places")
def test_measures_every_method_that_applies(model):
    told = []
    found = rank_methods(model, build_set(), n_series=3, progress=lambda done, of: told.append(done / of))
    assert {one.method for one in found.methods} == {method.key for method in methods_for(model)} - {"pooling"}
    orders = [one.standing.order for one in found.methods]
    assert orders == sorted(orders)
    assert (found.part, found.n_series, found.fillers) == ("training", 3, ("noise", "masked out"))
    assert found.attainable.of_attainable == pytest.approx(1)
    assert set(found.places_by_class) == set(found.methods[0].by_class)
    assert told == sorted(told) and told[-1] == 1 and len(told) > len(found.methods)


def test_the_true_map_wins_over_its_opposite(model, monkeypatch):
    # A logit that hangs on six time points, a map that marks them, and one that marks all others.
    def score(copies):
        hangs = np.nan_to_num(copies)[:, 0, 5:11].mean(axis=1).astype(float)
        return np.stack([10 + 3 * hangs, np.zeros_like(hangs), np.zeros_like(hangs)], axis=1)

    def known(model, series, method, target, *, examination=None, progress=None):
        real = explain(model, series, "occlusion", target, window=3)
        marked = (np.arange(series.shape[1]) // 1 >= 5) & (np.arange(series.shape[1]) < 11)
        return dataclasses.replace(real, values=(marked == (method == "occlusion")).astype(float))

    series_set = dataclasses.replace(build_set(), series=tuple(one + 9 for one in build_set().series))
    monkeypatch.setattr(measuring, "explain", known)
    monkeypatch.setattr(verdict, "network_score", lambda network: score)
    monkeypatch.setattr(
        type(model), "predict", lambda self, some: Prediction(np.eye(3)[np.zeros(len(some), int)], None)
    )
    found = rank_methods(model, series_set, methods=["activation", "occlusion"], n_series=6)
    true, false = found.of("occlusion").standing, found.of("activation").standing
    assert found.best.method == "occlusion" and true.mean_rank > 0.9 and true.excess > 0 > false.excess
    assert true.level == "strong" and true.swap_chance < 0.05  # the same time, but not the same share of the duration
    assert false.level in ("none", "cannot be tested")


@pytest.mark.usefixtures("few_places")
def test_a_measurement_goes_on_where_it_was_broken_off(model, tmp_path, monkeypatch):
    whole = rank_methods(model, build_set(), methods=["attention", "occlusion"], n_series=3)

    def stop(done, of):
        if done / of > 0.6:
            raise KeyboardInterrupt

    asked = {"methods": ["attention", "occlusion"], "n_series": 3, "pieces": tmp_path}
    with pytest.raises(KeyboardInterrupt):
        rank_methods(model, build_set(), **asked, progress=stop)
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept[:3] == ["maps-0.json", "maps-1.json", "maps-2.json"]

    def not_again(*_args, **_settings):
        raise AssertionError("a map that is kept is not computed again")

    monkeypatch.setattr(measuring, "explain", not_again)
    resumed = rank_methods(model, build_set(), **asked)
    for one, other in zip(whole.methods, resumed.methods, strict=True):
        assert dataclasses.replace(one, seconds=0) == dataclasses.replace(other, seconds=0)


@pytest.mark.usefixtures("few_places")
def test_pieces_of_another_measurement_count_as_none(model, tmp_path):
    rank_methods(model, build_set(), methods=["attention"], n_series=2, pieces=tmp_path)
    before = json.loads((tmp_path / "maps-0.json").read_text())
    rank_methods(model, build_set(), methods=["attention"], n_series=2, seed=1, pieces=tmp_path)
    after = json.loads((tmp_path / "maps-0.json").read_text())
    assert before["told"]["seed"] == 0 and after["told"]["seed"] == 1
    assert set(after["piece"]["maps"]) == {GREEDY, "attention"}


def test_series_are_spread_over_classes(model):
    indices, part = series_to_rank_on(model, build_set(), 3)
    assert part == "training" and sorted(build_set().labels[indices]) == [0, 1, 2]


def test_unknown_methods_are_refused(model):
    with pytest.raises(SettingsError, match="telepathy cannot be compared"):
        rank_methods(model, build_set(), methods=["telepathy"])


def test_pages_open_on_a_map_about_a_class_unless_one_that_knows_none_is_better_evidence():
    assert build_ranking(("rollout", "strong", 0.9), ("occlusion", "strong", 0.5)).opening.method == "occlusion"
    assert build_ranking(("rollout", "strong", 0.9), ("occlusion", "mixed", 0.8)).opening.method == "rollout"
    assert build_ranking(("occlusion", "none", 0.9), ("rollout", "none", 0.1)).opening.method == "occlusion"


def test_what_the_model_is_summed_from_comes_first_where_nothing_reaches_a_better_level():
    for levels, first in ((("strong", "strong"), "contribution"), (("strong", "mixed"), "occlusion")):
        ranking = build_ranking(("occlusion", levels[0], 0.9), ("contribution", levels[1], 0.5))
        assert ranking.opening.method == "occlusion"
        assert dataclasses.replace(ranking, own="contribution").opening.method == first
        assert dataclasses.replace(ranking, own="exact-contribution").opening.method == "occlusion"  # not measured


def test_a_class_for_which_the_opening_method_fails_has_one_of_its_own():
    found = build_ranking(("occlusion", "strong", 0.9, "none"), ("ablation", "mixed", 0.5, "strong"))
    assert found.best_for("A").method == "ablation"
    assert found.best_for("B").method == "occlusion"
    assert found.level_of("occlusion") == "strong" and found.level_of("occlusion", "A") == "none"
    assert found.level_of("rollout") is None is found.level_of("occlusion", "B")


def test_what_is_written_is_read_again_and_other_content_is_none(model, tmp_path):
    found = build_ranking(("occlusion", "strong", 0.5))
    assert Ranking.from_json(json.loads(json.dumps(found.to_json()))) == found
    broken = [
        {}, [], 3, None, {"format": FORMAT}, {**found.to_json(), "format": FORMAT - 1},
        {**found.to_json(), "methods": []}, {**found.to_json(), "methods": [{"method": "x"}]},
    ]  # fmt: skip
    for content in broken:
        with pytest.raises(SettingsError):
            Ranking.from_json(content)
        write_json(tmp_path / "ranking.json", content)
        assert stored_ranking(tmp_path / "ranking.json", model, build_set()) is None
    assert stored_ranking(tmp_path / "nothing.json", model, build_set()) is None


def test_a_ranking_is_known_of_its_own_model_and_data_alone(model, tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    series_set = build_set()
    found = build_ranking(("ablation", "mixed", 0.5), model=model.fingerprint, data=series_set.fingerprint)
    assert known_ranking(model, series_set) is None and opening_method(model, series_set) == "occlusion"
    keep_ranking(found)
    assert known_ranking(model, series_set) == found and opening_method(model, series_set) == "ablation"
    assert known_ranking(build_model(seed=1), series_set) is None
    carried = dataclasses.replace(build_model(seed=1), facts={FACT: found.to_json()})
    assert known_ranking(carried, series_set) is None  # of another model: it is not taken on trust


def test_what_measures_as_no_evidence_is_not_opened_on(model):
    series_set = build_set()
    found = build_ranking(("ablation", "none", 0.5), model=model.fingerprint, data=series_set.fingerprint)
    assert opening_method(dataclasses.replace(model, facts={FACT: found.to_json()}), series_set) == "occlusion"


def test_a_model_that_tells_itself_is_opened_on_that_until_it_is_measured(model):
    narrow = {"kernel_sizes": (3, 5, 9), "n_modules": 2, "pooling": "conjunctive", "positional_encoding": "none"}
    own, series_set = build_model(evidence="sight", **narrow), build_set()
    assert opening_method(own, series_set) == method_for(own, None, "class 0")[0] == "contribution"
    assert opening_method(model, series_set) == "occlusion"
    found = build_ranking(("ablation", "none", 0.5), model=own.fingerprint, data=series_set.fingerprint)
    measured = dataclasses.replace(own, facts={FACT: found.to_json()})
    assert opening_method(measured, series_set) == "occlusion"


def test_series_of_unequal_length_can_be_swapped(model):
    assert len(set(build_set().lengths[:4])) > 1
    found = rank_methods(model, build_set(), methods=["attention"], n_series=4)
    assert np.isfinite(found.methods[0].standing.swap_chance)
    assert build_series().shape == (2, 40)


def test_maps_of_many_series_are_by_the_quickest_of_the_best_level() -> None:
    known = build_ranking(("occlusion", "strong", 0.5), ("attention", "strong", 0.4), ("rollout", "mixed", 0.1))
    slow, quick, quicker = (
        dataclasses.replace(one, seconds=s) for one, s in zip(known.methods, (2.0, 0.1, 0.01), strict=True)
    )
    assert dataclasses.replace(known, methods=(slow, quick, quicker)).quickest is quick
