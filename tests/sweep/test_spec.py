from pathlib import Path
from typing import Any

import pytest

from timemil_core.commands.registry import build_parser
from timemil_core.commands.train import _created
from timemil_core.errors import TimeMILError
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.spec import SweepSpec, read_toml

TOML = """
data = ["BasicMotions", "synthetic-pulse"]
seeds = [0, 1, 2]
[settings]
n_epochs = 5
pooling = ["mean", "time-aware"]
"""


def test_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(TOML)
    spec = read_toml(path)
    assert spec == SweepSpec(
        data=("BasicMotions", "synthetic-pulse"),
        settings={"n_epochs": (5,), "pooling": ("mean", "time-aware")},
        seeds=(0, 1, 2),
    )
    spec.check()
    assert spec.swept == ["pooling"]
    assert SweepSpec.from_json(spec.to_json()) == spec


def test_every_combination_is_a_cell_and_seeds_change_fastest() -> None:
    spec = SweepSpec(("A", "B"), {"pooling": ("mean", "max"), "n_epochs": (5,)}, (3, 4), ("default", "paper"))
    cells = spec.cells()
    assert len(cells) == len({cell.name for cell in cells}) == 2 * 2 * 2 * 2
    assert [(cell.data, cell.preset, cell.settings, cell.seed) for cell in cells[:3]] == [
        ("A", "default", {"pooling": "mean", "n_epochs": 5}, 3),
        ("A", "default", {"pooling": "mean", "n_epochs": 5}, 4),
        ("A", "default", {"pooling": "max", "n_epochs": 5}, 3),
    ]


def test_a_fingerprint_changes_with_what_is_asked_for_and_not_with_its_order() -> None:
    cell = Cell("A", "default", {"pooling": "mean", "n_epochs": 5}, 0)
    assert cell.fingerprint == Cell("A", "default", {"n_epochs": 5, "pooling": "mean"}, 0).fingerprint
    others = [
        Cell("B", "default", cell.settings, 0),
        Cell("A", "paper", cell.settings, 0),
        Cell("A", "default", {**cell.settings, "n_epochs": 6}, 0),
        Cell("A", "default", cell.settings, 1),
    ]
    assert len({cell.fingerprint, *(other.fingerprint for other in others)}) == 5


def test_a_name_stays_in_its_folder() -> None:
    name = Cell("../../etc/passwd " + "x" * 200, "default", {}, 0).name
    assert "/" not in name
    assert name.startswith("______etc_passwd_x")
    assert len(name) < 100


def test_the_train_command_of_a_cell_asks_for_its_settings(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "learning_rate": 1e-05,
        "with_supervised": False,
        "pooling": "max",
        "n_epochs": 3,
        "embedding_width": 16,
        "kernel_sizes": [3, 5, 9],
    }
    words = ["train", *Cell("BasicMotions", "paper", settings, 7).words, "--out", str(tmp_path / "run")]
    run = _created(build_parser().parse_args(words))
    assert run.data == "BasicMotions"
    assert run.config["preset"] == "paper"
    training = run.training
    assert (training.learning_rate, training.with_supervised, training.n_epochs, training.seed) == (1e-5, False, 3, 7)
    assert (run.model_config.pooling, run.model_config.embedding_width, run.model_config.head_size) == ("max", 16, 64)
    assert run.model_config.kernel_sizes == (3, 5, 9)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"data": ()}, "data is empty"),
        ({"seeds": ()}, "seeds is empty"),
        ({"seeds": (1, 1)}, "seeds names a value twice"),
        ({"settings": {"pooling": ("mean", "mean")}}, "pooling names a value twice"),
        ({"settings": {"depth": (1,)}}, "'depth' is no setting"),
        ({"settings": {"seed": (1,)}}, "'seed' is no setting"),
        ({"settings": {"n_epochs": (5, 0)}}, "n_epochs is 0"),
        ({"settings": {"pooling": ("mean", "median")}}, "pooling is 'median'"),
        ({"presets": ("ours",)}, "no preset 'ours'"),
        ({"seeds": (0, -1)}, "seed is -1"),
        ({"data": ("BasicMotions", "BasicMotion")}, "BasicMotions"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_trained(changes: dict[str, Any], told: str) -> None:
    spec = SweepSpec(**{"data": ("BasicMotions",), "settings": {}, **changes})
    with pytest.raises(TimeMILError, match=told):
        spec.check()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("data = [", "cannot be read as TOML"),
        ("seeds = [1]", "no data set"),
        ("data = 'A'\nepochs = 3", "unknown key epochs"),
        ("data = 'A'\nsettings = 3", "no table"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(text)
    with pytest.raises(TimeMILError, match=told) as caught:
        read_toml(path)
    assert caught.value.where == str(path)
