"""``card``: what it measures stands in the description and on the card, and the weights stay as they are."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.shipped import WITH_DATA
from timemil_core.__main__ import main
from timemil_core.atomic import write_json
from timemil_core.commands import card
from timemil_core.data import catalogue
from timemil_core.explain.evaluation import measuring
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.ranking import FACT, known_ranking, opening_method
from timemil_core.explain.evaluation.wording import opening_sentence
from timemil_core.explain.kept_answer import FILE, known_answer
from timemil_core.explain.motifs import motif_atlas
from timemil_core.explain.motifs.kept import ATLAS_FILE, known_atlas
from timemil_core.models.storage import DESCRIPTION, load_model, read_description, save_model
from timemil_core.workspace import pretrained_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Two methods, and two series below: what is measured is tested elsewhere, here it matters where it goes.
    monkeypatch.setattr(card, "rank_methods", partial(rank_methods, methods=["attention", "occlusion"]))
    monkeypatch.setattr(measuring, "N_PLACES", 5)
    monkeypatch.setattr(card, "motif_atlas", partial(motif_atlas, n_series=4))
    copy = tmp_path / "model"
    shutil.copytree(pretrained_folder() / "italypowerdemand", copy)
    return copy


def facts_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / DESCRIPTION).read_text("utf-8"))["facts"]


def weights_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.safetensors")}


def test_measures_everything_and_leaves_the_weights_to_the_byte(folder: Path) -> None:
    (folder / "thesis.txt").write_text("beside the model")
    before, weights = facts_of(folder), weights_of(folder)
    assert main(["card", str(folder), "--series", "2", "--rank-on", "2", "--opening-series", "test 5"]) == 0
    assert weights_of(folder) == weights and len(weights) == 3
    assert (folder / "thesis.txt").read_text() == "beside the model"
    facts = facts_of(folder)
    assert facts["opening_series"] == "test 5"
    assert [one["n_series"] for one in facts["maps"]] == [2] * len(card.MAPS)
    measured = {"maps", "attention_worth", "scores", FACT, "opening_series", "choice"}
    assert {name for name in facts if facts[name] != before.get(name)} <= measured
    # Measured again on the same weights; what validation had chosen is not measured, and stays.
    assert facts["scores"] == pytest.approx(before["scores"])
    ranking = known_ranking(load_model(folder), catalogue.load("ItalyPowerDemand"))
    assert ranking is not None and ranking.n_series == 2
    assert {one.method for one in ranking.methods} == {"attention", "occlusion"}
    text = (folder / "card.md").read_text("utf-8")
    assert opening_sentence(ranking) in text and facts["attention_worth"] in text
    assert all(f"| {one.title} | " in text and f"{one.standing.mean_rank:.2f}" in text for one in ranking.methods)


def test_the_ranking_alone_leaves_the_rest_of_the_card(folder: Path) -> None:
    before = facts_of(folder)
    assert main(["card", str(folder), "--ranking-only", "--rank-on", "2"]) == 0
    facts = facts_of(folder)
    assert {name for name in facts if facts[name] != before.get(name)} <= {FACT, "attention_worth", "maps", "choice"}
    assert facts["attention_worth"] in (folder / "card.md").read_text("utf-8")


def test_there_must_be_something_to_leave(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    description = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    del description["facts"]["maps"]
    (folder / DESCRIPTION).write_text(json.dumps(description), "utf-8")
    before = (folder / "card.md").read_bytes()
    assert main(["card", str(folder), "--ranking-only", "--rank-on", "2"]) == 2
    assert "Leave out --ranking-only" in capsys.readouterr().err
    assert (folder / "card.md").read_bytes() == before


def test_half_precision_halves_the_weights_of_a_trained_model(folder: Path) -> None:
    model, halves = load_model(folder), weights_of(folder)
    shutil.rmtree(folder)
    save_model(model, folder)
    assert len(weights_of(folder)["weights.safetensors"]) > 1.8 * len(halves["weights.safetensors"])
    assert main(["card", str(folder), "--ranking-only", "--rank-on", "2", "--half-precision"]) == 0
    assert weights_of(folder) == halves


@pytest.mark.parametrize("name", WITH_DATA)
def test_every_shipped_card_tells_which_map_to_open_on(name: str) -> None:
    folder = pretrained_folder() / name
    model = load_model(folder)
    series_set = catalogue.load(str(model.facts["data"]))
    ranking, told = known_ranking(model, series_set), known_answer(model, series_set, folder)
    assert ranking is not None and told is not None
    text = (folder / "card.md").read_text("utf-8")
    assert opening_sentence(ranking) in text
    assert all(f"- {one.sentence}. " in text for one in told.classes)


def test_the_answer_alone_goes_by_the_ranking_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / FILE).unlink()
    before = facts_of(folder)
    assert main(["card", str(folder), "--answer-only"]) == 0
    assert facts_of(folder) == before
    assert known_answer(load_model(folder), catalogue.load("ItalyPowerDemand"), folder) is not None
    assert "warm months is told all over the series, strongest at" in (folder / "card.md").read_text("utf-8")
    write_json(folder / DESCRIPTION, {**read_description(folder), "facts": {**before, FACT: None}})
    assert main(["card", str(folder), "--answer-only"]) == 2
    assert "Leave out --answer-only" in capsys.readouterr().err


def test_the_motifs_alone_are_found_and_kept_beside_the_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(["card", str(folder), "--motifs-only"]) == 0
    model, series_set = load_model(folder), catalogue.load("ItalyPowerDemand")
    atlas = known_atlas(model, series_set, opening_method(model, series_set), 5, folder)
    assert atlas is not None
    assert capsys.readouterr().out.strip() == atlas.sentence
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ATLAS_FILE} == {
        name: content for name, content in before.items() if name != ATLAS_FILE
    }
