"""Files inside archives (zip, tar) and behind gzip, bzip2 and xz, read as they are unpacked and never written onto the
disk under their own names.
"""

from __future__ import annotations

import bz2
import gzip
import io
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import BinaryIO

from timemil_core.data.files.source import CHUNK, Source, is_junk, natural_key, plain_name
from timemil_core.data.files.streams import Readable, Shared, Slice, XzFile, refusing_damage, unpacking
from timemil_core.data.limits import limits, refuse_beyond
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.wording import counted, listed
from timemil_core.errors import DataError

ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
HEAD = 512  # bytes by which an archive is recognised: a tar's first header
TAIL = 66_000  # bytes: the end record and the longest comment behind it
HARMLESS = 100_000_000  # bytes; what unpacks to less is no bomb
ENTRY = 1_000  # bytes of the directory that an entry may take
LONGEST_HEADER = 1 << 20  # bytes of a tar's extended header: names, not data


def opened(source: Source) -> tuple[list[Source], list[ReportLine]] | None:
    """Return the files of an archive in natural order and what to tell of them; None where the file is none.

    What is compressed alone (``a.csv.gz``) is the one file in it. An archive inside an archive stays closed.

    Raises
    ------
    DataError
        Where it is damaged or locked, or would unpack to more than may be read.
    """
    head = source.head(HEAD)
    if head.startswith((ZIP, EMPTY_ZIP)):
        files, lines = unzipped(source)
    elif is_tar(head):
        files, lines = _untarred(source, source.open_seekable)
    elif (unpack := next((unpack for mark, unpack in COMPRESSED.items() if head.startswith(mark)), None)) is not None:
        inside = _uncompressed(source, unpack)
        if not is_tar(inside.head(HEAD)):
            return [inside], []
        files, lines = _untarred(source, _laid_out(inside))
    else:
        return None
    return files, [note(f"The archive {source.name!r} holds {counted(len(files), 'file')}."), *lines]


def unzipped(source: Source) -> tuple[list[Source], list[ReportLine]]:
    """Return the files in a zip archive in natural order, and what was left out of it.

    Raises
    ------
    DataError
        Where it is damaged or locked, or would unpack to more than may be read.
    """
    _refuse_large_directory(source)
    with refusing_damage(source.name):
        archive = zipfile.ZipFile(source.open_seekable())
        entries = [one for one in archive.infolist() if not one.is_dir() and not is_junk(plain_name(one.filename))]
    refuse_beyond("files", len(entries), source.name, of="The archive")
    refuse_bomb(source, sum(entry.file_size for entry in entries))
    if any(entry.flag_bits & 1 for entry in entries):
        raise DataError("The archive is locked with a password.", where=source.name, remedy="Unlock it first.")
    links = [entry.filename for entry in entries if stat.S_ISLNK(entry.external_attr >> 16)]
    files = [
        Source(
            plain_name(entry.filename), entry.file_size, partial(unpacking, partial(archive.open, entry), source.name)
        )
        for entry in entries
        if not stat.S_ISLNK(entry.external_attr >> 16)
    ]
    return _sorted(files), _told(source, links, [entry.filename for entry in entries])


def is_tar(head: bytes) -> bool:
    """Tell whether a file's first block is a tar's header: its sum is right."""
    try:
        return len(head) >= tarfile.BLOCKSIZE and bool(
            tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
        )
    except (tarfile.TarError, ValueError):
        return False


class _Member(tarfile.TarInfo):
    """A tar's member, whose extended headers are of a size that names can have."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if not self.isreg() and self.size > LONGEST_HEADER:
            raise tarfile.ReadError("a header of more than a megabyte")
        return super()._proc_member(archive)  # type: ignore[misc]


def _untarred(source: Source, opener: Callable[[], BinaryIO]) -> tuple[list[Source], list[ReportLine]]:
    """Return the files of a tar that ``opener`` opens so that one can jump in it; see ``unzipped``."""
    members: list[tarfile.TarInfo] = []
    with refusing_damage(source.name), opener() as file:
        end = file.seek(0, io.SEEK_END)
        file.seek(0)
        with tarfile.TarFile(fileobj=file, tarinfo=_Member, errors="replace") as archive:
            for member in archive:
                if not member.isdir() and not is_junk(plain_name(member.name)):
                    members.append(member)
                refuse_beyond("files", len(members), source.name, of="The archive")
                archive.members = []  # type: ignore[attr-defined]  # it would keep all of them, folders too
        if any(member.isreg() and member.offset_data + member.size > end for member in members):
            raise tarfile.ReadError("it is cut off")
    regular = [member for member in members if member.isreg() and not member.issparse()]
    files = [
        Source(plain_name(one.name), one.size, partial(_slice, opener, one.offset_data, one.size, source.name))
        for one in regular
    ]
    others = [member.name for member in members if not member.isreg() or member.issparse()]
    return _sorted(files), _told(source, others, [member.name for member in members])


def _slice(opener: Callable[[], BinaryIO], start: int, size: int, archive: str) -> BinaryIO:
    return io.BufferedReader(Slice(opener(), start, size, archive), CHUNK)


def _laid_out(inside: Source) -> Callable[[], BinaryIO]:
    """Unpack a compressed tar once into a file without a name, so that its members can be read in any order."""
    target = tempfile.TemporaryFile(prefix="timemil-")  # noqa: SIM115  it lives as long as the members' sources
    try:
        for piece in inside.chunks():
            target.write(piece)
    except OSError as error:
        raise DataError(f"The archive cannot be unpacked ({error.strerror}).", where=inside.name) from error
    lock = Lock()
    return lambda: io.BufferedReader(Shared(target, lock, inside.size), CHUNK)


def leaves_its_folder(name: str) -> bool:
    """Tell whether a path inside an archive is absolute or steps upwards."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or parts[0].endswith(":")


def _sorted(files: Sequence[Source]) -> list[Source]:
    return sorted(files, key=lambda one: natural_key(one.name))


def _told(source: Source, links: list[str], names: Sequence[str]) -> list[ReportLine]:
    lines = []
    if links:
        lines.append(
            warning(
                f"Links in the archive, and what else is no file, are left out: {listed(links)}.",
                where=source.name,
                remedy="Put the files themselves into it.",
            )
        )
    if climbing := [name for name in names if leaves_its_folder(name)]:
        lines.append(
            warning(
                f"Names in the archive lead out of its folder: {listed(climbing)}. The files were read as if they lay "
                "in it, and written nowhere.",
                where=source.name,
                remedy="Do not unpack this archive by hand.",
            )
        )
    return lines


def _uncompressed(source: Source, unpack: Callable[[BinaryIO], Readable]) -> Source:
    """Return the one file that is compressed; it is gone through once for its size."""
    opener = partial(unpacking, lambda: unpack(source.open()), source.name)
    size = 0
    with opener() as file:
        while piece := file.read(CHUNK):
            size += len(piece)
            refuse_bomb(source, size)
    name = source.name
    for ending, of_tar in (("gz", "tgz"), ("bz2", "tbz2"), ("xz", "txz")):
        if source.suffix in (f".{ending}", f".{of_tar}"):
            name = name[: -len(source.suffix)] + (".tar" if source.suffix == f".{of_tar}" else "")
    return Source(plain_name(name), size, opener)


def refuse_bomb(source: Source, unpacked: int) -> None:
    """Refuse what unpacks to more bytes than may be read, or to far more than its size."""
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


COMPRESSED: dict[bytes, Callable[[BinaryIO], Readable]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": XzFile,
}
