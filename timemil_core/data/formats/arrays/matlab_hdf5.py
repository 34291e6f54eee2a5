"""Arrays in MATLAB files (scipy) and HDF5 (h5py, an extra), of which MATLAB 7.3 is one kind.

Nothing in them is run or followed: objects, function handles, references out of the file, external and virtual data are
left out. What a MATLAB file unpacks to, and whether its elements are what they say, is checked before scipy sees it.
"""

from __future__ import annotations

import io
import math
import warnings
import zlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from timemil_core.data.files.archives import refuse_bomb
from timemil_core.data.files.source import Source
from timemil_core.data.formats.arrays.loading import DAMAGE, KINDS, Array, Held
from timemil_core.data.formats.recordings.extras import required
from timemil_core.data.formats.tables.names import role_of_name
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import repair
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

HDF5 = b"\x89HDF\r\n\x1a\n"
USER_BLOCK = 512  # bytes that MATLAB 7.3 puts before the HDF5 file
MATLAB = b"MATLAB"
HEADER = 128  # bytes of a MATLAB 5 file, before its elements
MATRIX, COMPRESSED = 14, 15
NUMBERS = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 12, 13))  # elements that hold some
LETTERS = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
CELLS, TEXT = 1, 4  # of the classes of a matrix
NUMBERS_OF = {5: 3, **dict.fromkeys(range(6, 16), 1)}  # elements of a sparse and of any other class, real
Order = Literal["little", "big"]
DEEPEST = 16  # cells in cells, groups in groups
AGAIN = "Save it again, or save the arrays as .npz."
CANNOT = (
    *DAMAGE,
    IndexError,
    AttributeError,
    RuntimeError,
    NotImplementedError,
    MemoryError,
    RecursionError,
    zlib.error,
)


def is_matlab_or_hdf5(source: Source, head: bytes) -> bool:
    """Tell whether a file is an HDF5 file or one of MATLAB, version 5 or later."""
    return head.startswith((HDF5, MATLAB)) or head[USER_BLOCK:].startswith(HDF5)


def held_by_matlab_or_hdf5(source: Source) -> Held:
    """Return the arrays of a file by their names, ``group/name`` where they lie in groups or structures.

    Raises
    ------
    DataError
        Where it is damaged or too large, holds no array, or h5py is not installed.
    """
    source.refuse_large()
    head = source.head(USER_BLOCK + len(HDF5))
    if head.startswith(HDF5) or head[USER_BLOCK:].startswith(HDF5):
        return _checked(source, _hdf5(source))
    return _checked(source, _matlab(source))


def _checked(source: Source, found: tuple[Held, list[str]]) -> Held:
    held, left_out = found
    if not held.arrays:
        raise DataError("The file holds no array of numbers.", where=source.name, remedy=AGAIN)
    if left_out:
        held.lines.append(
            repair(f"What is no array of numbers or texts is left out: {listed(left_out)}.", where=source.name)
        )
    return held


