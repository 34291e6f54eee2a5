"""Who is let in: only names that the server is known by, only pages of its own, and nothing that it does not use.

A web page somewhere can have its name point at this machine (DNS rebinding), and would then read every data set and
start trainings in the browser of whoever looks at it. So a request must name the server as its user does: localhost,
or what ``server.allowedHosts`` says. What another page sends is refused before Streamlit sees it, which would ask a
server on the internet for this machine's outer address in order to compare.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

LOCAL = ("localhost", "127.0.0.1", "::1")
NOT_THIS_NAME = (
    "This server does not answer to this name. Open it as localhost, or start it with "
    "--server.allowedHosts=NAME (STREAMLIT_SERVER_ALLOWED_HOSTS in the environment).\n"
)
NOT_THIS_ORIGIN = (
    "This request comes from another page. Name its origin in --server.corsAllowedOrigins where that is meant.\n"
)
# blob: is how Streamlit starts components and workers; styles are written by scripts all over its page.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' data: blob:",
    "media-src": "'self' data: blob:",
    "worker-src": "'self' blob:",
    "frame-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
_HOST = re.compile(r"[A-Za-z0-9._-]+(:\d*)?|\[[0-9A-Fa-f:.]+\](:\d*)?")
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def admission() -> Middleware:
    """Return what stands before everything else that the server does."""
    return Middleware(_Admission)


def is_known_host(host: str, allowed: Sequence[str]) -> bool:
    """Tell whether a ``Host`` header names this server: by a local name, or one of ``allowed``; any port will do.

    ``*.example.org`` stands for every name below example.org, and ``*`` for every name.
    """
    name = _name(host)
    patterns = [pattern.strip().lower().rstrip(".") for pattern in allowed]
    if name is None:
        return False
    return (
        name in (*LOCAL, *patterns)
        or "*" in patterns
        or any(pattern.startswith("*.") and name.endswith(pattern[1:]) for pattern in patterns)
    )


def is_own_origin(origin: str, host: str, allowed: Sequence[str]) -> bool:
    """Tell whether an ``Origin`` header is of this server's own pages, or one of ``allowed``."""
    if origin.rstrip("/") in {one.strip().rstrip("/") for one in allowed}:
        return True
    try:
        theirs, ours = urlsplit(origin), urlsplit(f"//{host}")
        same_port = ours.port is None or theirs.port == ours.port
    except ValueError:
        return False
    return theirs.scheme in ("http", "https") and theirs.hostname == ours.hostname and same_port


def policy(page: bytes) -> str:
    """Return the content security policy of an HTML page: what is used, with the scripts that stand in it."""
    digests = [b64encode(hashlib.sha256(script).digest()).decode() for script in _INLINE_SCRIPT.findall(page)]
    scripts = "".join(f" 'sha256-{digest}'" for digest in digests)
    return "; ".join(f"{name} {value}{scripts if name == 'script-src' else ''}" for name, value in POLICY.items())


def _name(host: str) -> str | None:
    if not _HOST.fullmatch(host):
        return None
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return None
    return name.rstrip(".") if name else None


class _Admission:
    """Refuses strangers; what the others get names what a browser may do with it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if refusal := _refusal(Headers(scope=scope)):
            await _refuse(refusal, scope, receive, send)
            return
        if scope["type"] == "websocket":
            # Its origin is known to be right. Streamlit knows a login by it where it equals the host; of any other it
            # would ask the internet before it looks at those that we allow.
            known = Headers(scope=scope)
            is_same = urlsplit(known.get("origin", "")).netloc == known.get("host")
            headers = [(name, value) for name, value in scope["headers"] if name != b"origin" or is_same]
            await self.app({**scope, "headers": headers}, receive, send)
            return
        # a page is read for its scripts, which a packed one does not show
        headers = [one for one in scope["headers"] if one[0] != b"accept-encoding" or not _asks_for_page(scope)]
        await self.app({**scope, "headers": headers}, receive, _guarding(send))


def _asks_for_page(scope: Scope) -> bool:
    return "text/html" in Headers(scope=scope).get("accept", "")


def _refusal(headers: Headers) -> str | None:
    host, origin = headers.get("host", ""), headers.get("origin")
    if not is_known_host(host, config.get_option("server.allowedHosts")):
        return NOT_THIS_NAME
    if origin is not None and not is_own_origin(origin, host, config.get_option("server.corsAllowedOrigins")):
        return NOT_THIS_ORIGIN
    return None


async def _refuse(text: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": text.partition(".")[0]})
        return
    await PlainTextResponse(text, status_code=421 if text is NOT_THIS_NAME else 403)(scope, receive, send)


def _guarding(send: Send) -> Send:
    held: list[Message] = []  # the start of an HTML page, until its text is here

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            if Headers(raw=message["headers"]).get("content-type", "").startswith("text/html"):
                held.append(message)
                return
            await send(_with_headers(message, b""))
            return
        if held:
            held.append(message)
            if message.get("more_body", False):
                return
            start, *parts = held
            held.clear()
            await send(_with_headers(start, b"".join(part.get("body", b"") for part in parts)))
            for part in parts:
                await send(part)
            return
        await send(message)

    return guarded


def _with_headers(start: Message, page: bytes) -> Message:
    headers = MutableHeaders(raw=list(start["headers"]))
    headers["content-security-policy"] = policy(page)
    headers["x-content-type-options"] = "nosniff"
    headers["x-frame-options"] = "DENY"
    headers["referrer-policy"] = "same-origin"
    return {**start, "headers": headers.raw}
