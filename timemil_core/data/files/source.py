"""A file to be read: on disk, uploaded, or inside an archive; readers do not care which."""

from __future__ import annotations

import io
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from timemil_core.data.limits import refuse_beyond
from timemil_core.errors import DataError

CHUNK = 1 << 20
DIGITS = re.compile(r"(\d{1,18})")  # longer ones are no numbers to Python
JUNK_FOLDERS = {"__MACOSX", "__pycache__"}
JUNK_FILES = {"thumbs.db", "desktop.ini"}


@dataclass(frozen=True, eq=False)
class Source:
    """One file.

    Attributes
    ----------
    name
        As its user knows it, with ``/`` between folders. It is shown, and never used as a path.
    size
        In bytes.
    opener
        Opens it from the start.
    path
        Where it lies on disk; None where it does not.
    """

    name: str
    size: int
    opener: Callable[[], BinaryIO] = field(repr=False)
    path: Path | None = None

    @property
    def stem(self) -> str:
        """The name without folders and the last ending: a series' name."""
        return PurePosixPath(self.name).stem or self.name

    @property
    def suffix(self) -> str:
        """The last ending, in lower case."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the name, outermost first."""
        return PurePosixPath(self.name).parts[:-1]

    def open(self) -> BinaryIO:
        """Open it from the start.

        Raises
        ------
        DataError
            Where it can no longer be opened.
        """
        try:
            return self.opener()
        except OSError as error:
            raise DataError(f"The file cannot be opened ({error.strerror or error}).", where=self.name) from error

    def open_seekable(self) -> BinaryIO:
        """Open it from the start so that one can jump in it; inside an archive that takes its size in memory."""
        file = self.open()
        if file.seekable():
            return file
        file.close()
        return io.BytesIO(self.read())

    def head(self, n_bytes: int = CHUNK) -> bytes:
        """Return the first bytes."""
        with self.open() as file:
            return file.read(n_bytes)

    def chunks(self) -> Iterator[bytes]:
        """Yield the content, a megabyte at a time."""
        with self.open() as file:
            while piece := file.read(CHUNK):
                yield piece

    def read(self) -> bytes:
        """Return the whole content, of an allowed size.

        Raises
        ------
        DataError
            Where the file is larger than may be read.
        """
        self.refuse_large()
        with self.open() as file:
            return file.read()

    def refuse_large(self) -> None:
        """Refuse a file of more bytes than may be read."""
        refuse_beyond("bytes", self.size, self.name)


def from_bytes(name: str, content: bytes) -> Source:
    """Return a file that is held in memory, as uploads are."""
    return Source(plain_name(name), len(content), lambda: io.BytesIO(content))


def from_path(path: Path, name: str = "") -> Source:
    """Return a file on disk.

    Raises
    ------
    DataError
        Where it is not there, or is no regular file.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise DataError("there is no such file.", where=str(path)) from error
    if not path.is_file():
        raise DataError("this is not a file.", where=str(path), remedy="Give a file, or a folder of files.")
    return Source(plain_name(name or path.name), status.st_size, lambda: path.open("rb"), path)


def from_paths(paths: Sequence[Path]) -> list[Source]:
    """Return files and, for folders, all files in them in natural order; links are not followed.

    Raises
    ------
    DataError
        Where a path leads nowhere, or there are no files or too many.
    """
    found: list[Source] = []
    for path in paths:
        if path.is_dir():
            found.extend(_walk(path))
        else:
            found.append(from_path(path))
    if not found:
        raise DataError("There is no file here.", where=", ".join(map(str, paths)))
    return found


def _walk(folder: Path) -> Iterator[Source]:
    names: list[str] = []
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if not is_junk(name)]
        inside = Path(parent)
        names.extend((inside / one).relative_to(folder.parent).as_posix() for one in files if not is_junk(one))
        refuse_beyond("files", len(names), str(folder), of="The folder", remedy="Give fewer files at a time")
    for name in sorted(names, key=natural_key):
        path = folder.parent / name
        if not path.is_symlink():
            yield from_path(path, name)


def is_junk(name: str) -> bool:
    """Tell whether a path holds what systems leave behind, or is hidden."""
    return any(
        part.startswith(".") or part in JUNK_FOLDERS or part.lower() in JUNK_FILES for part in PurePosixPath(name).parts
    )


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sort ``x_2`` before ``x_10``."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in DIGITS.split(name) if part]


def plain_name(name: str) -> str:
    """Return a name with ``/`` between folders, without drive, root and steps upwards: for showing, never a path."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts[1:] if len(parts) > 1 and re.fullmatch(r"[A-Za-z]:", parts[0]) else parts) or "file"


@contextmanager
def on_disk(sources: dict[str, Source]) -> Iterator[Path]:
    """Yield a temporary folder that holds the content of sources under names of our own, for libraries that need it.

    Raises
    ------
    DataError
        Where one is larger than may be read, or the folder cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="timemil-") as name:
        folder = Path(name)
        for own_name, source in sources.items():
            source.refuse_large()
            try:
                with (folder / own_name).open("wb") as target:
                    for piece in source.chunks():
                        target.write(piece)
            except OSError as error:
                raise DataError(f"The file cannot be unpacked ({error.strerror}).", where=source.name) from error
        yield folder


def first_word(head: bytes, comment: bytes) -> str:
    """Return the first word of a text's first line that is neither blank nor a comment, in lower case."""
    for line in head.removeprefix(b"\xef\xbb\xbf").splitlines():
        words = line.split(maxsplit=1)
        if words and not words[0].startswith(comment):
            return words[0].decode("latin-1").lower()
    return ""
