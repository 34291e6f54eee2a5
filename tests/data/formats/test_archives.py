"""Archives: read without being unpacked onto the disk, and refused where they could do harm."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
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
    text = texts(zipped({"a.csv": TABLE, "more.rar": "Rar!"}), name="a.zip")
    assert "more.rar: Left out: The file is a RAR archive; it is not read." in text


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
    assert "and what else is no file, are left out: 'passwords.csv'" in texts(content.getvalue(), name="a.zip")


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
        ("a.xls", b"\xd0\xcf\x11\xe0" + b"\0" * 100, "no workbook that can be read"),
        ("a.h5", b"\x89HDF\r\n\x1a\n", "The HDF5 file is damaged"),
        ("a.mat", b"MATLAB 5.0 MAT-file".ljust(140), "The MATLAB file is damaged"),
        ("a.json", b'[{"x": 1}, ', "The file is not JSON"),
        ("a.html", b"\n<!DOCTYPE html><html>", "a web page"),
        ("a.html", b"<!-- saved from url=(0016)http://localhost -->\r\n<html><head>", "a web page"),
        ("a.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n", "a Git LFS pointer"),
        ("a.csv.zst", b"\x28\xb5\x2f\xfd\x60\x87\x1e\x0d", "compressed with Zstandard"),
        ("a.wav", b"RIFF$\x00\x00\x00WAVEfmt ", "a sound (.wav)"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        ("a.rar", b"Rar!\x1a\x07", "a RAR archive"),
        ("a.bin", b"\0\1\2\3" * 10, "neither text nor of a format that can be read"),
    ],
)
def test_other_formats_are_named_with_what_to_do(name, content, what):
    assert what in refused(content, name=name).problem


def tarred(members, mode="w"):
    """A tar of texts, or of members of other kinds: (kind, where it leads to)."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            if isinstance(text, str):
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text.encode()))
            else:
                info.type, info.linkname = text
                archive.addfile(info)
    return content.getvalue()


OTHER = TABLE.replace("a,", "c,").replace("b,", "d,")


@pytest.mark.parametrize(
    ("mode", "name"), [("w", "t.tar"), ("w:gz", "t.tgz"), ("w:bz2", "t.tar.bz2"), ("w:xz", "t.txz")]
)
def test_a_tar_is_read_like_a_zip_however_it_is_compressed(mode, name):
    made = read(tarred({"in/one.csv": TABLE, "in/two.csv": OTHER}, mode), name=name)
    assert made.series_ids == ("a", "b", "c", "d")
    assert f"The archive '{name}' holds 2 files." in texts(tarred({"1.csv": TABLE, "2.csv": OTHER}, mode), name=name)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_that_is_compressed_alone(pack):
    assert values(read(pack(TABLE.encode()), name="a.csv.packed")) == [[[1, 2]], [[3]]]
    assert values(read(pack(TABLE[:15].encode()) + pack(TABLE[15:].encode()), name="a.csv")) == [[[1, 2]], [[3]]]
    assert "damaged" in refused(pack(TABLE.encode() * 50)[:-9], name="a.csv").problem


@pytest.mark.pitfall(25)
def test_links_and_devices_in_a_tar_are_left_out_and_names_that_climb_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinds = {"link": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "device": tarfile.CHRTYPE, "pipe": tarfile.FIFOTYPE}
    content = tarred({**{name: (kind, "/etc/passwd") for name, kind in kinds.items()}, "../../evil.csv": TABLE})
    assert values(read(content, name="a.tar")) == [[[1, 2]], [[3]]]
    text = texts(content, name="a.tar")
    assert "are left out: 'link', 'hard', 'device', 'pipe'" in text
    assert "lead out of its folder: '../../evil.csv'" in text
    assert not list(Path(tmp_path).rglob("*"))


@pytest.mark.pitfall(25)
def test_tars_that_lie_are_refused(monkeypatch):
    content = tarred({"a.csv": TABLE * 100})
    assert "damaged" in refused(content[:1500], name="a.tar").problem
    assert "damaged" in refused(tarred({"a.csv": TABLE * 100}, "w:gz")[:-40], name="a.tar.gz").problem
    huge = tarfile.TarInfo("a.csv")
    huge.size = 1 << 60
    assert "damaged" in refused(huge.tobuf() + b"0" * 1024, name="a.tar").problem
    long_name = tarfile.TarInfo("pax")
    long_name.type, long_name.size = tarfile.XHDTYPE, 1 << 40
    assert "damaged" in refused(long_name.tobuf() + b"0" * 1024, name="a.tar").problem
    assert "There is no file in it" in refused(tarred({"only": (tarfile.SYMTYPE, "x")}), name="a.tar").problem
    monkeypatch.setenv("TIMEMIL_MAX_FILES", "2")
    assert "at most 2 are read" in refused(tarred(dict.fromkeys("abcd", TABLE)), name="a.tar").problem


@pytest.mark.pitfall(25)
def test_a_tar_inside_a_zip_stays_closed():
    assert "an archive inside another" in refused(zipped({"a.tar": tarred({"a.csv": TABLE})}), name="a.zip").problem


@pytest.mark.pitfall(25)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_bombs_of_every_packing_are_refused(pack, monkeypatch):
    monkeypatch.setattr("timemil_core.data.files.archives.HARMLESS", 100_000)
    assert "a sign of a zip bomb" in refused(pack(b"0," * 1_500_000), name="a.csv.gz").problem
