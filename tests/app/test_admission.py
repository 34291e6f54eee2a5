"""Who is let in, and what a browser may do with what it gets."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, JSONResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import config

from app import admission
from app.admission import is_known_host, is_own_origin, policy

PAGE = "<html><head><script>one()</script><script src='x'></script></head></html>"
DIGEST = "'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='"


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8501", "LOCALHOST:1", "127.0.0.1:80", "[::1]:8501", "localhost."]
)
def test_local_names_are_let_in_with_any_port(host: str) -> None:
    assert is_known_host(host, [])


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "localhost@evil.example",
        "192.168.1.5",
        "localhost:x",
        "a b",
        "[::1",
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not is_known_host(host, [])


def test_names_are_added_by_the_option() -> None:
    allowed = ["app.example.org", "*.lab.example.org"]
    assert is_known_host("APP.example.org:443", allowed)
    assert is_known_host("a.lab.example.org", allowed)
    assert is_known_host("localhost", allowed)
    assert not is_known_host("lab.example.org", allowed)
    assert not is_known_host("evillab.example.org", allowed)
    assert is_known_host("anything", ["*"])


def test_origins() -> None:
    assert is_own_origin("http://localhost:8501", "localhost:8501", [])
    assert is_own_origin("https://app.example.org", "app.example.org", [])
    assert is_own_origin("https://other.example", "localhost:8501", ["https://other.example/"])
    for origin in ("http://localhost:3000", "http://evil.example", "null", "file://localhost:8501", "http://["):
        assert not is_own_origin(origin, "localhost:8501", [])


async def _echo(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_json({"origin": socket.headers.get("origin")})
    await socket.close()


async def _parts():
    for start in range(0, len(PAGE), 9):
        yield PAGE[start : start + 9]


@pytest.fixture
def client() -> TestClient:
    routes = [
        Route("/", lambda _: HTMLResponse(PAGE)),
        Route("/parts", lambda _: StreamingResponse(_parts(), media_type="text/html")),
        Route("/json", lambda _: JSONResponse([])),
        WebSocketRoute("/socket", _echo),
    ]
    return TestClient(Starlette(routes=routes, middleware=[admission.admission()]), base_url="http://localhost:8501")


@pytest.mark.parametrize("path", ["/", "/parts"])
def test_a_page_comes_with_a_policy_that_knows_its_own_scripts(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.text == PAGE
    told = answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in told
    assert f"script-src 'self' blob: {DIGEST};" in told
    assert "unsafe-eval" not in told
    assert answer.headers["x-frame-options"] == "DENY"


def test_what_is_no_page_has_no_script(client: TestClient) -> None:
    assert "script-src 'self' blob:;" in client.get("/json").headers["content-security-policy"]
    assert "sha256" not in policy(b"")


def test_strangers_are_refused(client: TestClient) -> None:
    rebound = client.get("/json", headers={"host": "evil.example:8501"})
    assert rebound.status_code == 421
    assert "--server.allowedHosts" in rebound.text
    foreign = client.get("/json", headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "http://localhost:1"}):
        with pytest.raises(WebSocketDisconnect) as caught, client.websocket_connect("/socket", headers=headers):
            pass
        assert caught.value.code == 1008


def test_streamlit_never_compares_an_origin_with_what_the_internet_says(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows a login by the origin, and lets the host's own pass without more; of any other it would ask."""
    option = config.get_option
    allowed = {"server.corsAllowedOrigins": ["https://portal.example.org"]}
    monkeypatch.setattr(config, "get_option", lambda name: allowed.get(name) or option(name))
    for origin, told in (("http://localhost:8501", "http://localhost:8501"), ("https://portal.example.org", None)):
        headers = {"origin": origin, "host": "localhost:8501"}
        with client.websocket_connect("/socket", headers=headers) as socket:
            assert socket.receive_json() == {"origin": told}


def test_a_page_is_asked_for_unpacked_or_its_scripts_would_not_be_known() -> None:
    packing = Middleware(GZipMiddleware, minimum_size=1)
    app = Starlette(routes=[Route("/", lambda _: HTMLResponse(PAGE))], middleware=[admission.admission(), packing])
    asked = {"accept": "text/html,*/*", "accept-encoding": "gzip"}
    answer = TestClient(app, base_url="http://localhost").get("/", headers=asked)
    assert DIGEST in answer.headers["content-security-policy"]
