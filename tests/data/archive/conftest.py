"""A server of this machine in place of the archive's, and folders of the test's own."""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from timemil_core.data.archive import downloading, zenodo, zipped

HEADER = (
    "@problemName Cricket\n@timestamps false\n@univariate false\n@equalLength true\n@classLabel true Up Down\n@data\n"
)
TRAIN = f"{HEADER}1,2,3:4,5,6:Up\n7,8,9:1,1,1:Down\n".encode()
TEST = f"{HEADER}0,0,0:2,2,2:Up\n".encode()
FILES = {"Cricket_TRAIN.ts": TRAIN, "Cricket_TEST.ts": TEST}


def zip_of(files: dict[str, bytes]) -> bytes:
    """Return a zip file with these members."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return content.getvalue()


class Archive:
    """What the server answers, by path: a status, a body, and how many of its bytes it really sends."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.answers: dict[str, tuple[int, bytes, int]] = {}
        self.asked: list[str] = []
        self.go_on = threading.Event()
        self.waits_after: int | None = None

    def offer(self, path: str, body: bytes, *, status: int = 200, sent: int | None = None) -> None:
        """Answer ``path`` with a body; ``sent`` cuts it off after so many bytes."""
        self.answers[path] = (status, body, len(body) if sent is None else sent)

    def offer_zip(self, files: dict[str, bytes] = FILES) -> None:
        """Answer as a mirror does."""
        self.offer("/Cricket.zip", zip_of(files))


def _handler(archive: Callable[[], Archive]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here = archive()
            here.asked.append(self.path)
            status, body, sent = here.answers.get(self.path, (404, b"not here", 8))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            first = sent if here.waits_after is None else here.waits_after
            self.wfile.write(body[:first])
            self.wfile.flush()
            if first < sent and here.go_on.wait(30):
                self.wfile.write(body[first:sent])

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            """Say nothing."""

    return Handler


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the cache and the workspace in the test's folder, and know no server."""
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TIMEMIL_DATA_DIR", raising=False)
    monkeypatch.setenv("AEON_DATA", str(tmp_path / "aeon"))
    monkeypatch.delenv(zipped.MIRROR_VARIABLE, raising=False)
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def server(own_folders: Path) -> Iterator[Archive]:
    """Serve on this machine; nothing is offered yet."""
    held: list[Archive] = []
    served = ThreadingHTTPServer(("127.0.0.1", 0), _handler(lambda: held[0]))
    held.append(Archive(f"http://127.0.0.1:{served.server_port}"))
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield held[0]
    held[0].go_on.set()
    served.shutdown()
    served.server_close()
    thread.join()


@pytest.fixture
def mirror(server: Archive, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Let the server be the mirror that is asked alone."""
    monkeypatch.setenv(zipped.MIRROR_VARIABLE, server.address + "/")
    return server


@pytest.fixture
def both(server: Archive, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Let the server be Zenodo and the archive's own site."""
    monkeypatch.setattr(zenodo, "RECORDS", f"{server.address}/records")
    monkeypatch.setattr(downloading, "ARCHIVE", server.address)
    return server
