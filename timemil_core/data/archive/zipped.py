"""A set as one zip file: at timeseriesclassification.com, or at a mirror of one's own."""

from __future__ import annotations

import os
import zipfile
import zlib
from pathlib import Path

from timemil_core.data.archive.folders import file_names
from timemil_core.data.archive.transfer import CHUNK, Progress, TransferError, check_room, save
from timemil_core.data.limits import limits

ARCHIVE = "https://timeseriesclassification.com/aeon-toolkit"
MIRROR_VARIABLE = "TIMEMIL_MIRROR"


def mirror() -> str | None:
    """Return the address under which ``NAME.zip`` lie instead of the archive's: ``$TIMEMIL_MIRROR``."""
    return os.environ.get(MIRROR_VARIABLE, "").rstrip("/") or None


def from_zip(address: str, name: str, beside: Path, progress: Progress) -> None:
    """Put both ``.ts`` files out of ``address/NAME.zip`` into ``beside``.

    Only these two members are unpacked, each into a file that we name: whatever else the archive holds, and wherever
    its names point, is passed by.

    Raises
    ------
    TransferError
        Where the archive cannot be had, is damaged, lacks a file, or unpacks to more than is allowed.
    """
    packed = beside / "set.zip"
    progress.begin(f"loading {name}.zip", None)
    save(f"{address}/{name}.zip", packed, progress, most_bytes=limits().archive_bytes)
    try:
        with zipfile.ZipFile(packed) as archive:
            members = [_member(archive, name, file) for file in file_names(name)]
            total = sum(member.file_size for member in members)
            _check_sizes(members, total, name, beside)
            progress.begin("unpacking", total)
            for member, file in zip(members, file_names(name), strict=True):
                _unpack(archive, member, beside / file, progress)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise TransferError(f"{name}.zip is not a whole zip file") from error
    packed.unlink()


def _member(archive: zipfile.ZipFile, name: str, file: str) -> zipfile.ZipInfo:
    for member in archive.infolist():
        if member.filename in (file, f"{name}/{file}"):
            return member
    raise TransferError(f"the zip file holds no {file}")


def _check_sizes(members: list[zipfile.ZipInfo], total: int, name: str, beside: Path) -> None:
    caps = limits()
    check_room(total, beside, caps.archive_bytes, f"{name}, unpacked,")
    if any(member.file_size > caps.archive_ratio * max(member.compress_size, 1) for member in members):
        raise TransferError(f"{name}.zip unpacks to more than {caps.archive_ratio} times its size: a zip bomb")


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, progress: Progress) -> None:
    with archive.open(member) as source, target.open("wb") as file:
        while chunk := source.read(CHUNK):
            file.write(chunk)
            progress.advance(len(chunk))
