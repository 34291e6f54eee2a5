"""One file from a server onto this machine, with progress, a limit, and a way to stop."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import requests

CHUNK = 1 << 15
SECONDS_TO_CONNECT, SECONDS_OF_SILENCE = 10.0, 30.0
HEADERS = {"User-Agent": "timemil-core", "Accept-Encoding": "identity"}


class TransferError(Exception):
    """A file could not be had, in words that fit behind "could not be downloaded"."""


@dataclass
class Progress:
    """How far a download is: written by whoever loads, read by whoever looks on, perhaps from another thread.

    Attributes
    ----------
    received, total
        In bytes; ``total`` is None as long as the server has not told.
    doing
        What happens now, in words.
    began
        When that began, on the clock of ``time.monotonic``.
    report
        Called after each step; to stop, it raises.
    """

    received: int = 0
    total: int | None = None
    doing: str = "asking the archive"
    began: float = field(default_factory=time.monotonic)
    report: Callable[[Progress], None] | None = None

    @property
    def share(self) -> float | None:
        """The share that is done, in [0, 1]; None where the whole is not known."""
        return min(self.received / self.total, 1.0) if self.total else None

    @property
    def seconds_left(self) -> float | None:
        """The time that the rest takes at the speed so far; None where that cannot be told."""
        if not self.total or not self.received:
            return None
        return (time.monotonic() - self.began) * (self.total - self.received) / self.received

    def begin(self, doing: str, total: int | None) -> None:
        """Start to count anew."""
        self.received, self.total, self.doing, self.began = 0, total, doing, time.monotonic()
        self.advance(0)

    def advance(self, n_bytes: int) -> None:
        """Count bytes."""
        self.received += n_bytes
        if self.report is not None:
            self.report(self)


def save(url: str, target: Path, progress: Progress, *, most_bytes: int) -> None:
    """Write what lies at ``url`` to ``target``.

    Raises
    ------
    TransferError
        Where it cannot be had, is cut off, or has more than ``most_bytes``.
    """
    host = host_of(url)
    written: int | None = None
    try:
        with requests.get(
            url, stream=True, timeout=(SECONDS_TO_CONNECT, SECONDS_OF_SILENCE), headers=HEADERS
        ) as response:
            if response.status_code != requests.codes.ok:
                raise TransferError(f"{host} answered {response.status_code} {response.reason}")
            announced = _announced(response)
            check_room(max(announced or 0, 1), target.parent, most_bytes, host)
            if progress.total is None:
                progress.total = announced
            written = 0
            with target.open("wb") as file:
                for chunk in response.iter_content(CHUNK):
                    written += len(chunk)
                    if written > most_bytes:
                        raise TransferError(f"{host} sent more than {megabytes(most_bytes)}")
                    file.write(chunk)
                    progress.advance(len(chunk))
    except requests.RequestException as error:
        raise TransferError(_in_words(error, host, written)) from error
    except OSError as error:
        raise TransferError(f"it cannot be written to {target.parent.parent}: {error.strerror}") from error


def check_room(n_bytes: int, folder: Path, most_bytes: int, whose: str) -> None:
    """Refuse what is larger than the limit, or than the room that is left on the disk.

    Raises
    ------
    TransferError
        With both numbers.
    """
    if n_bytes > most_bytes:
        raise TransferError(f"{whose} has {megabytes(n_bytes)}, and at most {megabytes(most_bytes)} are taken")
    free = shutil.disk_usage(folder).free
    if n_bytes > free:
        raise TransferError(f"{whose} has {megabytes(n_bytes)}, and the disk has {megabytes(free)} left")


def megabytes(n_bytes: int) -> str:
    """Write a number of bytes in megabytes."""
    return f"{n_bytes / 1e6:,.1f} MB"


def host_of(url: str) -> str:
    """Return the server's name, without a user or a password."""
    return urlsplit(url).netloc.rpartition("@")[2] or url


def _announced(response: requests.Response) -> int | None:
    text = response.headers.get("Content-Length", "")
    return int(text) if text.isascii() and text.isdigit() else None


def _in_words(error: requests.RequestException, host: str, written: int | None) -> str:
    if written is not None:
        return f"the connection to {host} was cut off after {megabytes(written)}"
    if isinstance(error, requests.Timeout):
        return f"{host} does not answer"
    if isinstance(error, requests.ConnectionError):
        return f"no connection to {host}"
    return f"{host} cannot be asked ({type(error).__name__})"
