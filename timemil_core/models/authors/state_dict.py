"""Read a file of ``torch.save(network.state_dict(), …)`` as what it may be: somebody else's, and hostile.

Nothing in it is run. ``torch.load`` is asked for weights only; before that the archive's sizes are bounded, and its
pickle is read as text for the names that it asks for, since even harmless ones can ask for a lot of memory.
"""

from __future__ import annotations

import io
import pickletools
import zipfile
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from timemil_core.errors import ModelError

MOST_BYTES = 64 * 2**20  # a checkpoint of theirs has 3 MB
MOST_PICKLE_BYTES = 2**20  # names and shapes, about 20 kB
NEEDED = frozenset(
    {"collections OrderedDict", "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter"}
    | {f"torch {kind}Storage" for kind in ("Float", "Double", "Half", "BFloat16", "Long")}
)
REMEDY = "Give a file that their main.py wrote (best_model.pth), or torch.save(network.state_dict(), FILE)."


def read_state_dict(path: Path) -> dict[str, Tensor]:
    """Return a state dict's tensors, on the CPU.

    Raises
    ------
    ModelError
        Where the file is absent, too large, no archive of ``torch.save``, damaged, asks for anything but tensors, or
        holds something else than named, dense, finite tensors.
    """
    content = _content(path)
    _check_archive(content, path)
    try:
        loaded = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except Exception as error:  # a made-up file can make torch raise anything
        raise _refusal(f"torch cannot read it ({_first_line(error)}).", path) from error
    if not isinstance(loaded, dict) or not loaded:
        raise _refusal(f"it holds a {type(loaded).__name__}, not a state dict.", path)
    for name, tensor in loaded.items():
        _check_entry(name, tensor, path)
    if sum(tensor.numel() * tensor.element_size() for tensor in loaded.values()) > MOST_BYTES:
        raise _too_large(path)  # a shape can claim more than its storage holds
    return dict(loaded)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _refusal(f"the file cannot be opened ({error.strerror}).", path) from error
    if len(content) > MOST_BYTES:
        raise _too_large(path)
    return content


def _check_archive(content: bytes, path: Path) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            listed = archive.infolist()
            if sum(item.file_size for item in listed) > MOST_BYTES:
                raise _too_large(path)
            pickles = [item for item in listed if item.filename.endswith(".pkl")]
            if len(pickles) != 1 or pickles[0].file_size > MOST_PICKLE_BYTES:
                raise _refusal("it is no archive of one state dict.", path)
            asked = list(_names_asked_for(archive.read(pickles[0])))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError, EOFError) as error:
        if isinstance(error, ModelError):
            raise
        raise _refusal(f"it is no archive of torch.save ({_first_line(error)}).", path) from error
    if foreign := [name for name in asked if name not in NEEDED]:
        raise _refusal(
            f"it asks for {foreign[0].replace(' ', '.')[:80]}, which tensors do not need: a pickled object, not a "
            "state dict. Nothing of it was run.",
            path,
        )


def _names_asked_for(pickled: bytes) -> Iterator[str]:
    for operation, argument, _ in pickletools.genops(pickled):
        if operation.name in ("GLOBAL", "INST"):
            yield str(argument)
        elif operation.name in ("STACK_GLOBAL", "EXT1", "EXT2", "EXT4"):  # by other ways than a name that is written
            yield f"pickle {operation.name}"


def _check_entry(name: object, tensor: object, path: Path) -> None:
    if not isinstance(name, str) or not isinstance(tensor, Tensor):
        raise _refusal(f"its entry {str(name)[:80]!r} is no named tensor.", path)
    is_plain = tensor.layout == torch.strided and tensor.device.type == "cpu" and not tensor.is_quantized
    if not is_plain or not (tensor.is_floating_point() or tensor.dtype == torch.int64):
        raise _refusal(f"{name[:80]!r} is no dense tensor of numbers.", path)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120]


def _too_large(path: Path) -> ModelError:
    return _refusal(f"it is larger than {MOST_BYTES // 2**20} MB; a checkpoint of theirs has about 3.", path)


def _refusal(problem: str, path: Path) -> ModelError:
    return ModelError(problem, where=str(path), remedy=REMEDY)
