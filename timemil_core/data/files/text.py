"""Which encoding a text file is in, and how many lines it has: one pass over it, a megabyte at a time."""

from __future__ import annotations

import codecs
import re
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
# told apart by the words that they make; cp1250 and KOI8-R are too near to cp1252 and cp1251 to be guessed
GUESSED = ("gb18030", "cp932", "cp1251", "big5", "euc_kr")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", *WESTERN, *GUESSED, "cp1250", "koi8_r")
SAMPLE = 4096
MOST_WORD_BYTES = 20_000  # by which an encoding is guessed
CELL_ENDS = re.compile(rb'[,;|\t\r\n"]+')
LETTER = re.compile(rb"[A-Za-z]")
HIGH_RUN = re.compile(rb"[\x80-\xff]+")
REMEDY = "Save the table as CSV in UTF-8."


@dataclass(frozen=True)
class Text:
    """A text file's encoding and the number of its lines."""

    encoding: str
    n_lines: int


_scanned: WeakKeyDictionary[Source, dict[str | None, Text]] = WeakKeyDictionary()


def scan(source: Source, encoding: str | None = None) -> Text:
    """Find the encoding: by byte order mark, by the pattern of zero bytes, UTF-8 where it is valid, else by its words.

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
    tried = [encoding] if encoding else candidates(source.head(SAMPLE))
    for candidate in tried:
        counted = _count_lines(source, candidate, is_said=encoding is not None)
        if counted is not None:
            return Text(candidate, counted)
        if candidate == "utf-8" and (guess := _by_words(source)) is not None:
            tried.insert(1, guess)
    raise DataError("The file is not text in any known encoding.", where=source.name, remedy=REMEDY)


def candidates(head: bytes) -> list[str]:
    """Return the encodings that a file may be in, by its first bytes."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return [encoding]
    if (unmarked := _utf_16_without_mark(head)) is not None:
        return [unmarked]
    return ["utf-8", *WESTERN]


def _by_words(source: Source) -> str | None:
    """Return the encoding that makes words of the cells beyond ASCII; None for a Western one, whose such letters are
    few and stand between ASCII ones.
    """
    from charset_normalizer import from_bytes

    words: dict[bytes, None] = {}
    n_bytes = 0
    for piece in source.chunks():
        if not piece.isascii():
            words.update(dict.fromkeys(cell for cell in CELL_ENDS.split(piece) if not cell.isascii()))
        n_bytes = sum(map(len, words))
        if n_bytes > MOST_WORD_BYTES:
            break
    text = b"\n".join(words)[:MOST_WORD_BYTES].rpartition(b"\n")[0] if n_bytes > MOST_WORD_BYTES else b"\n".join(words)
    runs = HIGH_RUN.findall(text)
    high = b"".join(runs)
    n_leading = sum(0x81 <= byte <= 0x9F for byte in high)  # of two bytes in Shift-JIS; seldom used in Western text
    is_sparse = sum(len(run) == 1 for run in runs) >= len(runs) / 2 or len(high) < len(LETTER.findall(text))
    if not runs or (is_sparse and n_leading < len(high) / 2):
        return None
    guessed = [one for one in GUESSED if one != "cp932" or n_leading >= len(high) / 5]
    best = from_bytes(text, cp_isolation=guessed, threshold=0.9, preemptive_behaviour=False).best()
    return None if best is None else best.encoding


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
        if is_said or encoding not in ("utf-8", "cp1252", *GUESSED):
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
