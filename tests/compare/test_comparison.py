"""Models side by side: scores over seeds, disagreements, tables; and how they are trained at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.__main__ import main
from timemil_core.compare.comparison import compare
from timemil_core.compare.contenders import contenders
from timemil_core.compare.tables import exact_table, latex, published_protocols, shown_table
from timemil_core.data import catalogue
from timemil_core.errors import RunError
from timemil_core.models.shelf import open_model
from timemil_core.training import at_once
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_data import split_and_prepare
from timemil_core.training.run_folder import create_run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield a set of which a small TimeMIL, a nearest neighbour and two MiniRockets were trained."""
    patch = pytest.MonkeyPatch()
    patch.setenv("TIMEMIL_HOME", str(tmp_path_factory.mktemp("home")))
    reference = kept_small_set()
    execute(create_run(reference, model_settings=SMALL, training=short_training(with_supervised=False)))
    execute(create_run(reference, preset="ed-1nn", training=training_preset("ed-1nn")))
    for seed in (0, 1):
        execute(create_run(reference, preset="minirocket", training=training_preset("minirocket", seed=seed)))
    yield reference
    patch.undo()


def test_rows_are_experiments_and_scores_are_those_of_the_predictions(data: str) -> None:
    found = compare(catalogue.load(data), contenders(data), open_model)
    assert len(found.contenders) == 4
    assert {row.network: len(row.seeds) for row in found.rows} == {
        "TimeMIL, default": 1,
        "Nearest neighbour, Euclidean": 1,
        "MiniRocket, exact": 2,
    }
    for place, one in enumerate(found.contenders):
        model = open_model(one.reference)
        said = model.predict(found.series_set.series).labels
        assert (said == found.predicted[place]).all()
        assert one.facts["scores"]["test_accuracy"] == pytest.approx((said == found.true).mean())
        assert found.confusion(place).trace() == (said == found.true).sum()
    [rocket] = [row for row in found.rows if row.network.startswith("MiniRocket")]
    assert rocket.deviations["accuracy"] is not None
    disagree = {int(index) for index in found.disagreed}
    assert disagree == {i for i in range(len(found.true)) if len(set(found.predicted[:, i])) > 1}


def test_tables_hold_every_row_and_latex_marks_the_best(data: str) -> None:
    found = compare(catalogue.load(data), contenders(data), open_model)
    assert len(shown_table(found)) == len(exact_table(found)) == 3
    assert exact_table(found)["accuracy"].max() == found.rows[0].means["accuracy"]
    text = latex(found)
    assert r"\textbf{" in text
    assert text.count(r"\\") == 4
    assert found.rows[0].network in found.in_words()


def test_the_command_prints_and_writes(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", data, "--csv", str(tmp_path / "table.csv")]) == 0
    out = capsys.readouterr().out
    assert "MiniRocket, exact" in out
    assert "The models disagree on" in out
    assert len((tmp_path / "table.csv").read_text("utf-8").splitlines()) == 4
    assert main(["compare", "--data", data, "--models", "nobody"]) == 2


def test_a_model_that_is_fitted_at_once_is_a_run_as_any_other(data: str) -> None:
    run = create_run(data, preset="minirocket", training=training_preset("minirocket"))
    lines: list[str] = []
    execute(run, lines.append)
    assert run.status().state == "finished"
    assert any(line.startswith("test accuracy: ") for line in lines)
    model = open_model(run.reference)
    assert model.facts["seconds"] > 0
    assert "--preset minirocket" in model.facts["command"]
    with pytest.raises(RunError, match="has finished"):
        execute(run)


def test_where_test_series_are_longer_than_any_it_was_fitted_on_a_model_tells_what_it_does_not_read() -> None:
    training = training_preset("ed-1nn")
    data = split_and_prepare(catalogue.load("JapaneseVowels"), training)
    model = at_once.fit_at_once(data, "ed-1nn", training, lambda done, of: None)
    assert model.facts["scores"]["test_accuracy"] > 0.9
    [note] = model.facts["notes"]
    assert "the first 26 time points; the longest here has 29" in note


def test_a_fit_that_takes_too_long_is_given_up_and_one_that_is_stopped_can_be_resumed(data: str) -> None:
    run = create_run(data, preset="quant", training=training_preset("quant", time_limit=0.001))
    with pytest.raises(RunError, match=r"not fitted within 0\.001 minutes"):
        execute(run)
    assert run.status().state == "failed"
    assert not run.has_model
    again = create_run(data, preset="minirocket", training=training_preset("minirocket"))
    begun = time.monotonic()
    execute(again, should_stop=lambda: time.monotonic() - begun > 0.5)
    assert again.status().state == "stopped"
    execute(again)
    assert again.status().state == "finished"


def test_a_process_that_dies_is_told(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_once, "_in_a_process", _dies)
    run = create_run(data, preset="minirocket", training=training_preset("minirocket"))
    with pytest.raises(RunError, match="without a word"):
        execute(run)
    assert run.status().state == "failed"


def _dies(folder: str, connection: object) -> None:
    import os

    os._exit(9)


def test_logits_are_put_in_the_order_of_the_set_s_classes(data: str) -> None:
    series_set = catalogue.load(data)
    found = compare(series_set, contenders(data)[:1], open_model)
    assert np.isfinite(found.logits[0]).all()


def test_over_several_sets_networks_are_ranked(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = kept_small_set(n_test=12)
    assert main(["compare", "--data", data, other, "--train", "ed-1nn"]) == 0
    out = capsys.readouterr().out
    assert "1 network in common" in out
    assert main(["compare", "--data", other, "--train", "minirocket"]) == 0
    assert main(["compare", "--data", data, other, "--csv", str(tmp_path / "all.csv")]) == 0
    out = capsys.readouterr().out
    assert "Over 2 sets" in out
    assert "average rank" in out
    assert {line.split(",")[-1] for line in (tmp_path / "all.csv").read_text("utf-8").splitlines()[1:]} == {data, other}


def test_a_published_figure_below_guessing_is_told_as_such() -> None:
    assert any("below 0.167 are below guessing among 6 classes" in told for told in published_protocols("ERing"))
    assert not any("below guessing" in told for told in published_protocols("BasicMotions"))
