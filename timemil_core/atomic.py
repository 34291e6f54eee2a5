"""Write beside, then rename: a reader sees the old file or the new one, never half of one."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing_file(target: Path) -> Iterator[Path]:
    """Yield a path beside ``target`` to write to; on success it takes ``target``'s place, else it is removed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        yield beside
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """Yield a new folder beside ``target`` to fill; on success it takes ``target``'s place, else it is removed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    beside.mkdir()
    try:
        yield beside
        if target.exists():
            old = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
            target.replace(old)
            beside.replace(target)
            shutil.rmtree(old)
        else:
            beside.replace(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def write_bytes(target: Path, content: bytes) -> None:
    """Write a file in one step."""
    with replacing_file(target) as beside:
        beside.write_bytes(content)


def write_json(target: Path, content: Any) -> None:
    """Write ``content`` as JSON (keys in the order given, numbers exact) in one step."""
    with replacing_file(target) as beside:
        beside.write_text(json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False) + "\n", "utf-8")


def read_json(source: Path) -> Any:
    """Read a JSON file.

    Raises
    ------
    OSError, json.JSONDecodeError
        Where the file is absent or is not JSON.
    """
    return json.loads(source.read_text("utf-8"))
