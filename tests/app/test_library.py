"""The drawing library is named in Streamlit's page, served whole, and may be kept."""

from __future__ import annotations

import asyncio
import gzip
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, StreamingResponse
from starlette.routing import Route

from app.plotting import elements, library

PAGE = "<html><head><title>é</title></head><body></head></body></html>"


async def _parts():
    for start in range(0, len(PAGE), 7):
        yield PAGE[start : start + 7]


ROUTES = [
    Route("/", lambda _: HTMLResponse(PAGE, headers={"etag": "x"})),
    Route("/parts", lambda _: StreamingResponse(_parts(), media_type="text/html")),
    Route("/packed", lambda asked: HTMLResponse(PAGE + asked.headers.get("accept-encoding", ""))),
    Route("/lost", lambda _: HTMLResponse(PAGE, status_code=404)),
    Route("/json", lambda _: JSONResponse({"page": PAGE})),
    library.route(),
]


def got(path: str, accept: str = "text/html,*/*", packing: str = "gzip") -> tuple[dict[str, str], bytes]:
    """Return headers and body of what a server with these routes answers."""
    sent: list[dict] = []

    async def receive() -> dict:
        await asyncio.Event().wait()  # a browser that stays
        raise AssertionError

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "root_path": "", "scheme": "http",
        "query_string": b"", "headers": [(b"accept", accept.encode()), (b"accept-encoding", packing.encode())],
        "server": ("localhost", 80), "client": ("localhost", 1),
        "http_version": "1.1", "asgi": {"version": "3.0", "spec_version": "2.3"},
    }  # fmt: skip
    server = Starlette(routes=ROUTES, middleware=[library.early_library()])
    with ThreadPoolExecutor(1) as other:  # Playwright's browser tests leave a loop in this thread
        other.submit(lambda: asyncio.run(server(scope, receive, send))).result()
    assert [message["type"] for message in sent[:2]] == ["http.response.start", "http.response.body"]
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("path", ["/", "/parts"])
def test_a_page_names_the_library_once(path: str) -> None:
    headers, body = got(path)
    text = body.decode()
    named = library.TAG + elements.tags(PAGE.encode())
    assert text == PAGE.replace("</head>", f"{named.decode()}</head>", 1)
    assert headers["content-length"] == str(len(body))
    assert "etag" not in headers


def test_a_page_is_asked_for_unpacked_and_nothing_else_is() -> None:
    assert got("/packed")[1].endswith(b"</html>")
    assert got("/packed", accept="*/*")[1].endswith(b"</html>gzip")


@pytest.mark.parametrize(("path", "accept"), [("/", "*/*"), ("/lost", "text/html"), ("/json", "text/html")])
def test_everything_else_passes_as_it_is(path: str, accept: str) -> None:
    _, body = got(path, accept)
    assert library.TAG not in body
    assert b"</head>" in body


def test_the_library_is_served_and_may_be_kept() -> None:
    headers, body = got(f"/{library.ADDRESS}", accept="*/*")
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"]
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == library.script()
    headers, body = got(f"/{library.ADDRESS}", accept="*/*", packing="")
    assert "content-encoding" not in headers
    assert body == library.script()


def test_the_code_of_elements_is_named_with_what_it_imports() -> None:
    names = elements.modules()
    for element in elements.ELEMENTS:
        assert any(name.startswith(f"{element}.") for name in names), element
    text = "".join((elements.FOLDER / name).read_text(encoding="utf-8") for name in names)
    assert set(elements.IMPORT.findall(text)) <= set(names)


def test_what_the_page_names_itself_is_not_named_again() -> None:
    first, *others = elements.modules()
    named = elements.tags(f"<head>{first}</head>".encode()).decode()
    assert first not in named
    assert all(named.count(f'/{name}"') == 1 for name in others)


def test_a_streamlit_that_names_its_code_otherwise_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elements, "FOLDER", tmp_path)
    elements.modules.cache_clear()
    try:
        assert elements.tags(PAGE.encode()) == b""
    finally:
        elements.modules.cache_clear()
