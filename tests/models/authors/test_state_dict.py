"""Files that somebody else made: nothing in them is run, and each is refused in one clear sentence."""

import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.models.authors.builders import checkpoint, state_dict
from timemil_core.errors import ModelError
from timemil_core.models.authors import state_dict as module
from timemil_core.models.authors.state_dict import read_state_dict


class Trap:
    """Leaves a trace where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, tuple[str, ...]]:
        return (Path(self.trace).touch, ())


def saved(content: object, **settings: Any) -> bytes:
    file = io.BytesIO()
    torch.save(content, file, **settings)
    return file.getvalue()


def rewritten(content: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """An archive with its records changed, or left out where None comes back."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w") as new:
        for item in old.infolist():
            record = change(item.filename, old.read(item))
            if record is not None:
                new.writestr(item.filename, record)
    return file.getvalue()


def with_pickle(pickled: bytes) -> bytes:
    """An archive of torch.save whose pickle is another one."""
    return rewritten(saved({"x": torch.ones(2)}), lambda name, record: pickled if name.endswith(".pkl") else record)


def deflated(n_bytes: int) -> bytes:
    """A small archive of a large record."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({}, protocol=2))
        archive.writestr("archive/data/0", bytes(n_bytes))
    return file.getvalue()


def test_what_their_main_script_wrote(tmp_path: Path) -> None:
    written = checkpoint(tmp_path / "best_model.pth")
    read = read_state_dict(tmp_path / "best_model.pth")
    assert read.keys() == written.keys()
    assert all(read[name].equal(tensor) for name, tensor in written.items())


def test_weights_of_a_gpu_and_in_half_precision(tmp_path: Path) -> None:
    content = {"a": torch.nn.Parameter(torch.ones(3).half()), "b": torch.ones(2).bfloat16(), "c": torch.tensor(1)}
    there = rewritten(saved(content), lambda _, record: record.replace(b"\x03\0\0\0cpu", b"\x06\0\0\0cuda:0"))
    assert there.count(b"cuda:0") >= 1
    (tmp_path / "x.pth").write_bytes(there)
    assert {name: tensor.tolist() for name, tensor in read_state_dict(tmp_path / "x.pth").items()} == {
        "a": [1, 1, 1],
        "b": [1, 1],
        "c": 1,
    }


HUGE = 10**15

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "no archive"),
    "text": (lambda: b"best model ever", "no archive"),
    "a truncated file": (lambda: saved(state_dict())[:5000], "no archive"),
    "an older format": (lambda: saved(state_dict(), _use_new_zipfile_serialization=False), "no archive"),
    "some other zip": (lambda: _other_zip(), "no archive of one state dict"),
    "a network": (lambda: saved(torch.nn.Linear(2, 2)), "torch.nn.modules.linear.Linear, which tensors do not need"),
    "a bomb": (lambda: deflated(module.MOST_BYTES + 1), "larger than 64 MB"),
    "much memory": (lambda: with_pickle(_call("builtins", "bytearray", HUGE)), "builtins.bytearray, which tensors"),
    "another protocol": (lambda: saved(state_dict(), pickle_protocol=4), "STACK_GLOBAL, which tensors"),
    "no pickle": (lambda: with_pickle(b"\xff\xff\xff"), "no archive of torch.save"),
    "a wrong pickle": (lambda: with_pickle(b"\x80\x020."), "torch cannot read it"),
    "an absent storage": (lambda: _without_storage(), "torch cannot read it"),
    "a list": (lambda: saved([torch.ones(2)]), "holds a list"),
    "a tensor": (lambda: saved(torch.ones(2)), "holds a Tensor"),
    "an empty dict": (lambda: saved({}), "not a state dict"),
    "a nested dict": (lambda: saved({"state_dict": {"x": torch.ones(2)}}), "'state_dict' is no named tensor"),
    "numbered tensors": (lambda: saved({0: torch.ones(2)}), "'0' is no named tensor"),
    "truth values": (lambda: saved({"x": torch.ones(2, dtype=torch.bool)}), "torch.BoolStorage, which tensors"),
    "a sparse tensor": (lambda: saved({"x": torch.eye(3).to_sparse()}), "which tensors do not need"),
    "a shape beyond its storage": (lambda: saved({"x": torch.ones(1).expand(HUGE)}), "larger than 64 MB"),
}


def _other_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("thesis.tex", "years of work")
    return file.getvalue()


def _call(place: str, name: str, argument: int) -> bytes:
    number = pickle.dumps(argument, protocol=2)[2:-1]
    return b"\x80\x02c" + place.encode() + b"\n" + name.encode() + b"\n" + number + b"\x85R."


def _without_storage() -> bytes:
    return rewritten(saved({"x": torch.ones(2)}), lambda name, record: None if "/data/" in name else record)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_is_no_state_dict(tmp_path: Path, kind: str) -> None:
    build, told = HOSTILE[kind]
    path = tmp_path / "best_model.pth"
    path.write_bytes(build())
    with pytest.raises(ModelError, match=told) as caught:
        read_state_dict(path)
    assert str(path) in str(caught.value)
    assert "best_model.pth" in caught.value.remedy
    assert "\n" not in str(caught.value)


def test_a_pickled_object_is_never_run(tmp_path: Path) -> None:
    trace = tmp_path / "unpickled"
    path = tmp_path / "best_model.pth"
    for content in (saved({"x": Trap(trace)}), pickle.dumps(Trap(trace)), with_pickle(pickle.dumps(Trap(trace), 2))):
        path.write_bytes(content)
        with pytest.raises(ModelError):
            read_state_dict(path)
    assert not trace.exists()
    torch.load(io.BytesIO(saved({"x": Trap(trace)})), weights_only=False)
    assert trace.exists()  # the trap works


def test_a_large_file_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.pth"
    with path.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(ModelError, match="larger than 64 MB"):
        read_state_dict(path)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.pth", tmp_path):
        with pytest.raises(ModelError, match="cannot be opened"):
            read_state_dict(path)
