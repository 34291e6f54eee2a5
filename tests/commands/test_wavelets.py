"""``wavelets``, as typed in a shell."""

import csv
import json
from pathlib import Path

import pytest

from tests.training.builders import SMALL, kept_small_set
from timemil_core.__main__ import main
from timemil_core.models.shelf import open_model

TINY = ["--epochs", "2", "--no-supervised", "--device", "cpu", *(
    word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")
)]  # fmt: skip


@pytest.fixture
def model(tmp_path: Path) -> tuple[str, str]:
    """A trained model's folder and its data."""
    data = kept_small_set()
    assert (
        main(
            ["train", "--data", data, "--out", str(tmp_path / "run"), "--quiet", "--set", "validation_share=0.2", *TINY]
        )
        == 0
    )
    return str(tmp_path / "run"), data


def test_what_it_tells_and_writes(model: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "kernels.csv"
    assert main(["wavelets", "--model", model[0], "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "layer 1: 48 kernels pass most at" in told and "layer 2:" in told
    assert "Training changed the scale of the median kernel by" in told and "not recorded" not in told
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert len(rows) == 2 * (3 * 16 + 16)


def test_parts_removed_as_json(model: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "all.json"
    words = ["--model", model[0], "--remove", "parts", "--series", "4", "--out", str(out)]
    assert main(["wavelets", *words]) == 0
    told = capsys.readouterr().out
    assert "measured on 4 test series" in told and "Without all wavelets the logit" in told
    content = json.loads(out.read_text("utf-8"))
    assert [one["removed"] for one in content["removals"]][:3] == ["all wavelets", "layer 1", "layer 1, wavelet 1"]
    assert all(len(one["random ones of equal size: mean absolute change of the logit"]) == 20
               for one in content["removals"])  # fmt: skip
    assert [one["epochs"] for one in content["movement"]] == [[0, 1, 2], [0, 1, 2]]
    assert content["movement"][0]["recorded"]
    assert len(content["kernels"]) == 2 * (3 * 16 + 16)


def test_kernels_removed_stand_in_the_table(
    model: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "kernels.csv"
    words = ["--model", model[0], "--data", model[1], "--part", "validation", "--series", "2"]
    assert main(["wavelets", *words, "--remove", "kernels", "--out", str(out)]) == 0
    assert "measured on 2 validation series" in capsys.readouterr().out
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert all((row["removed: accuracy"] == "") == (row["wavelet"] == "sum") for row in rows)


def test_a_shipped_model_without_a_recorded_way(capsys: pytest.CaptureFixture[str]) -> None:
    if open_model("italypowerdemand").wavelet_path is not None:
        pytest.skip("its way was recorded")
    assert main(["wavelets", "--model", "italypowerdemand"]) == 0
    told = capsys.readouterr().out
    assert "the way between was not recorded" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "x.pkl"], "neither .csv nor .json"),
        (["--remove", "parts", "--out", "x.csv"], "no rows for parts"),
        (["--remove", "parts", "--series", "0"], "at least 1"),
        (["--remove", "parts", "--data", "GunPoint"], "channels"),
    ],
)
def test_what_cannot_be_is_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wavelets", "--model", "basicmotions", *words]) == 2
    assert told in capsys.readouterr().err
    assert not Path(words[-1]).exists()


def test_a_model_without_wavelets_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "--data", kept_small_set(), "--out", str(tmp_path / "run"), "--quiet", *TINY]
    assert main([*words, "--set", "positional_encoding=none"]) == 0
    assert main(["wavelets", "--model", str(tmp_path / "run")]) == 2
    assert "no wavelets" in capsys.readouterr().err
