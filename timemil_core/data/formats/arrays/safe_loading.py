"""Arrays of a ``.npy`` file or a ``.npz`` archive; nothing that is pickled, nothing larger than its file."""

from __future__ import annotations

import math
import struct
import tokenize
from typing import Any, BinaryIO

import numpy as np

from timemil_core.data.files.archives import unzipped
from timemil_core.data.files.source import Source
from timemil_core.data.limits import refuse_beyond
from timemil_core.errors import DataError

Array = np.ndarray[Any, np.dtype[Any]]
NPY = b"\x93NUMPY"
AGAIN = "Save it again with numpy.save or numpy.savez."
KINDS = "biufUS"
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


def is_array_file(source: Source, head: bytes) -> bool:
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


def load_arrays(source: Source) -> dict[str, Array]:
    """Return the arrays by their names; the one of a ``.npy`` file by the file's.

    Raises
    ------
    DataError
        Where an array is pickled, complex or structured, too large, or damaged.
    """
    if source.head(len(NPY)).startswith(NPY):
        return {source.stem: load_array(source)}
    members, _ = unzipped(source)
    arrays = {member.name.removesuffix(".npy"): load_array(member, within=source.name) for member in members}
    if not arrays:
        raise DataError("The archive holds no array.", where=source.name, remedy=AGAIN)
    return arrays


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
