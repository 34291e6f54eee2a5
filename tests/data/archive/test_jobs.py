"""Downloads beside the page that started them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.data.archive.conftest import FILES, Archive
from timemil_core.data import archive
from timemil_core.data.archive import jobs

PATIENCE = 30


@pytest.fixture(autouse=True)
def no_jobs(own_folders: Path) -> Iterator[None]:
    jobs.forget("Cricket")
    yield
    if job := jobs.find("Cricket"):
        job.cancel()
        job.wait(PATIENCE)
    jobs.forget("Cricket")


def test_a_job_brings_the_set(mirror: Archive) -> None:
    mirror.offer_zip()
    job = jobs.start("Cricket")
    job.wait(PATIENCE)
    assert (job.state, job.error) == ("finished", None)
    assert archive.set_folder(archive.cache_folder(), "Cricket") is not None
    assert jobs.find("Cricket") is job


def test_a_failed_job_tells_why(mirror: Archive) -> None:
    job = jobs.start("Cricket")
    job.wait(PATIENCE)
    assert job.state == "failed"
    assert job.error is not None
    assert "answered 404" in str(job.error)
    jobs.forget("Cricket")
    assert jobs.find("Cricket") is None


def test_who_asks_again_gets_the_job_that_is_at_it(mirror: Archive) -> None:
    mirror.offer_zip()
    mirror.waits_after = 10
    first = jobs.start("Cricket")
    assert jobs.start("Cricket") is first
    jobs.forget("Cricket")  # not while it runs
    assert jobs.find("Cricket") is first
    mirror.go_on.set()
    first.wait(PATIENCE)
    assert first.state == "finished"
    assert mirror.asked == ["/Cricket.zip"]


def test_a_cancelled_job_counts_as_that_at_once_and_leaves_nothing(mirror: Archive, own_folders: Path) -> None:
    mirror.offer_zip(FILES | {"other": bytes(range(256)) * 4000})
    mirror.waits_after = 10
    job = jobs.start("Cricket")
    job.cancel()
    assert job.state == "cancelled"
    mirror.go_on.set()
    job.wait(PATIENCE)
    assert not (own_folders / "aeon").exists()
    assert jobs.start("Cricket") is not job


def test_a_fault_of_the_program_is_told_as_one(mirror: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, progress: archive.Progress) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(jobs, "download", broken)
    job = jobs.start("Cricket")
    job.wait(PATIENCE)
    assert job.state == "failed"
    assert "fault of this program" in str(job.error)
