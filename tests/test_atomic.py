import errno
import json
import os
import threading
from pathlib import Path

import pytest
from safetensors import SafetensorError

from timemil_core.atomic import append, clean, read_json, replacing_file, replacing_folder, storing, write_json
from timemil_core.errors import StorageError


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_json(tmp_path / "new" / "a.json", {"b": [1, 0.1, "ä"]})
    assert read_json(tmp_path / "new" / "a.json") == {"b": [1, 0.1, "ä"]}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.json"]


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", 1)
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", float("nan"))
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert read_json(tmp_path / "a.json") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 100_000 + "]" * 100_000, "nested too deep"),
        ("NaN", "no number in JSON"),
        ("[Infinity]", "no number in JSON"),
        (r'"\ud800"', "half of a surrogate pair"),
        ("9" * 10_000, "digits"),
        ("{", "Expecting"),
    ],
)
def test_what_nobody_writes_is_told_as_damage(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(json.JSONDecodeError, match=told):
        read_json(tmp_path / "a.json")


def test_pipes_folders_and_links_are_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "secret").write_text("1")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "folder", "link", "zero"):
        with pytest.raises(OSError, match="no regular file"):
            read_json(tmp_path / name)
    with pytest.raises(OSError, match="no regular file"):
        append(tmp_path / "pipe", b"x")


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "no room left on the disk.*Make room"),
        (errno.EDQUOT, "share of the disk is full"),
        (errno.EROFS, "can only be read.*Make it writable"),
        (errno.EACCES, "may not write here"),
    ],
)
def test_where_nothing_can_be_stored_that_is_told_in_words(tmp_path: Path, number: int, told: str) -> None:
    write_json(tmp_path / "a.json", 1)
    with pytest.raises(StorageError, match=told) as caught, replacing_file(tmp_path / "a.json"):
        raise OSError(number, os.strerror(number))
    assert str(tmp_path / "a.json") in str(caught.value)
    assert read_json(tmp_path / "a.json") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_safetensors_tells_the_same_otherwise(tmp_path: Path) -> None:
    told = "Error while serializing: I/O error: No space left on device (os error 28)"
    with pytest.raises(StorageError, match="no room left"), storing(tmp_path / "a"):
        raise SafetensorError(told)
    with pytest.raises(SafetensorError, match="header"), storing(tmp_path / "a"):
        raise SafetensorError("header too large")


def test_an_error_of_another_file_is_not_taken_for_this_ones(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), storing(tmp_path / "target"):
        raise PermissionError(errno.EACCES, "Permission denied", "/elsewhere/source.csv")
    with pytest.raises(FileNotFoundError), storing(tmp_path / "target"):
        (tmp_path / "absent").read_text()


def test_the_disk_holds_the_content_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append(f"sync {kind(handle)}"), sync(handle)))
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("rename"), rename(*names)))

    def kind(handle: int) -> str:
        return "folder" if Path(f"/proc/self/fd/{handle}").resolve().is_dir() else "file"

    write_json(tmp_path / "a.json", 1)
    assert done == ["sync file", "rename", "sync folder"]
    done.clear()
    with replacing_folder(tmp_path / "b") as beside:
        (beside / "a").write_text("1")
    assert done == ["sync file", "sync folder", "rename", "sync folder"]


def test_what_killed_writers_left_goes_and_a_folder_between_two_renames_comes_back(tmp_path: Path) -> None:
    (tmp_path / ".status.json.0123abcd").write_text("half")
    (tmp_path / ".launched.json.0123abcd").write_text("of a living writer")
    (tmp_path / ".model.0123abcd").mkdir()
    (tmp_path / ".model.0123abcd.old").mkdir()
    (tmp_path / ".model.0123abcd.old" / "weights").write_text("whole")
    (tmp_path / ".hidden").write_text("the user's")
    clean(tmp_path, but_for=("launched.json",))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".hidden", ".launched.json.0123abcd", "model"]
    assert (tmp_path / "model" / "weights").read_text() == "whole"


def test_what_is_younger_may_have_a_living_writer(tmp_path: Path) -> None:
    (tmp_path / ".set.0123abcd").mkdir()
    (tmp_path / ".old.0123abcd").mkdir()
    os.utime(tmp_path / ".old.0123abcd", (1, 1))
    with replacing_folder(tmp_path / "other"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".set.0123abcd", "other"]


def test_appending_is_one_write(tmp_path: Path) -> None:
    def write(letter: bytes) -> None:
        for _ in range(50):
            append(tmp_path / "log", letter * 200 + b"\n", lasting=False)

    threads = [threading.Thread(target=write, args=(letter,)) for letter in (b"a", b"b", b"c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (tmp_path / "log").read_bytes().splitlines()
    assert len(lines) == 150
    assert all(len(set(line)) == 1 and len(line) == 200 for line in lines)
