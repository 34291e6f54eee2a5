"""What a file of arrays holds: ``.npy`` and ``.npz`` of NumPy; nothing pickled, nothing larger than its file."""

from __future__ import annotations

import math
import struct
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from timemil_core.data.files.archives import unzipped
from timemil_core.data.files.source import Source
from timemil_core.data.formats.tables.names import role_of_name
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine
from timemil_core.errors import DataError

Array = np.ndarray[Any, np.dtype[Any]]
NPY = b"\x93NUMPY"
AGAIN = "Save it again with numpy.save or numpy.savez."
KINDS = "biufUS"
ROLES = {"label": "labels", "id": "ids", "group": "groups", "split": "split"}  # of a column: of an array
DAMAGE = (
    ValueError,
    TypeError,
    SyntaxError,
    OverflowError,
    KeyError,
    EOFError,
    OSError,
    struct.error,
    tokenize.TokenError,
)


@dataclass(eq=False)
class Held:
    """Named arrays.

    Attributes
    ----------
    arrays
        By their names.
    roles
        What the format itself says of some: role to name, as ``roles.NAMES`` has the roles.
    lengths
        Of the series in arrays that were ragged, ``(n_series,)`` by the array's name: NaN stands behind their ends.
    lines
        What was left out.
    """

    arrays: dict[str, Array]
    roles: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, Array] = field(default_factory=dict)
    lines: list[ReportLine] = field(default_factory=list)

    def add(self, name: str, content: Array | Sequence[Any], where: str) -> None:
        """Add an array, or a list of what belongs to one series each; what is no array is refused.

        Raises
        ------
        DataError
            Where it has more values than may be read.
        """
        if isinstance(content, np.ndarray):
            self.arrays[name] = content
            return
        pieces = [np.atleast_1d(np.asarray(one)) for one in content]
        if pieces and all(piece.dtype.kind in "biuf" for piece in pieces):
            self.arrays[name], lengths = stacked(pieces, where)
            if lengths is not None:
                self.lengths[name] = lengths
        else:
            self.arrays[name] = np.array([" ".join(map(str, piece.ravel()[:100])) for piece in pieces], dtype=np.str_)


def stacked(pieces: Sequence[Array], where: str) -> tuple[Array, Array | None]:
    """Return arrays of a series each as one, those of unequal lengths padded with NaN, and then their lengths.

    Of two axes, the one along which they differ is time, and it becomes the last.

    Raises
    ------
    DataError
        Where they differ in their axes or channels, or there are too many values.
    """
    shapes = {piece.shape for piece in pieces}
    if len(shapes) == 1:
        refuse_beyond("values", len(pieces) * math.prod(pieces[0].shape), where, of="The array")
        return np.stack(list(pieces)), None
    axes = {piece.ndim for piece in pieces}
    if axes == {2} and len({shape[1] for shape in shapes}) == 1:
        pieces = [piece.T for piece in pieces]
    if len(axes) > 1 or axes > {2} or len({piece.shape[:-1] for piece in pieces}) > 1:
        raise DataError(
            f"Series differ in more than their lengths: {', '.join(map(str, sorted(shapes)[:4]))}.",
            where=where,
            remedy="Give each the same channels: (channels, time points).",
        )
    lengths = np.array([piece.shape[-1] for piece in pieces], dtype=np.int64)
    shape = (len(pieces), *pieces[0].shape[:-1], int(lengths.max()))
    refuse_beyond("values", math.prod(shape), where, of="Padded to one length, the array")
    padded = np.full(shape, np.nan)
    for place, piece in enumerate(pieces):
        padded[place, ..., : piece.shape[-1]] = piece
    return padded, lengths


def is_numpy(source: Source, head: bytes) -> bool:
    """Tell whether a file is an array, or an archive of nothing but arrays."""
    if head.startswith(NPY):
        return True
    if not head.startswith(b"PK\x03\x04") or source.suffix not in (".npz", ".zip", ""):
        return False
    try:
        names = [member.name for member in unzipped(source)[0]]
    except DataError:
        return source.suffix == ".npz"
    return source.suffix == ".npz" or (bool(names) and all(name.endswith(".npy") for name in names))


