"""Which encoding a text file is in, and how many lines it has: one pass over it, a megabyte at a time."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from timemil_core.data.files.source import Source
from timemil_core.errors import DataError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins with UTF-16's mark, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WESTERN = ("cp1252", "latin-1")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", *WESTERN)
SAMPLE = 4096
REMEDY = "Save the table as CSV in UTF-8."


@dataclass(frozen=True)
class Text:
    """A text file's encoding and the number of its lines."""

    encoding: str
    n_lines: int


_scanned: WeakKeyDictionary[Source, dict[str | None, Text]] = WeakKeyDictionary()


def scan(source: Source, encoding: str | None = None) -> Text:
    """Find the encoding (by byte order mark, by the pattern of zero bytes, UTF-8 where it is valid, else Western).

    A source is gone through once, however often its table is looked at under other choices.

    Raises
    ------
    DataError
        Where the file is empty, is not text, or not in the encoding that was given.
    """
    known = _scanned.setdefault(source, {})
    if encoding not in known:
        known[encoding] = _scan(source, encoding)
    return known[encoding]


def _scan(source: Source, encoding: str | None) -> Text:
    head = source.head(SAMPLE)
    for candidate in [encoding] if encoding else candidates(head):
        counted = _count_lines(source, candidate, is_said=encoding is not None)
        if counted is not None:
            return Text(candidate, counted)
    raise DataError("The file is not text in any known encoding.", where=source.name, remedy=REMEDY)


def candidates(head: bytes) -> list[str]:
    """Return the encodings that a file may be in, by its first bytes."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return [encoding]
    if (unmarked := _utf_16_without_mark(head)) is not None:
        return [unmarked]
    return ["utf-8", *WESTERN]


def _utf_16_without_mark(sample: bytes) -> str | None:
    """Latin text in UTF-16 has a zero in every other byte."""
    even, odd = sample[0::2], sample[1::2]
    if odd and odd.count(0) > 0.8 * len(odd) and not even.count(0):
        return "utf-16-le"
    if odd and even.count(0) > 0.8 * len(even) and not odd.count(0):
        return "utf-16-be"
    return None


def _count_lines(source: Source, encoding: str, *, is_said: bool) -> int | None:
    """Decode all of it and count its line ends, of all systems; None where it is in another encoding."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    n_ends = 0
    has_text = False
    try:
        for piece in source.chunks():
            text = decoder.decode(piece)
            n_ends += text.count("\n") + text.count("\r") - text.count("\r\n")
            has_text = has_text or bool(text.strip().strip("\ufeff"))
            if "\0" in text:
                raise DataError("The file holds zero bytes: it is not text.", where=source.name, remedy=REMEDY)
        decoder.decode(b"", final=True)
    except UnicodeError as error:
        if is_said or encoding not in ("utf-8", "cp1252"):
            raise DataError(
                f"The file cannot be read as {encoding} ({error}).", where=source.name, remedy=REMEDY
            ) from error
        return None
    if not has_text:
        raise DataError("The file is empty.", where=source.name, remedy="Choose a file that holds a table of series.")
    return n_ends + 1


def first_text(source: Source, encoding: str, n_bytes: int) -> tuple[str, bool]:
    """Return the beginning of a file as text without a byte order mark, and whether it goes on behind."""
    head = source.head(n_bytes)
    return head.decode(encoding, errors="ignore").removeprefix("\ufeff"), source.size > len(head)