def _matlab(source: Source) -> tuple[Held, list[str]]:
    from scipy import io as scipy_io
    from scipy.io.matlab import MatReadError

    content = source.read()
    try:
        _refuse_hostile(source, content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what it cannot represent, which is left out
            for name, shape, _kind in scipy_io.whosmat(io.BytesIO(content)):
                refuse_beyond("values", math.prod(shape), f"{source.name}, array {name!r}", of="The array")
            found = scipy_io.loadmat(io.BytesIO(content), chars_as_strings=True)
        held, left_out = Held({}), list[str]()
        for name, content_of in found.items():
            if not name.startswith("__"):
                _add(held, name, content_of, source.name, left_out)
    except DataError:
        raise
    except (*CANNOT, MatReadError, NameError) as error:  # NameError: scipy's own, of a kind that it does not know
        raise DataError(f"The MATLAB file is damaged ({error}).", where=source.name, remedy=AGAIN) from error
    return held, left_out


def _add(held: Held, name: str, value: Any, where: str, left_out: list[str], depth: int = 0) -> None:
    """Add a variable of MATLAB: arrays as they are, cells as lists, structures field by field."""
    if hasattr(value, "toarray") and not isinstance(value, np.ndarray):  # a sparse matrix
        refuse_beyond("values", math.prod(value.shape), f"{where}, array {name!r}", of="The array")
        value.check_format()  # or its indices could point beyond the array
        if (np.diff(value.indptr) < 0).any():
            raise ValueError(f"the columns of {name!r} do not follow one another")
        value = value.toarray()
    if depth > DEEPEST or not isinstance(value, np.ndarray) or type(value) is not np.ndarray:
        left_out.append(name)
    elif value.dtype.names is not None:
        for field in value.dtype.names:
            inner = value[field].ravel()
            _add(held, f"{name}/{field}", inner[0] if inner.size == 1 else inner, where, left_out, depth + 1)
    elif value.dtype.kind == "O":
        cells = list(value.ravel())
        if len(cells) and all(type(cell) is np.ndarray and cell.dtype.kind in KINDS and cell.size for cell in cells):
            held.add(name, [_as_series(cell) for cell in cells], where)
        else:
            left_out.append(name)
    elif value.dtype.kind in KINDS:
        # what MATLAB calls a vector has two axes
        is_vector = value.ndim == 2 and 1 in value.shape and (value.dtype.kind in "US" or value.size != 1)
        held.arrays[name] = value.ravel() if is_vector else value
    else:
        left_out.append(name)


def _as_series(cell: Array) -> Array:
    return cell.ravel() if cell.ndim == 2 and 1 in cell.shape else cell


def _refuse_hostile(source: Source, content: bytes) -> None:
    """Go through the elements of a MATLAB 5 file: what they unpack to together, and how deep they are nested."""
    order: Order = "little" if content[126:128] == b"IM" else "big"
    place, n_unpacked = HEADER, 0
    while place + 8 <= len(content):
        kind = int.from_bytes(content[place : place + 4], order)
        size = int.from_bytes(content[place + 4 : place + 8], order)
        element = memoryview(content)[place + 8 : place + 8 + size]
        if kind == COMPRESSED:
            unpacked = bytearray()
            decoder = zlib.decompressobj()
            piece = bytes(element)
            while piece:
                unpacked += decoder.decompress(piece, 1 << 20)
                piece = decoder.unconsumed_tail
                refuse_bomb(source, n_unpacked + len(unpacked))
            n_unpacked += len(unpacked)
            _refuse_damaged(source, memoryview(bytes(unpacked)), order)
        else:
            _refuse_damaged(source, memoryview(content)[place : place + 8 + size], order)
        place += 8 + size


def _refuse_damaged(source: Source, content: memoryview, order: Order, depth: int = 0) -> None:
    """Refuse elements by which scipy would run out of stack, or beyond its arrays: it ends the whole process, then."""
    if depth > DEEPEST:
        raise DataError(f"Cells lie more than {DEEPEST} deep in one another.", where=source.name, remedy=AGAIN)
    for matrix in (element for kind, element in _elements(content, order) if kind == MATRIX):
        _refuse_damaged(source, matrix, order, depth + 1)
        parts = list(_elements(matrix, order))  # flags, shape, name, and what is in it
        flags = int.from_bytes(parts[0][1][:4], order) if parts else 0
        inside = [kind for kind, _ in parts[3:]]
        n_numbers = NUMBERS_OF.get(flags & 0xFF)
        if n_numbers is not None and (len(inside) != n_numbers + (flags >> 11 & 1) or not NUMBERS.issuperset(inside)):
            raise ValueError("numbers are not where its description says")
        if flags & 0xFF == CELLS and len(inside) != _size(parts[1][1], order):
            raise ValueError("there are not as many cells as its description says")
        n_letters = _n_letters(*parts[3], order) if len(inside) == 1 else None  # an empty text may have any shape
        if flags & 0xFF == TEXT and n_letters not in (0, _size(parts[1][1], order)):
            raise ValueError("there are not as many letters as its description says")


def _size(shape: memoryview, order: Order) -> int:
    return math.prod(int.from_bytes(shape[at : at + 4], order) for at in range(0, len(shape), 4))


def _n_letters(kind: int, text: memoryview, order: Order) -> int | None:
    """Return how many letters an element holds, None where it is no text."""
    encoding = LETTERS.get(kind, "")
    if kind in (4, 17, 18):
        encoding += "-le" if order == "little" else "-be"
    return len(bytes(text).decode(encoding, "replace")) if encoding else None


def _elements(content: memoryview, order: Order) -> Iterator[tuple[int, memoryview]]:
    """Yield the kind and the content of each element."""
    place = 0
    while place + 8 <= len(content):
        kind, size = (int.from_bytes(content[at : at + 4], order) for at in (place, place + 4))
        if not kind and not size:  # padding
            return
        if kind >> 16:  # a small element: its size stands in the upper half, its content in the next four bytes
            if kind >> 16 > 4:
                raise ValueError("a small element is not small")
            yield kind & 0xFFFF, content[place + 4 : place + 4 + (kind >> 16)]
            place += 8
            continue
        if place + 8 + size > len(content):
            raise ValueError("an element is longer than what it is in")
        yield kind, content[place + 8 : place + 8 + size]
        place += 8 + size + (-size % 8)


def _hdf5(source: Source) -> tuple[Held, list[str]]:
    h5py = required("h5py", "hdf5", "HDF5 and MATLAB 7.3 files", source.name)
    held, left_out = Held({}), list[str]()
    try:
        with source.open_seekable() as file, h5py.File(file, "r") as book:
            labels: dict[str, str] = {}
            for name, dataset in _datasets(h5py, book, left_out, set()):
                where = f"{source.name}, array {name!r}"
                if (found := _content(h5py, book, dataset, where)) is None:
                    left_out.append(name)
                else:
                    held.add(name, found, source.name)
                    if (label := _attribute(dataset, "label") or _attribute(dataset.parent, "label")) is not None:
                        labels[name] = label
            _series_by_name(held, labels, source.name)
    except DataError:
        raise
    except CANNOT as error:
        raise DataError(f"The HDF5 file is damaged ({error}).", where=source.name, remedy=AGAIN) from error
    return held, left_out


def _datasets(
    h5py: Any, group: Any, left_out: list[str], seen: set[int], depth: int = 0, prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    """Yield the datasets that lie in the file itself, by their paths; links of other kinds are not followed."""
    place = h5py.h5o.get_info(group.id).addr
    if depth > DEEPEST or place in seen:  # a group may lie in itself
        left_out.append(prefix.rstrip("/"))
        return
    seen.add(place)
    names = list(group)
    refuse_beyond("files", len(names), group.file.filename or "the file", of="A group")
    for name in names:
        path = f"{prefix}{name}"
        if name.startswith("#"):  # what MATLAB's references lead to
            continue
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            left_out.append(path)
            continue
        found = group[name]
        if isinstance(found, h5py.Group):
            yield from _datasets(h5py, found, left_out, seen, depth + 1, f"{path}/")
        elif isinstance(found, h5py.Dataset) and not found.is_virtual and not found.external:
            yield path, found
        else:
            left_out.append(path)


def _content(h5py: Any, book: Any, dataset: Any, where: str) -> Array | list[Any] | None:
    """Return a dataset's content, a list where it holds a series a cell; None where it is no array."""
    shape = dataset.shape
    if shape is None or dataset.dtype.names is not None:
        return None
    refuse_beyond("values", math.prod(shape), where, of="The array")
    of_matlab = dataset.attrs.get("MATLAB_class", b"")
    if h5py.check_ref_dtype(dataset.dtype) is h5py.Reference:
        cells = [book[reference] for reference in dataset[()].T.ravel() if reference]
        refuse_beyond("series", len(cells), where, of="The array")
        refuse_beyond("values", sum(math.prod(cell.shape or ()) for cell in cells), where, of="The array")
        if not all(isinstance(cell, h5py.Dataset) and not cell.is_virtual and not cell.external for cell in cells):
            return None
        contents = [_content(h5py, book, cell, where) for cell in cells if not h5py.check_ref_dtype(cell.dtype)]
        if len(contents) < len(cells) or not all(isinstance(one, np.ndarray) for one in contents):
            return None
        return [_as_series(np.asarray(one)) for one in contents]
    if h5py.check_string_dtype(dataset.dtype) is not None:
        return np.array(np.asarray(dataset.asstr(errors="replace")[()]), dtype=np.str_)
    if (kind := h5py.check_vlen_dtype(dataset.dtype)) is not None:
        return list(dataset[()]) if np.dtype(kind).kind in "biuf" and len(shape) == 1 else None
    if dataset.dtype.kind not in KINDS:
        return None
    values = np.asarray(dataset[()])
    if of_matlab == b"char":
        codes = values.T if values.ndim == 2 else np.atleast_2d(values)
        texts = ["".join(chr(code) for code in row) for row in codes.astype(np.uint32) if row.max(initial=0) < 0xD800]
        return np.array(texts, dtype=np.str_)
    if of_matlab:  # MATLAB writes its axes in reverse
        values = values.T
        return values.ravel() if values.ndim == 2 and 1 in values.shape else values
    return values


def _attribute(of: Any, role: str) -> str | None:
    """Return what an attribute says whose name says that it has a role."""
    name = next((name for name in of.attrs if role_of_name(name) == role), None)
    value = None if name is None else of.attrs[name]
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return str(value) if isinstance(value, str | int | float | np.integer | np.floating) else None


def _series_by_name(held: Held, labels: dict[str, str], where: str) -> None:
    """Make a list of series of datasets that are one each: all their labels are told, or all groups hold one alike."""
    numeric = [name for name, array in held.arrays.items() if array.dtype.kind in "biuf" and array.ndim in (1, 2)]
    folders = {name.rpartition("/")[0] for name in numeric}
    is_a_group_each = (
        len(numeric) > 2 and len(folders) == len(numeric) and len({n.rpartition("/")[2] for n in numeric}) == 1
    )
    if len(numeric) < 2 or not (set(numeric) <= set(labels) or is_a_group_each):
        return
    pieces = [held.arrays.pop(name) for name in numeric]
    held.add("series", pieces, where)
    held.arrays["names"] = np.array([name.rpartition("/")[0] if is_a_group_each else name for name in numeric])
    held.roles |= {"values": "series", "ids": "names"}
    beside = [held.arrays.pop(one, None) for name in numeric for one in [f"{name.rpartition('/')[0]}/label"]]
    texts = [
        labels.get(name) or (None if one is None else str(one.ravel()[0]))
        for name, one in zip(numeric, beside, strict=True)
    ]
    if all(text is not None for text in texts):
        held.arrays["label"] = np.array(texts, dtype=np.str_)
        held.roles["labels"] = "label"
