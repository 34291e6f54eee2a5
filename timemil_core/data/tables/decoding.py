"""From a file's bytes to UTF-8, whatever encoding they came in."""

from __future__ import annotations

import codecs

from timemil_core.errors import DataError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins with UTF-16's mark, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
FALLBACKS = ("cp1252", "latin-1")
CHUNK = 1 << 20
SAMPLE = 4096

MAGIC = (
    (b"PK\x03\x04", "a spreadsheet (.xlsx) or a zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls)"),
    (b"\x1f\x8b", "compressed with gzip"),
    (b"PAR1", "a Parquet file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"%PDF", "a PDF"),
    (b"\x89HDF", "an HDF5 file"),
)


def detect_encoding(content: bytes, filename: str) -> str:
    """Return the encoding: by byte order mark, by the pattern of zero bytes, UTF-8 where it is valid, else Western.

    Raises
    ------
    DataError
        Where the file is not text.
    """
    for mark, name in MAGIC:
        if content.startswith(mark):
            raise DataError(f"The file is {name}, not a text table.", where=filename, remedy="Save it as CSV.")
    for mark, encoding in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return encoding
    if (unmarked := _utf_16_without_mark(content[:SAMPLE])) is not None:
        return unmarked
    if b"\0" in content:
        raise DataError(
            "The file holds zero bytes: it is not text.", where=filename, remedy="Save the table as CSV in UTF-8."
        )
    return next(encoding for encoding in ("utf-8", *FALLBACKS) if _decodes(content, encoding))


def _utf_16_without_mark(sample: bytes) -> str | None:
    """Latin text in UTF-16 has a zero in every other byte."""
    even, odd = sample[0::2], sample[1::2]
    if odd and odd.count(0) > 0.8 * len(odd) and not even.count(0):
        return "utf-16-le"
    if odd and even.count(0) > 0.8 * len(even) and not odd.count(0):
        return "utf-16-be"
    return None


def _decodes(content: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        for start in range(0, len(content), CHUNK):
            decoder.decode(content[start : start + CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def as_utf_8(content: bytes, encoding: str, filename: str) -> bytes:
    """Return the content in UTF-8 without a byte order mark.

    Raises
    ------
    DataError
        Where the content is not in that encoding, or the encoding is unknown.
    """
    if encoding == "utf-8":
        return content
    try:
        text = content.decode(encoding)
        decoded = text.removeprefix("\ufeff").encode("utf-8")
    except (UnicodeError, LookupError) as error:
        raise DataError(
            f"The file cannot be read as {encoding} ({error}).",
            where=filename,
            remedy="Save the table as CSV in UTF-8.",
        ) from error
    if b"\0" in decoded:
        raise DataError("The text holds zero characters.", where=filename, remedy="Save the table as CSV in UTF-8.")
    return decoded
