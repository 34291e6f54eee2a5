"""Files inside a zip or gzip archive, unpacked as they are read and never onto the disk under their own names."""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import BinaryIO, Protocol

from timemil_core.data.files.source import CHUNK, Source, is_junk, natural_key, plain_name
from timemil_core.data.limits import limits, refuse_beyond
from timemil_core.data.report_line import ReportLine, warning
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
GZIP = b"\x1f\x8b"
TAIL = 66_000  # bytes: the end record and the longest comment behind it
HARMLESS = 100_000_000  # bytes; what unpacks to less is no bomb
ENTRY = 1_000  # bytes of the directory that an entry may take
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    IndexError,
    struct.error,
    OverflowError,
    KeyError,
)


def unzipped(source: Source) -> tuple[list[Source], list[ReportLine]]:
    """Return the files in a zip archive in natural order, and what was left out of it.

    Raises
    ------
    DataError
        Where it is damaged or locked, or would unpack to more than may be read.
    """
    _refuse_large_directory(source)
    with _readable(source):
        archive = zipfile.ZipFile(source.open_seekable())
        entries = [one for one in archive.infolist() if not one.is_dir() and not is_junk(plain_name(one.filename))]
    refuse_beyond("files", len(entries), source.name, of="The archive")
    _refuse_bomb(source, sum(entry.file_size for entry in entries))
    if any(entry.flag_bits & 1 for entry in entries):
        raise DataError("The archive is locked with a password.", where=source.name, remedy="Unlock it first.")
    links = [entry.filename for entry in entries if stat.S_ISLNK(entry.external_attr >> 16)]
    climbing = [entry.filename for entry in entries if leaves_its_folder(entry.filename)]
    files = [
        Source(plain_name(entry.filename), entry.file_size, partial(_open, partial(archive.open, entry), source.name))
        for entry in sorted(entries, key=lambda entry: natural_key(entry.filename))
        if not stat.S_ISLNK(entry.external_attr >> 16)
    ]
    return files, list(_told(source, links, climbing))


def leaves_its_folder(name: str) -> bool:
    """Tell whether a path inside an archive is absolute or steps upwards."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or parts[0].endswith(":")


def _told(source: Source, links: list[str], climbing: list[str]) -> Iterator[ReportLine]:
    if links:
        yield warning(
            f"Links in the archive are left out: {listed(links)}.",
            where=source.name,
            remedy="Put the files themselves into it.",
        )
    if climbing:
        yield warning(
            f"Names in the archive lead out of its folder: {listed(climbing)}. The files were read as if they lay in "
            "it, and written nowhere.",
            where=source.name,
            remedy="Do not unpack this archive by hand.",
        )


def ungzipped(source: Source) -> Source:
    """Return the one file that is packed by gzip.

    Raises
    ------
    DataError
        Where it is damaged, or would unpack to more than may be read.
    """
    opener = partial(_open, lambda: gzip.GzipFile(fileobj=source.open()), source.name)
    size = 0
    with opener() as file:
        while piece := file.read(CHUNK):
            size += len(piece)
            _refuse_bomb(source, size)
    name = source.name.removesuffix(".gz").removesuffix(".GZ")
    return Source(name, size, opener)


def _refuse_bomb(source: Source, unpacked: int) -> None:
    refuse_beyond("archive_bytes", unpacked, source.name, of="Unpacked, the archive")
    most = limits().archive_ratio
    if unpacked > HARMLESS and unpacked > most * source.size:
        raise DataError(
            f"The archive unpacks to more than {most} times its size ({unpacked / 1e6:,.0f} MB): a sign of a zip bomb.",
            where=source.name,
            remedy="Unpack it by hand if you trust it. TIMEMIL_MAX_ARCHIVE_RATIO changes the limit.",
        )


def _refuse_large_directory(source: Source) -> None:
    """Refuse an archive whose list of files is too long to be read, before it is."""
    with source.open_seekable() as file:
        file.seek(max(0, source.size - TAIL))
        tail = file.read(TAIL)
    end, end_64 = tail.rfind(EMPTY_ZIP), tail.rfind(b"PK\x06\x06")
    sizes = []
    if end >= 0 and len(tail) >= end + 16:
        sizes.append(int.from_bytes(tail[end + 12 : end + 16], "little"))
    if end_64 >= 0 and len(tail) >= end_64 + 48:
        sizes = [int.from_bytes(tail[end_64 + 40 : end_64 + 48], "little")]
    if sizes and sizes[0] > limits().files * ENTRY:
        raise DataError(
            f"The archive lists more files than the {limits().files:,} that are read.",
            where=source.name,
            remedy="Put fewer files into it.",
        )


@contextmanager
def _readable(source: Source) -> Iterator[None]:
    try:
        yield
    except DataError:
        raise
    except DAMAGE as error:
        raise DataError(
            f"The archive is damaged ({error}).", where=source.name, remedy="Pack it again, as a plain zip."
        ) from error


class Readable(Protocol):
    """What can be read and closed."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes."""

    def close(self) -> None:
        """Close it."""


class _Unpacking(io.RawIOBase):
    """A file inside an archive, whose damage is told as ours."""

    def __init__(self, file: Readable, archive: str) -> None:
        super().__init__()
        self._file, self._archive = file, archive

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            piece = self._file.read(len(buffer))
        except DataError:
            raise
        except DAMAGE as error:
            raise DataError(
                f"The archive is damaged ({error}).", where=self._archive, remedy="Pack it again, as a plain zip."
            ) from error
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._file.close()
        super().close()


def _open(opener: Callable[[], Readable], archive: str) -> BinaryIO:
    try:
        return io.BufferedReader(_Unpacking(opener(), archive), CHUNK)
    except DataError:
        raise
    except DAMAGE as error:
        raise DataError(
            f"The archive is damaged ({error}).", where=archive, remedy="Pack it again, as a plain zip."
        ) from error
