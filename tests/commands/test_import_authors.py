import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.explain.rankings import build_ranking
from tests.models.authors import naive
from tests.models.authors.builders import checkpoint, state_dict
from tests.training.builders import kept_small_set
from timemil_core.__main__ import main
from timemil_core.commands.card import card_text
from timemil_core.data.bundled import load_bundled
from timemil_core.data.class_order import declared_classes
from timemil_core.explain.answer import Answer
from timemil_core.explain.evaluation.worth import MapWorth
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.shelf import open_model, shelf
from timemil_core.models.storage import DESCRIPTION, load_model

BASIC_MOTIONS = ("Standing", "Running", "Walking", "Badminton")  # as the file's header has them: not by the alphabet


@pytest.fixture
def path(tmp_path: Path) -> Path:
    checkpoint(tmp_path / "best_model.pth", n_channels=6)
    return tmp_path / "best_model.pth"


def run(path: Path, *words: str) -> int:
    return main(["import-authors", str(path), "--out", str(path.parent / "model"), *words])


def test_a_model_of_known_data(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(path, "--data", "BasicMotions", "--title", "Theirs") == 0
    told = capsys.readouterr().out
    assert "network: 6 channels, 4 classes, embedding 16" in told
    assert f"order of the logits: {', '.join(BASIC_MOTIONS)}" in told
    model, series_set = load_model(path.parent / "model"), load_bundled("BasicMotions")
    assert isinstance(model.network, AuthorsTimeMIL)
    assert model.class_names == BASIC_MOTIONS
    assert model.channel_names == series_set.channel_names
    assert model.sampling_rate == series_set.sampling_rate
    assert model.preparation.normalisation == "none"
    series = series_set.series[:2]
    theirs = np.concatenate([naive.logits(state_dict(n_channels=6), one.T[None].astype(float)) for one in series])
    assert np.abs(model.predict(series).logits - theirs).max() < 1e-4 * np.abs(theirs).max()
    test = series_set.subset(series_set.indices("test"))
    right = [BASIC_MOTIONS[said] == test.label_name(i) for i, said in enumerate(model.predict(test.series).labels)]
    assert model.facts["scores"]["test_accuracy"] == pytest.approx(np.mean(right))
    assert f"test accuracy: {np.mean(right):.4f} (40 series, each alone)" in told
    assert model.facts["n_test"] == 40
    assert model.facts["selection"] == "test"
    assert any("wavelet scales are negative" in note for note in model.facts["notes"])

    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(path.parent))
    [entry] = shelf()
    assert (entry.title, entry.data, entry.reference, entry.origin) == ("Theirs", "BasicMotions", "model", "imported")
    assert entry.notes == tuple(model.facts["notes"])
    assert open_model("model").fingerprint == model.fingerprint


def test_the_command_can_be_repeated(path: Path) -> None:
    assert run(path, "--class-names", "a", "b b", "c", "d", "--front-padded-to", "30", "--scaling", "batch") == 0
    first = load_model(path.parent / "model")
    words = first.facts["command"]
    assert words.startswith(
        "python -m timemil_core import-authors best_model.pth --out FOLDER --class-names a 'b b' c d"
    )
    assert "--front-padded-to 30 --scaling batch" in words
    assert first.class_names == ("a", "b b", "c", "d")
    assert (first.network.config.front_padded_to, first.network.config.scaling) == (30, "batch")
    assert run(path) == 0  # a model that is there is replaced
    assert load_model(path.parent / "model").fingerprint != first.fingerprint


def test_unequal_sets_are_padded_as_by_their_loader(tmp_path: Path) -> None:
    path = tmp_path / "best_model.pth"
    checkpoint(path, n_channels=12, n_classes=9)
    assert run(path, "--data", "JapaneseVowels") == 0
    assert load_model(tmp_path / "model").network.config.front_padded_to == 29
    assert run(path, "--data", "JapaneseVowels", "--front-padded-to", "0") == 0
    assert load_model(tmp_path / "model").network.config.front_padded_to is None


