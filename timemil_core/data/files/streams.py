"""Parts of archives as files: unpacked while they are read, and refused in words where they are damaged."""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import BinaryIO, Protocol

from timemil_core.data.files.source import CHUNK
from timemil_core.errors import DataError

MOST_MEMORY = 1 << 28  # bytes that xz may ask for


DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
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


class XzFile:
    """A stream of xz that asks for no more memory than it may."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = lzma.LZMADecompressor(memlimit=MOST_MEMORY)

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes."""
        while True:
            piece = b""
            if self._decoder.eof:  # another stream may stand behind, padded by zeros
                piece = (self._decoder.unused_data or self._file.read(CHUNK)).lstrip(b"\0")
                if not piece:
                    return b""
                self._decoder = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
            elif self._decoder.needs_input and not (piece := self._file.read(CHUNK)):
                raise EOFError("it is cut off")
            if found := self._decoder.decompress(piece, size):
                return found

    def close(self) -> None:
        """Close it."""
        self._file.close()


@contextmanager
def refusing_damage(archive: str) -> Iterator[None]:
    """Turn whatever a damaged archive raises into a DataError that names it."""
    try:
        yield
    except DataError:
        raise
    except DAMAGE as error:
        raise DataError(
            f"The archive is damaged ({error}).", where=archive, remedy="Pack it again, as a plain zip."
        ) from error


class Readable(Protocol):
    """What can be read and closed."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes."""

    def close(self) -> None:
        """Close it."""


class _Raw(io.RawIOBase):
    """What is read piece by piece."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._piece(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    @abstractmethod
    def _piece(self, size: int) -> bytes:
        """Return the next bytes, at most so many."""


class _Unpacking(_Raw):
    """A file inside an archive, whose damage is told as ours."""

    def __init__(self, file: Readable, archive: str) -> None:
        super().__init__()
        self._file, self._archive = file, archive

    def _piece(self, size: int) -> bytes:
        with refusing_damage(self._archive):
            return self._file.read(size)

    def close(self) -> None:
        """Close the archive behind it too."""
        self._file.close()
        super().close()


class _Jumping(_Raw):
    """What one can jump in, of a size that is known."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size, self._place = size, 0

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def _piece(self, size: int) -> bytes:
        piece = self._read_at(self._place, max(0, min(size, self._size - self._place)))
        self._place += len(piece)
        return piece

    @abstractmethod
    def _read_at(self, place: int, size: int) -> bytes:
        """Return so many bytes from a place."""


class Slice(_Jumping):
    """A stretch of a file."""

    def __init__(self, file: BinaryIO, start: int, size: int, archive: str) -> None:
        super().__init__(size)
        self._file, self._start, self._archive = file, start, archive

    def _read_at(self, place: int, size: int) -> bytes:
        with refusing_damage(self._archive):
            self._file.seek(self._start + place)
            return self._file.read(size)

    def close(self) -> None:
        """Close the archive behind it too."""
        self._file.close()
        super().close()


class Shared(_Jumping):
    """A file that several read at once, each at its own place; it stays open when one of them has done."""

    def __init__(self, file: BinaryIO, lock: Lock, size: int) -> None:
        super().__init__(size)
        self._file, self._lock = file, lock

    def _read_at(self, place: int, size: int) -> bytes:
        with self._lock:
            self._file.seek(place)
            return self._file.read(size)


def unpacking(opener: Callable[[], Readable], archive: str) -> BinaryIO:
    """Return what ``opener`` gives as a file that is unpacked while it is read, and refused where it is damaged."""
    with refusing_damage(archive):
        return io.BufferedReader(_Unpacking(opener(), archive), CHUNK)
