"""Every format that can be read, by the first bytes of a file."""

from __future__ import annotations

import re

from timemil_core.data.files.archives import HEAD, is_tar
from timemil_core.data.files.contract import Reader
from timemil_core.data.files.source import Source
from timemil_core.data.formats.arff import is_arff, understand_arff
from timemil_core.data.formats.arrays.loading import is_numpy
from timemil_core.data.formats.arrays.matlab_hdf5 import is_matlab_or_hdf5
from timemil_core.data.formats.arrays.reader import array_bundles, understand_arrays
from timemil_core.data.formats.arrow import is_arrow, understand_arrow
from timemil_core.data.formats.json_files import is_json, understand_json
from timemil_core.data.formats.other_workbooks import is_other_workbook, understand_other_workbook
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
    Reader("NumPy array", is_numpy, understand_arrays, array_bundles),
    Reader("MATLAB or HDF5 file", is_matlab_or_hdf5, understand_arrays),
    Reader("Parquet or Arrow table", is_arrow, understand_arrow),
    Reader("spreadsheet", is_spreadsheet, understand_spreadsheet),
    Reader("older spreadsheet", is_other_workbook, understand_other_workbook),
    Reader("JSON file", is_json, understand_json),
    TABLE,
)

LFS_REMEDY = "Download the file itself, or run 'git lfs pull'."
SOUND_REMEDY = "Give its samples as numbers: save them with numpy.save, or as CSV."
PICKLE = "pickled: reading it could run foreign code"
PICKLE_REMEDY = "Save it as .npz or CSV."
UNREADABLE = (
    (b"Rar!", "a RAR archive", "Pack it as a zip."),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Pack it as a zip."),
    (b"\x28\xb5\x2f\xfd", "compressed with Zstandard (.zst)", "Unpack it, or compress it with gzip."),
    (b"\x04\x22\x4d\x18", "compressed with LZ4", "Unpack it, or compress it with gzip."),
    (b"version https://git-lfs", "a Git LFS pointer, which stands for a file that was not downloaded", LFS_REMEDY),
    (b"%PDF", "a PDF", "Save its table as CSV."),
    (b"\x89PNG", "a picture", "Give the numbers that it shows."),
    (b"\xff\xd8\xff", "a picture", "Give the numbers that it shows."),
    *((bytes([0x80, version]), PICKLE, PICKLE_REMEDY) for version in range(2, 6)),
    (b"SQLite", "a database", "Save the table as CSV."),
    (b"<?xml", "an XML file", "Save the table as CSV."),
    (b"RIFF", "a sound (.wav) or a film", SOUND_REMEDY),
    (b"fLaC", "a sound (.flac)", SOUND_REMEDY),
    (b"OggS\x00", "a sound (.ogg)", SOUND_REMEDY),
    (b"ID3\x03", "a sound (.mp3)", SOUND_REMEDY),
    (b"GIF8", "a picture", "Give the numbers that it shows."),
    (b"CDF\x01", "a NetCDF file", "Save its arrays as .npz."),
    (b"CDF\x02", "a NetCDF file", "Save its arrays as .npz."),
    (b"RDX3\n", "saved by R", "Write its table with write.csv."),
    (b"<stata", "a file of Stata", "Export it as CSV."),
    (b"$FL2", "a file of SPSS", "Export it as CSV."),
    (b"\x7fELF", "a program", "Choose the data."),
    (b"MZ\x90", "a program", "Choose the data."),
)
WEB_PAGE = re.compile(rb"\s*+(?><!--.*?-->\s*+)*+<(!doctype\s+html|html|head|body|table)\b", re.IGNORECASE | re.DOTALL)
WEB_REMEDY = "Download the file itself: this is the page that shows it."
ARCHIVES = (
    (b"PK\x03\x04", "an archive inside another, or a document", "Unpack it first."),
    (b"\x1f\x8b", "an archive inside another", "Unpack it first."),
    (b"BZh", "an archive inside another", "Unpack it first."),
    (b"\xfd7zXZ", "an archive inside another", "Unpack it first."),
)


def reader_of(source: Source, head: bytes) -> Reader:
    """Return the reader of a file's format.

    Raises
    ------
    DataError
        Where there is none: says what the file is, and what to do.
    """
    _refuse(UNREADABLE, source, head)
    if WEB_PAGE.match(head.removeprefix(b"\xef\xbb\xbf")):
        _refuse(((b"", "a web page", WEB_REMEDY),), source, head)
    if is_tar(head[:HEAD]):
        _refuse(((b"", *ARCHIVES[-1][1:]),), source, head)
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