def test_normalisation_is_fitted_on_the_training_series(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(path, "--data", "BasicMotions", "--normalisation", "per-channel") == 0
    series_set = load_bundled("BasicMotions")
    training = np.concatenate([series_set.series[i] for i in series_set.indices("train")], axis=1)
    np.testing.assert_allclose(load_model(path.parent / "model").preparation.means, training.mean(axis=1), atol=1e-4)
    assert run(path, "--normalisation", "per-channel") == 2
    assert "Give --data" in capsys.readouterr().err
    assert run(path, "--normalisation", "per-series") == 0
    assert load_model(path.parent / "model").preparation.normalisation == "per-series"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--class-names", "a", "b"], "the checkpoint has 4 classes; named are a, b"),
        (["--channel-names", "x"], "the checkpoint has 6 channels; named are x"),
        (["--data", "GunPoint"], "the checkpoint has 4 logits, and the order of the classes of GunPoint is Gun, Point"),
        (["--data", "ACSF1", "--class-names", *"0123456789"], "the checkpoint has 4 classes"),
        (["--data", "BasicMotions", "--class-names", *"abcd"], "the class 'Badminton', which is not among a, b, c, d"),
        (["--data", "BasicMotion"], "BasicMotions"),
        (["--front-padded-to", "-3"], "front_padded_to is -3"),
    ],
)
def test_what_does_not_fit_is_told_and_nothing_is_written(
    path: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(path, *words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert [file.name for file in path.parent.iterdir()] == ["best_model.pth"]


def test_the_order_of_classes_of_other_data_must_be_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference = kept_small_set()
    checkpoint(path, n_channels=1, n_classes=2)
    assert declared_classes(reference) == declared_classes("../up") == ()
    assert run(path, "--data", reference) == 2
    assert "Give --class-names in the order" in capsys.readouterr().err
    assert run(path, "--data", reference, "--class-names", "pulse", "no pulse") == 0
    assert load_model(path.parent / "model").class_names == ("pulse", "no pulse")


def test_a_hostile_file_leaves_an_earlier_model_as_it_was(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(path) == 0
    before = (path.parent / "model" / DESCRIPTION).read_bytes()
    torch.save(torch.nn.Linear(2, 2), path)
    assert run(path) == 2
    assert "Nothing of it was run" in capsys.readouterr().err
    assert (path.parent / "model" / DESCRIPTION).read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["best_model.pth", "model"]


def test_a_folder_that_holds_something_else_is_left_alone(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path.parent / "model").mkdir()
    (path.parent / "model" / "thesis.tex").write_text("years of work")
    assert run(path) == 2
    assert "holds no model" in capsys.readouterr().err
    assert [file.name for file in (path.parent / "model").iterdir()] == ["thesis.tex"]


def test_without_data_the_description_says_so(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(path) == 0
    facts = json.loads((path.parent / "model" / DESCRIPTION).read_text())["facts"]
    assert (facts["data"], facts["scores"], facts["n_test"]) == ("", {}, 0)
    assert main(["card", str(path.parent / "model")]) == 2
    assert "import it with --data" in capsys.readouterr().err


def test_its_card_tells_what_is_known(path: Path) -> None:
    assert run(path, "--data", "BasicMotions") == 0
    model = load_model(path.parent / "model")
    worth = MapWorth("Occlusion", 3, None, None, None, None)
    ranking = build_ranking(("occlusion", "mixed", 0.2), model=model.fingerprint)
    none = np.array([], dtype=np.int64)
    found = Answer((), "test", none, none, none, "time (s)", model.channel_names)
    card = card_text(model, load_bundled("BasicMotions"), [worth], "Half of them.", ranking, found)
    assert "- **Protocol**: Their main.py keeps the epoch that was best on the test set" in card
    assert card.count("- **Imported**: ") == len(model.facts["notes"])
    assert "| test accuracy | " in card
