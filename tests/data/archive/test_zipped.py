"""A set that comes as a zip file, and everything that can be wrong with one."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from tests.data.archive.conftest import FILES, TEST, TRAIN, Archive, zip_of
from timemil_core.data import archive
from timemil_core.errors import DataError


def left_behind(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_set_arrives_whole_and_is_read(mirror: Archive, own_folders: Path) -> None:
    mirror.offer_zip()
    made = archive.load_archive("Cricket")
    assert made.split.tolist() == ["train", "train", "test"]
    assert made.series[2].tolist() == [[0, 0, 0], [2, 2, 2]]
    kept = [f"aeon/Cricket/{name}" for name in sorted(FILES)]
    assert left_behind(own_folders) == ["aeon", "aeon/Cricket", *kept]


def test_a_set_that_is_there_is_not_asked_for(mirror: Archive) -> None:
    mirror.offer_zip()
    assert archive.download("Cricket") == archive.download("Cricket")
    assert mirror.asked == ["/Cricket.zip"]


def test_files_in_a_folder_of_the_zip_are_found(mirror: Archive) -> None:
    mirror.offer_zip({f"Cricket/{name}": body for name, body in FILES.items()} | {"Cricket/Cricket.txt": b"about"})
    folder = archive.download("Cricket")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES


def test_progress_counts_what_arrives(mirror: Archive) -> None:
    mirror.offer_zip()
    told: list[tuple[str, int, int | None]] = []
    archive.download("Cricket", archive.Progress(report=lambda now: told.append((now.doing, now.received, now.total))))
    packed, unpacked = len(zip_of(FILES)), len(TRAIN) + len(TEST)
    assert ("loading Cricket.zip", packed, packed) in told
    assert told[-1] == ("unpacking", unpacked, unpacked)


@pytest.mark.parametrize(
    ("status", "body", "sent", "told"),
    [
        (404, b"no", None, "answered 404"),
        (500, b"no", None, "answered 500"),
        (200, b"<html>all is well</html>", None, "not a whole zip file"),
        (200, zip_of(FILES)[:-30], None, "not a whole zip file"),
        (200, zip_of(FILES), 100, "cut off after"),
        (200, zip_of(FILES), 0, "cut off after"),
        (200, zip_of({"readme.txt": b"x"}), None, "holds no Cricket_TRAIN.ts"),
        (200, zip_of({"Cricket_TRAIN.ts": TRAIN}), None, "holds no Cricket_TEST.ts"),
        (200, zip_of(FILES | {"Cricket_TEST.ts": b"an error page"}), None, "Cricket_TEST.ts is not a .ts file"),
        (200, zip_of(FILES | {"Cricket_TEST.ts": b"@problemName x\n@data\n"}), None, "is not a .ts file"),
    ],
)
def test_what_fails_is_told_with_a_way_out_and_leaves_nothing(
    status: int, body: bytes, sent: int | None, told: str, mirror: Archive, own_folders: Path
) -> None:
    mirror.offer("/Cricket.zip", body, status=status, sent=sent)
    with pytest.raises(DataError) as caught:
        archive.download("Cricket")
    assert told in caught.value.problem
    assert str(own_folders / "aeon" / "Cricket") in caught.value.remedy
    assert left_behind(own_folders) == []


def test_a_dead_server_is_told(mirror: Archive, own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_MIRROR", "http://user:secret@127.0.0.1:1")
    with pytest.raises(DataError) as caught:
        archive.download("Cricket")
    assert "no connection to 127.0.0.1:1" in caught.value.problem
    assert "secret" not in str(caught.value)
    assert left_behind(own_folders) == []


def test_a_server_that_falls_silent_is_not_waited_for_without_end(
    mirror: Archive, own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("timemil_core.data.archive.transfer.SECONDS_OF_SILENCE", 0.2)
    mirror.offer_zip()
    mirror.waits_after = 50
    with pytest.raises(DataError, match="was cut off"):
        archive.download("Cricket")
    assert left_behind(own_folders) == []


@pytest.mark.parametrize(
    "climbing", ["../Cricket_TRAIN.ts", "../../Cricket_TRAIN.ts", "/Cricket_TRAIN.ts", "a/b/Cricket_TRAIN.ts", "..\\x"]
)
def test_names_that_climb_out_of_the_folder_write_nothing(climbing: str, mirror: Archive, own_folders: Path) -> None:
    (own_folders / "aeon").mkdir()
    mirror.offer_zip({climbing: b"@data\nevil\n", "Cricket_TEST.ts": TEST})
    before = left_behind(own_folders.parent)
    with pytest.raises(DataError, match=r"holds no Cricket_TRAIN\.ts"):
        archive.download("Cricket")
    assert left_behind(own_folders.parent) == before
    assert not Path("/Cricket_TRAIN.ts").exists()


def test_a_link_in_the_zip_is_a_file_that_is_no_set(mirror: Archive, own_folders: Path) -> None:
    link = zipfile.ZipInfo("Cricket_TRAIN.ts")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = own_folders / "links.zip"
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr(link, "/etc/passwd")
        made.writestr("Cricket_TEST.ts", TEST)
    mirror.offer("/Cricket.zip", packed.read_bytes())
    with pytest.raises(DataError, match=r"Cricket_TRAIN\.ts is not a \.ts file"):
        archive.download("Cricket")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(mirror: Archive, own_folders: Path) -> None:
    mirror.offer_zip(FILES | {"Cricket_TRAIN.ts": bytes(3_000_000)})
    with pytest.raises(DataError, match="zip bomb"):
        archive.download("Cricket")
    assert left_behind(own_folders) == []


@pytest.mark.parametrize("most", [100, 300])
def test_more_than_the_limit_is_refused(
    most: int, mirror: Archive, own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMEMIL_MAX_ARCHIVE_BYTES", str(most))
    mirror.offer_zip(FILES | {"Cricket_TRAIN.ts": TRAIN + b"".join(b"%d,2,3:4,5,6:Up\n" % row for row in range(99))})
    with pytest.raises(DataError, match=r"at most 0\.0 MB"):
        archive.download("Cricket")
    assert left_behind(own_folders) == []


def test_a_full_disk_is_told_before_it_is_full(mirror: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    mirror.offer_zip()
    usage = type("Usage", (), {"free": 7})
    monkeypatch.setattr("timemil_core.data.archive.transfer.shutil.disk_usage", lambda folder: usage)
    with pytest.raises(DataError, match=r"the disk has 0\.0 MB left"):
        archive.download("Cricket")
