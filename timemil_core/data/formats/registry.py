"""Every format that can be read, by the first bytes of a file."""

from __future__ import annotations

from timemil_core.data.files.contract import Reader
from timemil_core.data.files.source import Source
from timemil_core.data.formats.arff import is_arff, understand_arff
from timemil_core.data.formats.arrays.reader import array_bundles, understand_arrays
from timemil_core.data.formats.arrays.safe_loading import is_array_file
from timemil_core.data.formats.parquet import is_parquet, understand_parquet
from timemil_core.data.formats.recordings.edf import edf_bundles, is_edf, understand_edf
from timemil_core.data.formats.recordings.wfdb import is_wfdb_header, understand_wfdb, wfdb_bundles
from timemil_core.data.formats.spreadsheet import is_spreadsheet, understand_spreadsheet
from timemil_core.data.formats.tables.reader import is_text, understand_table
from timemil_core.data.formats.ts import is_ts, understand_ts, with_metadata
from timemil_core.errors import DataError

TABLE = Reader("text table", is_text, understand_table)
# a file that several readers know is the earliest's; of a mixed archive, the earliest reader's files are read
READERS: tuple[Reader, ...] = (
    Reader("WFDB record", is_wfdb_header, understand_wfdb, wfdb_bundles),
    Reader("EDF recording", is_edf, understand_edf, edf_bundles),
    Reader(".ts file", is_ts, understand_ts, with_metadata),
    Reader(".arff file", is_arff, understand_arff),
    Reader("NumPy array", is_array_file, understand_arrays, array_bundles),
    Reader("Parquet table", is_parquet, understand_parquet),
    Reader("spreadsheet", is_spreadsheet, understand_spreadsheet),
    TABLE,
)

PICKLE = "pickled: reading it could run foreign code"
PICKLE_REMEDY = "Save it as .npz or CSV."
UNREADABLE = (
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls)", "Save it as .xlsx or CSV."),
    (b"Rar!", "a RAR archive", "Pack it as a zip."),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Pack it as a zip."),
    (b"BZh", "compressed with bzip2", "Pack it as a zip."),
    (b"\xfd7zXZ", "compressed with xz", "Pack it as a zip."),
    (b"%PDF", "a PDF", "Save its table as CSV."),
    (b"\x89HDF", "an HDF5 file", "Save the arrays as .npz, or the table as CSV."),
    (b"MATLAB", "a MATLAB file", "Save the arrays as .npz, or the table as CSV."),
    (b"\x89PNG", "a picture", "Give the numbers that it shows."),
    (b"\xff\xd8\xff", "a picture", "Give the numbers that it shows."),
    *((bytes([0x80, version]), PICKLE, PICKLE_REMEDY) for version in range(2, 6)),
    (b"SQLite", "a database", "Save the table as CSV."),
    (b"<!doctype", "a web page", "Download the file itself: this is the page that shows it."),
    (b"<html", "a web page", "Download the file itself: this is the page that shows it."),
    (b"<?xml", "an XML file", "Save the table as CSV."),
    (b"{", "JSON", "Save the table as CSV."),
)
ARCHIVES = (
    (b"PK\x03\x04", "an archive inside another, or a document", "Unpack it first."),
    (b"\x1f\x8b", "an archive inside another", "Unpack it first."),
)


def reader_of(source: Source, head: bytes) -> Reader:
    """Return the reader of a file's format.

    Raises
    ------
    DataError
        Where there is none: says what the file is, and what to do.
    """
    _refuse(UNREADABLE, source, head)
    if source.suffix == ".json":
        _refuse(((b"", "JSON", "Save the table as CSV."),), source, head)
    for reader in READERS:
        if reader.recognises(source, head):
            return reader
    _refuse(ARCHIVES, source, head)
    raise DataError(
        "The file is neither text nor of a format that can be read.",
        where=source.name,
        remedy="Save it as CSV in UTF-8, or as .npz.",
    )


def _refuse(known: tuple[tuple[bytes, str, str], ...], source: Source, head: bytes) -> None:
    beginning = head[:64].lstrip().lower()
    for mark, what, remedy in known:
        if head.startswith(mark) or beginning.startswith(mark):
            raise DataError(f"The file is {what}; it is not read.", where=source.name, remedy=remedy)
