"""The drawing library in the browser: the Plotly inside the Python package, served so that it is read early and once.

Plotly is 4.8 MB of code. So the page itself names it: it is fetched and compiled beside Streamlit's own code, not after
it, off the page's main thread. Its address tells its version and what was made of it, so the browser may keep it,
compiled, for as long as it likes.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path

import plotly
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.plotting import script as script_module
from app.plotting.elements import tags
from app.plotting.script import script

# of the code that makes the script: making it takes a fifth of a second, which not every start should wait for
_MADE_BY = hashlib.blake2b(Path(script_module.__file__).read_bytes(), digest_size=4).hexdigest()
ADDRESS = f"library/plotly-{plotly.__version__}-{_MADE_BY}.min.js"
TAG = f'<script async src="./{ADDRESS}" id="timemil-plotly"></script>'.encode()
HEAD_END = b"</head>"
FOR_EVER = "public, max-age=31536000, immutable"


def route() -> Route:
    """Return where the server offers the library."""
    return Route(f"/{ADDRESS}", _library)


def early_library() -> Middleware:
    """Return what names the library in the page that Streamlit serves."""
    return Middleware(_EarlyLibrary)


@cache
def packed() -> bytes:
    """Return the script packed by gzip: once, since packing it takes a tenth of a second."""
    return gzip.compress(script(), compresslevel=6, mtime=0)


async def _library(request: Request) -> Response:
    headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed(), media_type="text/javascript", headers={**headers, "Content-Encoding": "gzip"})
    return Response(script(), media_type="text/javascript", headers=headers)


class _EarlyLibrary:
    """Adds the library, and what else is wanted early, to each HTML page; everything else passes as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not _asks_for_page(scope):
            await self.app(scope, receive, send)
            return
        # what is packed cannot be added to
        headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        held: list[Message] = []  # an HTML page, until all of it is here

        async def adding(message: Message) -> None:
            if not held and not _begins_page(message):
                await send(message)
                return
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                for part in _with_library(held):
                    await send(part)

        await self.app({**scope, "headers": headers}, receive, adding)


def _asks_for_page(scope: Scope) -> bool:
    return "text/html" in Headers(scope=scope).get("accept", "")


def _begins_page(message: Message) -> bool:
    if message["type"] != "http.response.start" or message["status"] != 200:
        return False
    return Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")


def _with_library(held: list[Message]) -> list[Message]:
    """Return a page's messages with the library named at the end of its head."""
    start, *parts = held
    page = b"".join(part.get("body", b"") for part in parts)
    page = page.replace(HEAD_END, TAG + tags(page) + HEAD_END, 1)
    headers = MutableHeaders(raw=list(start["headers"]))
    headers["content-length"] = str(len(page))
    # these name the page without the library
    for name in ("etag", "last-modified", "accept-ranges"):
        if name in headers:
            del headers[name]
    return [{**start, "headers": headers.raw}, {"type": "http.response.body", "body": page}]
