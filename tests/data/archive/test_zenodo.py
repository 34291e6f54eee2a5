"""A set out of its record at Zenodo, and from the archive's own site where that fails."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.data.archive.conftest import FILES, Archive
from timemil_core.data import archive
from timemil_core.data.archive.zenodo import record_number
from timemil_core.errors import DataError

RECORD = f"/records/{record_number('Cricket')}"


def entry(server: Archive, name: str, body: bytes, **changes: Any) -> dict[str, Any]:
    stated = {
        "key": name,
        "size": len(body),
        "checksum": f"md5:{hashlib.md5(body).hexdigest()}",
        "links": {"self": f"{server.address}/content/{name}"},
    }
    return stated | changes


def offer_record(server: Archive, **changes: Any) -> None:
    """Offer a record with both files, and with others that are not wanted."""
    listed = [entry(server, name, body, **changes) for name, body in FILES.items()]
    listed.append(entry(server, "../../evil_TRAIN.ts", b"x"))
    server.offer(RECORD, json.dumps({"files": listed}).encode())
    for name, body in FILES.items():
        server.offer(f"/content/{name}", body)


def test_aeon_knows_the_record_of_every_set_of_both_archives() -> None:
    from timemil_core.data.known_sets import KNOWN

    downloadable = {name for name, known in KNOWN.items() if known.archive in ("UEA", "UCR")}
    assert len(downloadable) == 30 + 128
    assert all(archive.downloadable(name) for name in downloadable)
    assert not archive.downloadable("WebTraffic")


def test_both_files_arrive_and_nothing_else_is_asked_for(both: Archive) -> None:
    offer_record(both)
    folder = archive.download("Cricket")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert both.asked == [RECORD, "/content/Cricket_TRAIN.ts", "/content/Cricket_TEST.ts"]


def test_progress_is_told_against_the_whole(both: Archive) -> None:
    offer_record(both)
    told = []
    archive.download("Cricket", archive.Progress(report=lambda now: told.append((now.received, now.total))))
    whole = sum(map(len, FILES.values()))
    assert told[-1] == (whole, whole)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (b"not json", "is not understood"),
        (b"[]", "is not understood"),
        (b'{"files": [{"key": "Cricket_TRAIN.ts"}]}', "is not understood"),
        (b'{"files": []}', "has no Cricket_TRAIN.ts"),
        (b"\xff\xfe", "is not understood"),
    ],
)
def test_a_record_that_is_not_understood(record: bytes, told: str, both: Archive) -> None:
    both.offer(RECORD, record)
    with pytest.raises(DataError) as caught:
        archive.download("Cricket")
    assert told in caught.value.problem
    assert "answered 404" in caught.value.problem  # the second place was asked too


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"checksum": "md5:00"}, "arrived damaged"),
        ({"size": 5}, "at most 0.0 MB"),
        ({"size": 10**6}, "instead of 1,000,000"),
        ({"links": {"self": "file:///etc/passwd"}}, "cannot be asked"),
    ],
)
def test_what_arrives_must_be_what_was_stated(
    changes: dict[str, Any], told: str, both: Archive, own_folders: Path
) -> None:
    offer_record(both, **changes)
    with pytest.raises(DataError) as caught:
        archive.download("Cricket")
    assert told in caught.value.problem
    assert list(own_folders.iterdir()) == []


def test_a_file_that_is_cut_off_is_told(both: Archive, own_folders: Path) -> None:
    offer_record(both)
    both.offer("/content/Cricket_TEST.ts", FILES["Cricket_TEST.ts"], sent=20)
    with pytest.raises(DataError, match="cut off after"):
        archive.download("Cricket")
    assert list(own_folders.iterdir()) == []


def test_the_archives_own_site_is_asked_where_zenodo_fails(both: Archive) -> None:
    both.offer_zip()
    folder = archive.download("Cricket")
    assert both.asked == [RECORD, "/Cricket.zip"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
