import json
from pathlib import Path

import pytest

from timemil_core.errors import RunError
from timemil_core.sweep.folder import SweepFolder, open_sweep
from timemil_core.sweep.spec import SweepSpec

SPEC = SweepSpec(("BasicMotions",), {"pooling": ("mean", "max")}, (0, 1))


def test_a_sweep_is_opened_again_as_it_was_asked_for(tmp_path: Path) -> None:
    open_sweep(tmp_path / "sweep", SPEC)
    assert open_sweep(tmp_path / "sweep", SPEC).spec() == SPEC
    assert open_sweep(tmp_path / "sweep", None).spec() == SPEC


def test_another_specification_is_refused_and_said_how_it_differs(tmp_path: Path) -> None:
    open_sweep(tmp_path / "sweep", SPEC)
    other = SweepSpec(SPEC.data, {"pooling": ("mean",)}, (0, 1, 2))
    with pytest.raises(RunError, match="a sweep of other settings and seeds"):
        open_sweep(tmp_path / "sweep", other)
    assert SweepFolder(tmp_path / "sweep").spec() == SPEC


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("1")
    with pytest.raises(RunError, match="not empty"):
        open_sweep(tmp_path, SPEC)
    with pytest.raises(RunError, match="no sweep here"):
        open_sweep(tmp_path, None)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": 1, "spec": 3}'])
def test_a_damaged_specification_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "sweep.json").write_text(text)
    with pytest.raises(RunError, match="cannot be read"):
        open_sweep(tmp_path, None)


def test_a_newer_format_is_told(tmp_path: Path) -> None:
    (tmp_path / "sweep.json").write_text(json.dumps({"format": 2, "spec": {}}))
    with pytest.raises(RunError, match="newer"):
        open_sweep(tmp_path, None)


def test_two_processes_do_not_run_one_sweep(tmp_path: Path) -> None:
    sweep = open_sweep(tmp_path / "sweep", SPEC)
    with sweep.alone(), pytest.raises(RunError, match="another process"), sweep.alone():
        raise AssertionError("both hold it")


def test_a_request_to_stop_left_by_a_dead_process_stops_nothing(tmp_path: Path) -> None:
    sweep = open_sweep(tmp_path / "sweep", SPEC)
    sweep.stop_file.touch()
    with sweep.alone():
        assert not sweep.stop_file.exists()
        sweep.stop_file.touch()
    assert not sweep.stop_file.exists()
