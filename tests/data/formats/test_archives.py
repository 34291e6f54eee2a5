"""Archives: read without being unpacked onto the disk, and refused where they could do harm."""

import gzip
import io
import stat
import zipfile
from pathlib import Path

import pytest

from tests.data.formats.reading import read, refused, told, values

TABLE = "id,time,x,label\na,0,1,w\na,1,2,w\nb,0,3,r\n"


def zipped(files, **options):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def texts(*arguments, **choices):
    return " ".join(str(line) for line in told(*arguments, **choices))


def test_a_zip_of_one_table_is_read_as_it():
    made = read(zipped({"inner.csv": TABLE}), name="outer.zip")
    assert (made.name, values(made)) == ("outer", [[[1, 2]], [[3]]])


def test_gzip_is_read_as_the_file_inside():
    made = read(gzip.compress(TABLE.encode()), name="mine.csv.gz")
    assert (made.name, len(made)) == ("mine.csv", 2)


def test_what_systems_leave_behind_is_passed_over():
    files = {"a.csv": TABLE, "__MACOSX/._a.csv": b"\0\1", ".DS_Store": b"\0", "Thumbs.db": b"\0"}
    assert len(read(zipped(files), name="a.zip")) == 2


def test_what_cannot_be_read_beside_what_can_is_left_out_and_told():
    text = texts(zipped({"a.csv": TABLE, "paper.pdf": "%PDF-1.4"}), name="a.zip")
    assert "paper.pdf: Left out: The file is a PDF; it is not read." in text


@pytest.mark.pitfall(25)
def test_an_archive_inside_an_archive_stays_closed():
    inner = zipped({"a.csv": TABLE})
    assert "an archive inside another" in refused(zipped({"inner.zip": inner}), name="outer.zip").problem
    assert "an archive inside another" in texts(zipped({"inner.zip": inner, "b.csv": TABLE}), name="outer.zip")
    assert "an archive inside another" in refused(zipped({"i.gz": gzip.compress(b"1,2")}), name="outer.zip").problem


@pytest.mark.pitfall(25)
def test_a_zip_bomb_is_refused_by_its_ratio_and_by_its_size(monkeypatch):
    bomb = zipped({f"{index}.csv": b"0," * 30_000_000 for index in range(2)})
    error = refused(bomb, name="bomb.zip")
    assert "unpacks to more than 250 times its size (120 MB): a sign of a zip bomb" in error.problem
    monkeypatch.setenv("TIMEMIL_MAX_ARCHIVE_BYTES", "1000")
    assert "at most 1,000 are read" in refused(zipped({"a.csv": b"0,1\n" * 1000}), name="a.zip").problem
    assert "at most 1,000 are read" in refused(gzip.compress(b"0,1\n" * 1000), name="a.csv.gz").problem


@pytest.mark.pitfall(25)
def test_too_many_files_are_refused_before_they_are_listed(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_FILES", "2")
    assert "has 3 files; at most 2 are read" in refused(zipped(dict.fromkeys("abc", "1")), name="a.zip").problem
    many = zipped({f"{index:0200d}": "1" for index in range(20)})
    assert "lists more files than the 2 that are read" in refused(many, name="a.zip").problem


@pytest.mark.pitfall(25)
def test_names_that_climb_out_of_the_folder_write_nothing_and_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"../../evil.csv": TABLE, "/etc/evil.csv": TABLE.replace("a,", "c,").replace("b,", "d,")}
    made = read(zipped(files), name="a.zip")
    assert len(made) == 4
    assert not list(Path(tmp_path).rglob("*"))
    text = texts(zipped(files), name="a.zip")
    assert "Names in the archive lead out of its folder: '../../evil.csv', '/etc/evil.csv'" in text


@pytest.mark.pitfall(25)
def test_links_in_an_archive_are_left_out_and_told():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        link = zipfile.ZipInfo("passwords.csv")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.csv", TABLE)
    assert len(read(content.getvalue(), name="a.zip")) == 2
    assert "Links in the archive are left out: 'passwords.csv'" in texts(content.getvalue(), name="a.zip")


@pytest.mark.pitfall(25)
def test_damaged_and_locked_archives_are_refused():
    content = zipped({"a.csv": TABLE * 50})
    assert "damaged" in refused(content[:-30], name="a.zip").problem
    place = content.index(b"a.csv") + 10
    assert "damaged" in refused(content[:place] + b"\xff" * 20 + content[place + 20 :], name="a.zip").problem
    locked = bytearray(content)
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        start = locked.index(mark)
        locked[start + (6 if mark[2] == 3 else 8)] |= 1
    assert "locked with a password" in refused(bytes(locked), name="a.zip").problem
    assert "damaged" in refused(gzip.compress(TABLE.encode())[:-9], name="a.csv.gz").problem
    assert "There is no file in it" in refused(zipped({}), name="a.zip").problem


@pytest.mark.pitfall(25)
@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.xls", b"\xd0\xcf\x11\xe0" + b"\0" * 100, "an old Excel file"),
        ("a.h5", b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        ("a.mat", b"MATLAB 5.0 MAT-file", "a MATLAB file"),
        ("a.json", b'[{"x": 1}]', "JSON"),
        ("a.html", b"\n<!DOCTYPE html><html>", "a web page"),
        ("a.rar", b"Rar!\x1a\x07", "a RAR archive"),
        ("a.bin", b"\0\1\2\3" * 10, "neither text nor of a format that can be read"),
    ],
)
def test_other_formats_are_named_with_what_to_do(name, content, what):
    assert what in refused(content, name=name).problem