def held_by_numpy(source: Source) -> Held:
    """Return the arrays by their names; the one of a ``.npy`` file by the file's.

    Raises
    ------
    DataError
        Where an array is pickled, complex or structured, too large, or damaged.
    """
    if source.head(len(NPY)).startswith(NPY):
        return Held({source.stem: load_array(source)})
    members, _ = unzipped(source)
    arrays = {member.name.removesuffix(".npy"): load_array(member, within=source.name) for member in members}
    if not arrays:
        raise DataError("The archive holds no array.", where=source.name, remedy=AGAIN)
    return Held(arrays)


def load_array(source: Source, within: str = "") -> Array:
    """Return one array."""
    where = f"{within}, array {source.stem!r}" if within else source.name
    with source.open() as file:
        try:
            shape, is_fortran, kind = _header(file)
        except DataError:
            raise
        except (*DAMAGE, RecursionError, MemoryError) as error:
            raise DataError(f"This is not an array of NumPy ({error}).", where=where, remedy=AGAIN) from error
        if kind.hasobject:
            raise DataError(
                "The array holds Python objects, which are pickled: reading them could run foreign code.",
                where=where,
                remedy="Save numbers: pad unequal lengths with NaN, or write one array a series.",
            )
        if kind.kind not in KINDS or kind.names is not None or kind.subdtype is not None:
            raise DataError(f"Arrays of {kind} cannot be read.", where=where, remedy="Save floating point numbers.")
        size = math.prod(shape)
        refuse_beyond("values", size, where, of="The array")
        content = file.read(size * kind.itemsize + 1)
    if len(content) != size * kind.itemsize:
        raise DataError(
            f"The array is cut off or too long: {size * kind.itemsize:,} bytes were announced.",
            where=where,
            remedy=AGAIN,
        )
    flat = np.frombuffer(content, dtype=kind, count=size)
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError(f"version {version}")
    if version == (1, 0):
        shape, is_fortran, kind = np.lib.format.read_array_header_1_0(file)
    else:
        shape, is_fortran, kind = np.lib.format.read_array_header_2_0(file)
    if any(length < 0 for length in shape) or len(shape) > 32:
        raise ValueError(f"shape {shape}")
    return shape, is_fortran, kind


def held_in_rows(rows: Sequence[Mapping[str, Any]], where: str) -> Held:
    """Return records of a series each as arrays: their lists are channels, their single values say what they are.

    Raises
    ------
    DataError
        Where a list holds something else than numbers, or the lists of one record differ in length.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    lists = [name for name in names if any(isinstance(row.get(name), list | np.ndarray) for row in rows)]
    times = [name for name in lists if role_of_name(name) == "time"]
    channels = [name for name in lists if name not in times] or lists
    held = Held({})
    pieces = []
    for position, row in enumerate(rows, start=1):
        place = f"{where}, record {position}"
        found = [as_numbers(row.get(name), f"{place}, {name!r}") for name in channels]
        if len({one.shape for one in found}) > 1 or not found[0].size:
            told = ", ".join(f"{name!r} {len(one)}" for name, one in zip(channels, found, strict=True))
            raise DataError(f"Its lists are empty or differ in length: {told}.", where=place, remedy="Mend the record.")
        pieces.append(np.stack(found) if len(found) > 1 or found[0].ndim == 1 else found[0])
    held.add("series", pieces, where)
    held.roles["values"] = "series"
    if len(channels) > 1 or pieces[0].shape[0] == 1:
        held.arrays["names of channels"] = np.array(channels if len(channels) > 1 else [channels[0]], dtype=np.str_)
        held.roles["channel_names"] = "names of channels"
    if times and channels != lists:
        held.add(times[0], [as_numbers(row.get(times[0]), where) for row in rows], where)
        if held.arrays[times[0]].shape == (len(rows), held.arrays["series"].shape[-1]):
            held.roles["timestamps"] = times[0]
            held.lengths.pop(times[0], None)
    for name in names:
        if name not in lists:
            held.arrays[name] = np.array(
                ["" if row.get(name) is None else str(row[name]) for row in rows], dtype=np.str_
            )
            role = ROLES.get(role_of_name(name) or "")
            if role is not None:
                held.roles.setdefault(role, name)
    return held


def as_numbers(value: Any, where: str) -> Array:
    """Return a list of numbers, or of lists of them, as an array; what is missing is NaN.

    Raises
    ------
    DataError
        Where it holds something else, or lists of unequal lengths.
    """
    try:
        return np.array(value if value is not None else [], dtype=np.float64)
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(
            f"This is no list of numbers ({error}).", where=where, remedy="Mend it, or leave it out."
        ) from error
