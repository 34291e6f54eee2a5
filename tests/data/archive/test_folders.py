"""Where downloads grow and where they come to lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.data.archive.conftest import FILES, Archive
from timemil_core.data import archive
from timemil_core.data.archive.folders import SILENCE_OF_THE_DEAD
from timemil_core.errors import DataError


def test_half_a_set_is_completed_and_what_else_lies_there_stays(mirror: Archive) -> None:
    half = archive.cache_folder() / "Cricket"
    half.mkdir(parents=True)
    (half / "Cricket_TRAIN.ts").write_text("half of it")
    (half / "notes.txt").write_text("mine")
    mirror.offer_zip()
    assert archive.download("Cricket") == half
    assert {path.name: path.read_bytes() for path in half.iterdir()} == FILES | {"notes.txt": b"mine"}


def test_a_failed_download_leaves_the_cache_as_it_was(mirror: Archive) -> None:
    other = archive.cache_folder() / "Other" / "Other_TRAIN.ts"
    other.parent.mkdir(parents=True)
    other.write_text("here before")
    with pytest.raises(DataError):
        archive.download("Cricket")
    assert [path.name for path in archive.cache_folder().iterdir()] == ["Other"]


def test_what_killed_downloads_left_is_removed_once_nobody_writes_to_it(mirror: Archive) -> None:
    mirror.offer_zip()
    dead, alive = (archive.cache_folder() / f".download.{name}" for name in ("dead", "alive"))
    for folder in (dead, alive):
        folder.mkdir(parents=True)
        (folder / "set.zip").write_bytes(b"half")
    long_ago = (dead / "set.zip").stat().st_mtime - SILENCE_OF_THE_DEAD - 60
    for path in (dead / "set.zip", dead):
        os.utime(path, (long_ago, long_ago))
    archive.download("Cricket")
    assert sorted(path.name for path in archive.cache_folder().iterdir()) == [".download.alive", "Cricket"]


def test_a_cache_that_cannot_be_written_is_told(own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own_folders / "file").write_text("")
    monkeypatch.setenv("AEON_DATA", str(own_folders / "file" / "cache"))
    with pytest.raises(DataError, match="AEON_DATA"):
        archive.download("Cricket")


def test_a_file_in_the_sets_place_is_told(mirror: Archive) -> None:
    archive.cache_folder().mkdir()
    (archive.cache_folder() / "Cricket").write_text("a file")
    mirror.offer_zip()
    with pytest.raises(DataError, match="Move away what lies there"):
        archive.download("Cricket")
    assert [path.name for path in archive.cache_folder().iterdir()] == ["Cricket"]


def test_a_name_that_aeon_does_not_know_is_refused(own_folders: Path) -> None:
    with pytest.raises(DataError, match="aeon knows no set"):
        archive.load_archive("../etc")
