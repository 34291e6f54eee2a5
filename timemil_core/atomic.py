"""Write beside, then rename: a reader sees the old file or the new one, never half of one, after a power loss too.

What is read is only ever a regular file: a pipe or a device under a file's name would hold the reader for ever.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from timemil_core.errors import StorageError

LARGEST_JSON = 256 * 2**20  # bytes
SECONDS_UNTIL_LEFT_OVER = 3600.0  # what nobody has renamed by then has no writer any more
_BESIDE = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{8}(?P<old>\.old)?")
_OS_ERROR = re.compile(r"\(os error (\d+)\)")  # how safetensors tells one
_REASONS = {
    errno.ENOSPC: ("there is no room left on the disk.", "Make room, then do it again."),
    errno.EDQUOT: ("there is no room left: the user's share of the disk is full.", "Make room, then do it again."),
    errno.EFBIG: ("the file is larger than this disk allows.", "Store it on another disk."),
    errno.EROFS: ("the disk can only be read.", "Make it writable, or store it on another one."),
    errno.EACCES: ("this program may not write here.", "Give it the right to, or store it elsewhere."),
    errno.EPERM: ("this program may not write here.", "Give it the right to, or store it elsewhere."),
}


@contextmanager
def storing(target: Path) -> Iterator[None]:
    """Tell in words where what is written within cannot be stored: no room, a disk that can only be read, no right.

    Raises
    ------
    StorageError
        Where it is so.
    """
    try:
        yield
    except (OSError, SafetensorError) as error:
        reason = _REASONS.get(_number(error) or 0)
        if reason is None or not _concerns(error, target):
            raise
        raise StorageError(reason[0], where=str(target), remedy=reason[1]) from error


@contextmanager
def replacing_file(target: Path, *, lasting: bool = True) -> Iterator[Path]:
    """Yield a path beside ``target`` to write to; on success it takes ``target``'s place, else it is removed.

    Without ``lasting`` a power loss may bring back the file before, whole.

    Raises
    ------
    StorageError
        Where there is no room, or no right to write.
    """
    with storing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = _beside(target)
        try:
            yield beside
            _settle(beside)
            beside.replace(target)
            if lasting:
                _settle(target.parent)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """Yield a new folder beside ``target`` to fill; on success it takes ``target``'s place, else it is removed.

    Raises
    ------
    StorageError
        Where there is no room, or no right to write.
    """
    with storing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        clean(target.parent, older_than=SECONDS_UNTIL_LEFT_OVER)
        beside = _beside(target)
        beside.mkdir()
        try:
            yield beside
            for path in (*beside.rglob("*"), beside):
                _settle(path)
            if target.exists():
                old = beside.with_name(f"{beside.name}.old")
                os.utime(target)  # for ``clean``: its writer lives
                target.replace(old)
                beside.replace(target)
                shutil.rmtree(old)
            else:
                beside.replace(target)
            _settle(target.parent)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def clean(folder: Path, *, older_than: float = 0.0, but_for: Container[str] = ()) -> None:
    """Remove what writers left in ``folder`` that were killed.

    A folder that was being replaced, and that is gone because its writer was killed between two renames, comes back.

    Parameters
    ----------
    older_than
        Seconds since it was last written to: a younger one may have a living writer.
    but_for
        Names whose writers may live.
    """
    now = time.time()
    found = [(path, match) for path in folder.iterdir() if (match := _BESIDE.fullmatch(path.name))]
    for path, match in sorted(found, key=lambda one: one[1]["old"] is None):
        with suppress(FileNotFoundError):  # another cleans, too
            if match["name"] in but_for or now - path.lstat().st_mtime < older_than:
                continue
            if match["old"] and not (folder / match["name"]).exists():
                path.replace(folder / match["name"])
            elif path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def set_aside(path: Path) -> None:
    """Rename what is damaged, so that a whole one can take its place and nothing is thrown away."""
    with storing(path):
        path.replace(path.with_name(f"{path.name}.damaged-{secrets.token_hex(2)}"))


def append(target: Path, content: bytes, *, lasting: bool = True) -> None:
    """Append to a file in one write.

    Raises
    ------
    StorageError
        Where there is no room, or no right to write.
    OSError
        Where something else than a file has this name.
    """
    with storing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() or target.is_symlink():
            check_regular(target)
        with target.open("ab") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())


def write_bytes(target: Path, content: bytes) -> None:
    """Write a file in one step. Raises as ``replacing_file`` does."""
    with replacing_file(target) as beside:
        beside.write_bytes(content)


def write_json(target: Path, content: Any, *, lasting: bool = True) -> None:
    """Write ``content`` as JSON (keys in the order given, numbers exact) in one step; raises as ``replacing_file``."""
    with replacing_file(target, lasting=lasting) as beside:
        beside.write_text(json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False) + "\n", "utf-8")


def check_regular(source: Path) -> None:
    """Refuse what is no file of its own: a pipe, a device, a folder, a link to elsewhere.

    Raises
    ------
    OSError
        Where it is none, or absent.
    """
    if not stat.S_ISREG(source.lstat().st_mode):
        raise OSError(errno.EINVAL, "this is no regular file", str(source))


def read_bytes(source: Path, largest: int = LARGEST_JSON) -> bytes:
    """Read a regular file of at most ``largest`` bytes.

    Raises
    ------
    OSError
        Where it is absent, larger, or no regular file.
    """
    check_regular(source)
    # between that look and this a pipe may have taken its place: it is opened without waiting for its other end
    handle = os.open(source, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:  # noqa: PTH123 - a descriptor, not a path
        if (size := os.fstat(file.fileno()).st_size) > largest:
            raise OSError(errno.EINVAL, f"{size:,} bytes are more than can be read ({largest:,})", str(source))
        return file.read()


def read_json(source: Path) -> Any:
    """Read a JSON file.

    Raises
    ------
    OSError, json.JSONDecodeError, UnicodeDecodeError
        Where the file is absent or no regular file, or is not JSON, or holds what JSON cannot (NaN, half a surrogate
        pair) or nobody writes (lists in lists, a thousand deep).
    """
    return parse_json(read_bytes(source).decode("utf-8"))


def parse_json(text: str) -> Any:
    """Read JSON text; raises ``json.JSONDecodeError`` as ``read_json`` does."""
    try:
        content = json.loads(text, parse_constant=_refuse_constant)
        if "\\u" in text:
            json.dumps(content, ensure_ascii=False).encode()
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise json.JSONDecodeError("it is nested too deep", "", 0) from error
    except UnicodeEncodeError as error:
        raise json.JSONDecodeError("it holds half of a surrogate pair, which is no text", "", 0) from error
    except ValueError as error:  # a constant, or a number of thousands of digits
        raise json.JSONDecodeError(str(error), "", 0) from error
    return content


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}")


def _settle(path: Path) -> None:
    """Have the disk hold what was written, so that a rename after it never comes first."""
    if path.is_dir() and os.name != "posix":  # elsewhere folders cannot be opened
        return
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems know no such thing
            raise
    finally:
        os.close(handle)


def _number(error: OSError | SafetensorError) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    told = _OS_ERROR.search(str(error))
    return int(told[1]) if told else None


def _concerns(error: OSError | SafetensorError, target: Path) -> bool:
    # a file elsewhere, which was read meanwhile, may be forbidden too: that is another sentence's business
    name = getattr(error, "filename", None)
    return not isinstance(name, str) or Path(name) == target or target.parent in Path(name).parents
