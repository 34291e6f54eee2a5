"""Uploaded files on disk: Streamlit would hold them in memory as long as the session lasts.

They lie under names of our own in a temporary folder that goes when the session does.
"""

from __future__ import annotations

import io
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from timemil_core.data.files.source import Source, plain_name
from timemil_core.errors import DataError

PIECE = 1 << 18  # bytes read between two looks at whether the file is still wanted
ENDING = re.compile(r"\.[a-z0-9]{1,8}")
Folder = tempfile.TemporaryDirectory[str]
Looked = Callable[[int, int], None]
"""Told (position, size in bytes) while a file is read; raises where it is no longer wanted."""

_watching = threading.local()


class Uploaded(Protocol):
    """What is kept of an uploaded file."""

    @property
    def name(self) -> str:
        """As its user knows it."""

    def getbuffer(self) -> memoryview:
        """Return its content."""


@dataclass(frozen=True, eq=False)
class KeptFiles:
    """Files that belong together; each is on disk as long as its source lives.

    Attributes
    ----------
    sources
        What readers are given.
    token
        Names these files and no others, in this server.
    """

    sources: tuple[Source, ...]
    token: str

    @property
    def size(self) -> int:
        """In bytes, of all files."""
        return sum(source.size for source in self.sources)

    @property
    def title(self) -> str:
        """The name of the one file, or how many there are."""
        return self.sources[0].name if len(self.sources) == 1 else f"{len(self.sources):,} files"


def keep(files: Sequence[Uploaded], before: KeptFiles | None = None) -> KeptFiles:
    """Write files to disk, beside those that were kept before.

    Raises
    ------
    DataError
        Where there is no room for them.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="timemil-upload-", ignore_cleanup_errors=True)
        sources = [_written(file, folder, number) for number, file in enumerate(files)]
    except OSError as error:
        raise DataError(f"The files could not be kept ({error.strerror}).", remedy="Make room on the disk.") from error
    return KeptFiles((*(before.sources if before else ()), *sources), Path(folder.name).name)


@contextmanager
def watched(looked: Looked) -> Iterator[None]:
    """Have whatever this thread reads of kept files told to ``looked``."""
    _watching.looked = looked
    try:
        yield
    finally:
        del _watching.looked


def _written(file: Uploaded, folder: Folder, number: int) -> Source:
    ending = Path(file.name).suffix.lower()
    path = Path(folder.name) / f"{number}{ending if ENDING.fullmatch(ending) else ''}"
    with path.open("wb") as target:
        size = target.write(file.getbuffer())
    return Source(plain_name(file.name), size, partial(_opened, path, size, folder), path)


def _opened(path: Path, size: int, _folder: Folder) -> BinaryIO:
    """Open a file; the folder is given to be held: it goes when nobody holds it."""
    return io.BufferedReader(_Watched(path, size), PIECE)


class _Watched(io.RawIOBase):
    """A file on disk that tells how far it is read."""

    def __init__(self, path: Path, size: int) -> None:
        super().__init__()
        self._file = path.open("rb", buffering=0)
        self._size = size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: bytearray | memoryview) -> int | None:  # type: ignore[override]
        looked: Looked | None = getattr(_watching, "looked", None)
        if looked is not None:
            looked(self._file.tell(), self._size)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
