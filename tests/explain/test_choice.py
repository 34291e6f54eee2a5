import dataclasses
import json

import numpy as np
import pytest

from tests.explain.builders import build_model, build_series, build_set
from timemil_core.atomic import write_json
from timemil_core.errors import SettingsError
from timemil_core.explain import choosing
from timemil_core.explain.choice import FORMAT, Choice, Merit, keep_choice, known_choice, save_choice, stored_choice
from timemil_core.explain.choosing import choose_method
from timemil_core.explain.importance import explain, methods_for


@pytest.fixture(scope="module")
def model():
    return build_model()


def test_measures_every_method_that_applies(model):
    told = []
    choice = choose_method(model, build_set(), n_series=2, progress=lambda done, of: told.append((done, of)))
    assert {merit.method for merit in choice.merits} == {method.key for method in methods_for(model)} - {"pooling"}
    merits = [merit.merit for merit in choice.merits]
    assert merits == sorted(merits, reverse=True) and all(-2 <= merit <= 2 for merit in merits)
    assert all(0 <= merit.beats_random <= 1 and merit.seconds > 0 for merit in choice.merits)
    assert (choice.part, choice.n_series) == ("training", 2)
    shares = [done / of for done, of in told]
    assert shares == sorted(shares) and shares[-1] == 1
    assert len(shares) > 2 * len(choice.merits)  # after each map of each series
    assert choice.best.title in choice.sentence


def test_the_true_map_wins_over_its_opposite_and_chance(model, monkeypatch):
    # Maps of known worth: what single points do to the logit, its opposite, and nothing at all.
    def known(model, series, method, target, *, examination=None, progress=None):
        real = explain(model, series, "occlusion", target, window=3)
        sign = {"occlusion": 1, "pooling": 0, "activation": -1}[method]
        return dataclasses.replace(real, values=sign * real.values)

    monkeypatch.setattr(choosing, "explain", known)
    choice = choose_method(model, build_set(), methods=["activation", "pooling", "occlusion"], n_series=4)
    assert [merit.method for merit in choice.merits] == ["occlusion", "pooling", "activation"]
    assert choice.merits[0].merit > 0.05 and choice.merits[2].merit < -0.05


def test_a_series_that_nothing_moves_does_not_outweigh_one_that_hangs_on_few_points():
    beats = np.zeros(2)
    moved = choosing.Outcome("noise", np.array([[4.0, 1.0], [4.0, 1.0]]), np.full((2, 1), 4.0), beats)
    unmoved = choosing.Outcome("noise", np.array([[0.0, 0.1], [0.0, 0.1]]), np.full((2, 1), 0.1), beats)
    dead = choosing.Outcome("masked out", np.zeros((2, 2)), np.zeros((2, 1)), beats)
    assert choosing.merit_of([moved, unmoved], ["noise"]) == pytest.approx([4 / 4.1, 1.1 / 4.1])
    assert choosing.merit_of([moved, unmoved, dead], ["noise", "masked out"]) == pytest.approx([2 / 4.1, 0.55 / 4.1])


def test_what_an_earlier_version_measured_otherwise_is_no_choice(model, tmp_path):
    choice = choose_method(model, build_set(), methods=["pooling"], n_series=1, fillers=["noise"])
    write_json(tmp_path / "choice.json", {**choice.to_json(), "format": FORMAT - 1})
    assert stored_choice(tmp_path / "choice.json", model, build_set()) is None


def test_pages_open_on_a_map_about_a_class_where_one_is_better_than_chance():
    def of(*merits):
        return Choice(
            tuple(Merit(key, merit, 0.5, 0.1) for key, merit in merits), "validation", 3, ("noise",), "m", "d"
        )

    behind = of(("rollout", 0.6), ("occlusion", 0.5), ("ablation", 0.4))
    assert (behind.best.method, behind.opening.method) == ("rollout", "occlusion")
    assert behind.sentence.startswith("Occlusion measures best") and "Attention rollout moves" in behind.sentence
    ahead = of(("occlusion", 0.6), ("rollout", 0.5))
    assert ahead.opening is ahead.best and "rollout" not in ahead.sentence and "too close" not in ahead.sentence
    close = of(("occlusion", 0.6), ("rollout", 0.58), ("ablation", 0.56), ("attention", 0.5))
    assert close.sentence.endswith(
        "2 other methods come within 0.05 of its merit (0.60): too close to call on so few series."
    )
    assert of(("rollout", 0.6), ("occlusion", 0.0)).opening.method == "rollout"
    assert behind.better_than("ablation") is behind.better_than("attention") is behind.opening
    assert behind.better_than("rollout") is None and behind.better_than("occlusion") is None
    assert of(("occlusion", -0.1)).better_than("attention") is None


def test_nothing_is_better_than_chance_is_said(model):
    choice = Choice((Merit("rollout", -0.1, 0.0, 0.1),), "training", 3, ("noise",), "m", "d")
    assert "none of them" in choice.sentence


def test_is_kept_beside_what_it_is_of(model, tmp_path):
    series_set = build_set()
    choice = choose_method(model, series_set, methods=["pooling"], n_series=1, fillers=["noise"])
    path = tmp_path / "choice.json"
    assert stored_choice(path, model, series_set) is None
    save_choice(choice, path)
    assert stored_choice(path, model, series_set) == choice
    assert stored_choice(path, build_model(seed=1), series_set) is None
    assert stored_choice(path, model, series_set.part("train")) is None


def test_is_known_from_the_card_or_from_this_machine(model, tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    series_set = build_set()
    assert known_choice(model, series_set) is None
    choice = choose_method(model, series_set, methods=["pooling"], n_series=1, fillers=["noise"])
    carded = dataclasses.replace(model, facts={"choice": json.loads(json.dumps(choice.to_json()))})
    assert known_choice(carded, series_set) == choice
    keep_choice(choice)
    assert known_choice(model, series_set) == choice
    assert known_choice(model, series_set.part("train")) is None


@pytest.mark.parametrize("content", [[], {"merits": []}, {"format": FORMAT, "merits": [{"method": "x"}]}, "text"])
def test_a_damaged_file_is_no_choice(model, tmp_path, content):
    write_json(tmp_path / "choice.json", content)
    assert stored_choice(tmp_path / "choice.json", model, build_set()) is None


def test_refuses_what_cannot_be_compared(model):
    with pytest.raises(SettingsError, match="saliency cannot be compared"):
        choose_method(model, build_set(), methods=["saliency"])
    with pytest.raises(SettingsError, match="nothing to compare"):
        choose_method(model, build_set(), fillers=[])


def test_random_maps_have_no_merit(model, monkeypatch):
    generator = np.random.default_rng(1)

    def random(model, series, method, target, *, examination=None, progress=None):
        real = explain(model, series, "pooling", target)
        smooth = np.convolve(generator.normal(size=series.shape[1] + 4), np.ones(5), mode="valid")
        return dataclasses.replace(real, values=smooth)

    monkeypatch.setattr(choosing, "explain", random)
    choice = choose_method(model, build_set(80), methods=["pooling"], n_series=40, fillers=["noise"], seed=100)
    assert abs(choice.best.merit) < 0.15 and choice.best.beats_random < 0.4


def test_series_need_not_be_long(model):
    series_set = dataclasses.replace(build_set(4), series=tuple(build_series(n_timepoints=n) for n in (1, 2, 3, 4)))
    assert len(choose_method(model, series_set, methods=["pooling", "contribution"]).merits) == 2
