"""Uploaded files on disk: what is kept, how reading them is watched, and that nothing of them is left."""

from __future__ import annotations

import gc
import io
import tempfile
from pathlib import Path

import pytest

from app.data import kept_files
from tests.disk import fill, small_disk
from timemil_core.errors import DataError

__all__ = ["small_disk"]


class File(io.BytesIO):
    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


def test_content_and_names_are_kept_and_names_are_no_paths() -> None:
    kept = kept_files.keep([File("../../etc/evil.csv", b"a,b\n"), File("walk/1.TS", b"@data"), File("no ending", b"")])
    assert [source.name for source in kept.sources] == ["etc/evil.csv", "walk/1.TS", "no ending"]
    assert [source.read() for source in kept.sources] == [b"a,b\n", b"@data", b""]
    assert [source.path and source.path.name for source in kept.sources] == ["0.csv", "1.ts", "2"]
    assert (kept.size, kept.title) == (9, "3 files")


def test_they_can_be_read_in_any_order() -> None:
    content = bytes(range(256)) * 4096
    (source,) = kept_files.keep([File("a.bin", content)]).sources
    with source.open_seekable() as file:
        file.seek(-3, io.SEEK_END)
        assert file.read() == content[-3:]
        file.seek(10)
        assert (file.read(2), file.tell()) == (content[10:12], 12)


def test_they_go_when_nobody_holds_them_and_not_before() -> None:
    first = kept_files.keep([File("a.csv", b"1")])
    both = kept_files.keep([File("b.csv", b"2")], first)
    paths = [source.path for source in both.sources]
    assert first.token != both.token
    del first
    gc.collect()
    assert [source.read() for source in both.sources] == [b"1", b"2"]
    del both
    gc.collect()
    assert not [path for path in paths if path is not None and path.exists()]


def test_reading_is_watched_and_can_be_broken_off() -> None:
    (source,) = kept_files.keep([File("a.bin", bytes(3 << 20))]).sources
    seen: list[tuple[int, int]] = []

    def looked(position: int, size: int) -> None:
        seen.append((position, size))
        if position > kept_files.PIECE:
            raise KeyboardInterrupt

    with kept_files.watched(looked), pytest.raises(KeyboardInterrupt):
        list(source.chunks())
    assert seen[0] == (0, source.size)
    assert source.size > seen[-1][0] > kept_files.PIECE
    assert len(source.read()) == source.size  # nobody watches any more


def test_without_room_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept_files.tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="could not be kept"):
        kept_files.keep([File("a.csv", b"1")])


def test_a_full_disk_is_told_and_what_was_uploaded_before_can_be_read(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    before = kept_files.keep([File("a.csv", b"1")])
    fill(small_disk)
    with pytest.raises(DataError, match="No space left on device"):
        kept_files.keep([File("b.csv", b"2" * 100_000)], before)
    assert [source.read() for source in before.sources] == [b"1"]
    gc.collect()
    assert len([path for path in small_disk.iterdir() if path.is_dir()]) == 1
