"""The server's sockets: what is sent leaves at once.

Streamlit opens its socket in a way that leaves Nagle's algorithm on (asyncio turns it off only where a socket names TCP
as its protocol). A small message behind another then waits until the browser has confirmed the first, which browsers
put off for 40 ms: each file of a first visit, and each part of a page, came that much later.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psutil

logger = logging.getLogger("timemil.app")


@asynccontextmanager
async def prompt_connections(_app: Any) -> AsyncIterator[None]:
    """Begin the server's life: connections inherit the setting from the sockets that listen, which are open by now."""
    for listener in listening():
        with socket.socket(fileno=os.dup(listener)) as shared:
            shared.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    yield


def listening() -> list[int]:
    """Return the file descriptors of the TCP sockets on which this process listens; none where they are not known."""
    if os.name != "posix":  # elsewhere sockets are not files
        return []
    try:
        found = psutil.Process().net_connections("tcp")
    except (psutil.Error, OSError) as error:  # a container may hide them: the app is slower then, and runs
        logger.warning("the server's sockets are not known, so what is sent may leave late: %s", error)
        return []
    return [one.fd for one in found if one.status == psutil.CONN_LISTEN and one.fd >= 0]
